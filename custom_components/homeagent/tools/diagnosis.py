"""What diagnostics and system health tell: counts, kinds and states, never a value.

Above the parts it looks at, below `diagnostics` and `system_health`. What a person or a
model wrote is told by its kind or its length only (page 5 §5.5): no key, prompt, name,
argument or answer.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant

from ..access.rule_problems import RuleError
from ..const import DOMAIN
from ..kernel.contract import Entrance, ToolRegistry
from ..kernel.errors import Reason
from ..sequence.names import folded
from ..sequence.outline import Outline, kind_of, outline
from ..sequence.report import RUN_STATUSES
from .access_rules import rule_subentries, stored_rule
from .declarations import Declarations
from .history import History
from .history_entries import Entry
from .sequence_entry import is_draft, is_sequence, readable
from .sequence_extras import sentences_of

HIDDEN: Final = "…"
"""Stands for a name that somebody chose."""

MOST_RUNS: Final = 10
"""Runs of a sequence that are told one by one."""

_STATUSES: Final = frozenset(status.value for status in RUN_STATUSES)
_REASONS: Final = frozenset(reason.value for reason in Reason)
_ENTRANCES: Final = frozenset(entrance.value for entrance in Entrance)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceCounts:
    """How many sequences there are, by what became of them."""

    loaded: int
    damaged: int
    drafts: int
    disabled: int


def sequence_counts(hass: HomeAssistant) -> SequenceCounts:
    """Count the entries of sequences; what is disabled counts as that alone."""
    entries = [
        entry
        for entry in hass.config_entries.async_entries(DOMAIN)
        if is_sequence(entry)
    ]
    enabled = [entry for entry in entries if entry.disabled_by is None]
    drafts = sum(map(is_draft, enabled))
    damaged = sum(not is_draft(one) and readable(one) is None for one in enabled)
    return SequenceCounts(
        loaded=len(enabled) - drafts - damaged,
        damaged=damaged,
        drafts=drafts,
        disabled=len(entries) - len(enabled),
    )


class ToolNames:
    """Tells the names of tools that are the same in every home; hides all others.

    Of an action whose name somebody may have chosen, such as that of a script, only the
    integration is told.
    """

    def __init__(
        self, hass: HomeAssistant, registry: ToolRegistry, declarations: Declarations
    ) -> None:
        """Take what knows tools."""
        self._hass = hass
        self._registry = registry
        self._rows = declarations.rows

    def told(self, name: str) -> str:
        """Return what may be told of a tool's name."""
        domain, dot, action = name.partition(".")
        if not dot:
            own = "__" not in name and self._registry.find(name) is not None
            return name if own else HIDDEN
        if action in self._rows.get(domain, {}):
            return name
        known = domain in self._hass.config.components
        return f"{domain}.{HIDDEN}" if known else HIDDEN


def sequence_facts(entry: ConfigEntry, names: ToolNames) -> Outline:
    """Return what may be told of a sequence's entry."""
    sequence = None if is_draft(entry) else readable(entry)
    return {
        "draft": is_draft(entry),
        "damaged": sequence is None and not is_draft(entry),
        "sentences": len(sentences_of(entry)),
        "sequence": None if sequence is None else outline(sequence, names.told),
    }


def history_facts(history: History) -> Outline:
    """Return how much is kept of what ran, and how the runs ended."""
    ended = Counter(_status(entry) for entry in history.runs())
    return {**history.figures(), "runs_ended": dict(sorted(ended.items()))}


def last_runs(history: History, name: str) -> list[Outline]:
    """Return the last runs of a sequence, the newest last."""
    runs = [
        entry
        for entry in history.runs()
        if folded(str(entry.get("sequence"))) == folded(name)
    ]
    return [_run(entry) for entry in runs[-MOST_RUNS:]]


def _run(entry: Entry) -> Outline:
    report, calls = entry.get("report"), entry.get("calls")
    calls = calls if isinstance(calls, list) else []
    caller = entry.get("caller")
    entrance = caller.get("entrance") if isinstance(caller, Mapping) else None
    failed = Counter(_reason(call) for call in calls)
    del failed[""]
    return {
        "status": _status(entry),
        "duration": report.get("duration") if isinstance(report, Mapping) else None,
        "entrance": _word(entrance, _ENTRANCES),
        "calls": len(calls),
        "failed": dict(sorted(failed.items())),
    }


def _status(entry: Entry) -> str:
    report = entry.get("report")
    return _word(
        report.get("status") if isinstance(report, Mapping) else None, _STATUSES
    )


def _reason(call: object) -> str:
    """Return why a call failed, nothing for one that did not."""
    error = call.get("error") if isinstance(call, Mapping) else None
    if error is None:
        return ""
    return _word(error.get("reason") if isinstance(error, Mapping) else None, _REASONS)


def _word(found: object, words: Iterable[str]) -> str:
    """Return a word of a closed vocabulary: what is stored may hold anything."""
    return found if isinstance(found, str) and found in words else "other"


def rule_facts(entry: ConfigEntry) -> list[Outline]:
    """Return what may be told of the access rules: their words, counts, no ids."""
    return [_rule(subentry) for subentry in rule_subentries(entry)]


def _rule(subentry: ConfigSubentry) -> Outline:
    try:
        rule = stored_rule(subentry)
    except RuleError:
        return {"damaged": True}
    return {
        "damaged": False,
        "enabled": rule.enabled,
        "how": rule.how.value,
        "ready_made": bool(rule.key),
        "who": sorted(rule.who),
        "users": len(rule.users),
        "devices": len(rule.devices),
        "through": sorted(rule.through),
        "where": sorted(rule.where),
        "areas": len(rule.areas),
        "floors": len(rule.floors),
        "what": sorted(rule.what),
        "tools": len(rule.tools),
        "entities": len(rule.entities),
        "sequences": len(rule.sequences),
    }


def host_facts(told: Mapping[str, object]) -> Outline:
    """Return of what is known of a host what holds no name and no file.

    `told` is one object of `host_diagnostics`.
    """
    about, metrics = told.get("about"), told.get("metrics")
    about = dict(about) if isinstance(about, Mapping) else {}
    metrics = metrics if isinstance(metrics, Mapping) else {}
    return {
        **told,
        "about": {
            key: value if isinstance(value, bool) else _fact(key, value)
            for key, value in about.items()
        },
        "metrics": [kind_of(value) for value in metrics.values()],
    }


_PLAIN_FACTS: Final = frozenset({"system", "kernel", "machine", "python"})


def _fact(key: str, value: object) -> object:
    if key in _PLAIN_FACTS and isinstance(value, str):
        return value[:128]
    return value if isinstance(value, int | float) else kind_of(value)


def options_facts(options: Mapping[str, object]) -> Outline:
    """Return which options of an entry are set, by their kinds."""
    return {key: kind_of(value) for key, value in options.items()}
