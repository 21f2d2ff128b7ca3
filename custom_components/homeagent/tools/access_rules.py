"""The access rules of this home, read from the HomeAgent entry (page 3 §3.2).

Between Home Assistant's config subentries and the policy; never imports an entrance.
Rules count while the entry is enabled, loaded or not. A rule that cannot be read grants
nothing, and a repair issue tells of it.
"""

from collections.abc import Iterable, Iterator
import logging
from types import MappingProxyType

from homeassistant.config_entries import (
    SIGNAL_CONFIG_ENTRY_CHANGED,
    ConfigEntry,
    ConfigEntryChange,
    ConfigEntryDisabler,
    ConfigSubentry,
    ConfigSubentryData,
)
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    issue_registry as ir,
)
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from ..access.defaults import DEFAULTS, ReadyRule, defaults
from ..access.model import AccessRule
from ..access.rule_data import dump_rule, read_rule
from ..access.rule_problems import RuleError
from ..access.rule_sentence import ready_sentence
from ..const import CONF_ASK_FIRST, DOMAIN, KERNEL_UNIQUE_ID
from .mending import issue_data
from .rule_things import effective, lasting

_LOGGER = logging.getLogger(__name__)

ACCESS_RULE = "access_rule"
"""Kind of the subentries that are rules."""

GIVEN_SINCE = 2
"""Minor version of an entry that was given its rules, and may have lost them since."""

DAMAGED_RULE = "damaged_access_rule"

_BUILT_IN = frozenset({"administrators_directly", "automations"})

type Rules = tuple[AccessRule, ...]


class AccessRules:
    """The rules as they are now."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Read the rules and follow the entry they belong to."""
        self._hass = hass
        self._told: frozenset[str] = frozenset()
        self._source: tuple[ConfigEntry | None, ConfigEntryDisabler | None]
        self._rules: Rules = ()
        self._asked_first: frozenset[str] = frozenset()
        self._entities: frozenset[str] = frozenset()
        self._keep_lasting()
        self._read()
        async_dispatcher_connect(hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._changed)
        for removed_in in (
            ar.EVENT_AREA_REGISTRY_UPDATED,
            fr.EVENT_FLOOR_REGISTRY_UPDATED,
        ):
            hass.bus.async_listen(str(removed_in), self._place_changed)
        hass.bus.async_listen(
            str(er.EVENT_ENTITY_REGISTRY_UPDATED), self._entity_changed
        )

    def rules(self) -> Rules:
        """Return the rules: the same tuple until one of them changed.

        Without an enabled HomeAgent entry: administrators who act directly, and
        automations, may do everything.
        """
        # Home Assistant disables and removes before it tells anyone of it.
        if self._now() != self._source:
            self._read()
        return self._rules

    def is_asked_first(self, tool: str) -> bool:
        """Whether a person must agree to a tool, by the entry's options."""
        if self._now() != self._source:
            self._read()
        return tool in self._asked_first

    def _now(self) -> tuple[ConfigEntry | None, ConfigEntryDisabler | None]:
        entry = self._hass.config_entries.async_entry_for_domain_unique_id(
            DOMAIN, KERNEL_UNIQUE_ID
        )
        return entry, None if entry is None else entry.disabled_by

    @callback
    def _changed(self, change: ConfigEntryChange, entry: ConfigEntry) -> None:
        if entry.domain == DOMAIN and entry.unique_id == KERNEL_UNIQUE_ID:
            self._keep_lasting()
            self._read()

    @callback
    def _place_changed(self, event: Event) -> None:
        """Take a removed place out of the rules: another one may get its id."""
        if event.data["action"] == "remove":
            self._keep_lasting()

    @callback
    def _entity_changed(self, event: Event) -> None:
        """Follow an entity that came, went or has another entity id now."""
        changed = event.data["entity_id"]
        names = {changed, event.data.get("old_entity_id", changed)}
        if (entry := er.async_get(self._hass).async_get(changed)) is not None:
            names.add(entry.id)
        came_or_went = event.data["action"] != "update" or len(names) > 2
        if came_or_went and not names.isdisjoint(self._entities):
            self._keep_lasting()
            self._read()

    def _keep_lasting(self) -> None:
        """Store in all rules what they name in the way that lasts."""
        entry = self._now()[0]
        if entry is None:
            return
        for subentry in tuple(rule_subentries(entry)):
            try:
                rule = stored_rule(subentry)
            except RuleError:
                continue  # `_read` tells of it
            kept = lasting(self._hass, rule)
            if kept == rule:
                continue
            if gone := sorted((rule.areas - kept.areas) | (rule.floors - kept.floors)):
                _LOGGER.warning(
                    "Access rule %r does not name %s any more: removed from the home",
                    subentry.title,
                    ", ".join(gone),
                )
            self._hass.config_entries.async_update_subentry(
                entry, subentry, data=rule_data(kept)
            )

    def _read(self) -> None:
        self._source = entry, disabled_by = self._now()
        damaged: dict[str, tuple[str, str]] = {}
        self._entities = frozenset()
        if entry is None or disabled_by is not None:
            rules = built_in()
            self._asked_first = frozenset()
        else:
            stored = _rules_of(entry, damaged)
            counting = [effective(self._hass, rule) for rule in stored]
            rules = tuple(rule for rule in counting if rule is not None)
            self._entities = frozenset[str]().union(
                *(rule.entities for rule in (*stored, *rules))
            )
            self._asked_first = frozenset(entry.options.get(CONF_ASK_FIRST, ()))
        self._tell(damaged)
        if rules != self._rules:
            self._rules = rules

    def _tell(self, damaged: dict[str, tuple[str, str]]) -> None:
        """Keep the repair issues right."""
        for rule_id in self._told - damaged.keys():
            ir.async_delete_issue(self._hass, DOMAIN, f"{DAMAGED_RULE}_{rule_id}")
        entry = self._source[0]
        entry_id = "" if entry is None else entry.entry_id
        for rule_id, (name, problem) in damaged.items():
            ir.async_create_issue(
                self._hass,
                DOMAIN,
                f"{DAMAGED_RULE}_{rule_id}",
                data=issue_data(entry_id, rule_id),
                is_fixable=True,
                severity=ir.IssueSeverity.ERROR,
                translation_key=DAMAGED_RULE,
                translation_placeholders={"name": name, "problem": problem},
            )
        self._told = frozenset(damaged)


def built_in() -> Rules:
    """Return the rules of a home without an enabled HomeAgent entry."""
    return tuple(rule for rule in defaults() if rule.key in _BUILT_IN)


def _rules_of(entry: ConfigEntry, damaged: dict[str, tuple[str, str]]) -> Rules:
    subentries = tuple(rule_subentries(entry))
    if lacks_rules(entry):
        return defaults()
    rules = []
    for subentry in subentries:
        try:
            rules.append(stored_rule(subentry))
        except RuleError as err:
            told = "; ".join(str(problem) for problem in err.problems)
            damaged[subentry.subentry_id] = (subentry.title, told)
    return tuple(rules)


def rule_subentries(entry: ConfigEntry) -> Iterator[ConfigSubentry]:
    """Return the subentries of an entry that are rules."""
    yield from entry.get_subentries_of_type(ACCESS_RULE)


def lacks_rules(entry: ConfigEntry) -> bool:
    """Whether an entry was made before there were rules, and has none yet."""
    given = entry.version > 1 or entry.minor_version >= GIVEN_SINCE
    return not given and not any(rule_subentries(entry))


def stored_rule(subentry: ConfigSubentry) -> AccessRule:
    """Return the rule of a subentry, whose title is its name; raises `RuleError`."""
    name = subentry.title.strip() or subentry.subentry_id
    return read_rule(subentry.subentry_id, {**subentry.data, "name": name})


def rule_data(rule: AccessRule) -> dict[str, object]:
    """Return what a subentry stores of a rule: all but the name, which is its title."""
    data = dump_rule(rule)
    del data["name"]
    return data


def default_subentries(language: str) -> list[ConfigSubentryData]:
    """Return the rules of a fresh entry, titled in a language."""
    return [
        ConfigSubentryData(
            data=rule_data(ready.rule),
            subentry_type=ACCESS_RULE,
            title=ready_sentence(ready, language),
            unique_id=None,
        )
        for ready in DEFAULTS
    ]


@callback
def async_give_rules(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Give an entry that was made before there were rules its first ones, once."""
    if lacks_rules(entry):
        for new in default_subentries(hass.config.language):
            subentry = ConfigSubentry(
                data=MappingProxyType(dict(new["data"])),
                subentry_type=new["subentry_type"],
                title=new["title"],
                unique_id=new["unique_id"],
            )
            hass.config_entries.async_add_subentry(entry, subentry)


def ready_rules_there(entry: ConfigEntry) -> set[object]:
    """Return the keys of the default and ready-made rules that an entry has."""
    return {one.data.get("key") for one in rule_subentries(entry)}


def missing_rules(entry: ConfigEntry, ready: Iterable[ReadyRule]) -> list[str]:
    """Return the keys of those that it has not."""
    there = ready_rules_there(entry)
    return [one.key for one in ready if one.key not in there]
