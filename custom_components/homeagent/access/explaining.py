"""Why a call is allowed or not: which rule grants what, and what is missing.

Above `judging`; data for people who see everything. The words are English and plain;
the codes beside them are for translations.
"""

from dataclasses import dataclass

from ..kernel.contract import Caller, Verdict
from .judging import Judgement, Thing
from .ports import CallKind, CallScope

MOST_NAMED = 5
"""How many missing things a sentence names; the others are counted."""

_DOUBTS = {
    "unresolved": "something it names cannot be found",
    "no_target": "it names no target",
    "nothing": "what it names comes to nothing",
}
_KINDS = {
    CallKind.PROPOSING: "propose sequences",
    CallKind.EDITING: "edit sequences",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedThing:
    """One thing that a call acts on.

    `rule` is the id of the rule that grants it, `why` one of granted, asked, no_rule,
    home_assistant (its own permissions speak against it).
    """

    kind: str
    id: str
    named: str
    why: str
    rule: str | None = None
    rule_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What one caller may do with one tool, or with one call of it.

    `concerned` are the ids of the rules that are for this caller and entrance at all.
    `left_out` are entities that an area or the like reaches and that no rule grants.
    `doubt` is empty, or says what only a rule that grants everything lets pass:
    unresolved, no_target, nothing. `missing` is the sentence of the refusal.
    """

    tool: str
    kind: CallKind
    verdict: Verdict
    concerned: tuple[str, ...] = ()
    things: tuple[ExplainedThing, ...] = ()
    left_out: tuple[str, ...] = ()
    doubt: str = ""
    missing: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object."""
        return {
            "tool": self.tool,
            "kind": self.kind.value,
            "verdict": self.verdict.value,
            "concerned": list(self.concerned),
            "things": [
                {
                    "kind": thing.kind,
                    "id": thing.id,
                    "named": thing.named or thing.id,
                    "why": thing.why,
                    "rule": thing.rule,
                    "rule_name": thing.rule_name,
                }
                for thing in self.things
            ],
            "left_out": list(self.left_out),
            "doubt": self.doubt,
            "missing": self.missing,
        }


def explained(thing: Thing) -> ExplainedThing:
    """Return a thing with the rule that grants it, or why none does."""
    rule = thing.rule
    if rule is None:
        why = "home_assistant" if thing.by_home else "no_rule"
        return ExplainedThing(kind=thing.kind, id=thing.id, named=thing.named, why=why)
    return ExplainedThing(
        kind=thing.kind,
        id=thing.id,
        named=thing.named,
        why="granted" if rule.how.value == "allow" else "asked",
        rule=rule.id,
        rule_name=rule.name,
    )


def missing_grant(caller: Caller, scope: CallScope, judgement: Judgement) -> str:
    """Return what is missing, in one sentence that names the tool."""
    if judgement.doubt:
        lacking = f"everything, and {_DOUBTS[judgement.doubt]}"
    elif judgement.missing:
        lacking = _listed(judgement.missing, scope)
    else:
        lacking = "any of what it would reach"
    return (
        f"{scope.tool}: no rule lets {_who(caller)} {_verb(scope, judgement)}{lacking}"
    )


def _verb(scope: CallScope, judgement: Judgement) -> str:
    if judgement.doubt:
        return "do "
    if scope.kind in _KINDS:
        return _KINDS[scope.kind]
    return "read " if scope.kind is CallKind.READING else "use "


def _listed(missing: tuple[Thing, ...], scope: CallScope) -> str:
    if scope.kind in _KINDS:
        return ""
    names = sorted({_shown(thing) for thing in missing})
    more = len(names) - MOST_NAMED
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} and {more} more" if more > 0 else shown


def _shown(thing: Thing) -> str:
    inside = f" (in {thing.named})" if thing.named not in {"", thing.id} else ""
    by_home = " (Home Assistant's own permissions)" if thing.by_home else ""
    return f"{thing.id}{inside}{by_home}"


def _who(caller: Caller) -> str:
    if caller.user_id is not None:
        who = f"user {caller.user_id}"
    elif caller.device_id is not None:
        who = f"voice device {caller.device_id}"
    else:
        who = "a caller without user"
    return f"{who} through {caller.entrance.value}"
