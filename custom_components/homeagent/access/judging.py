"""May this caller make this call: the one decision, as data (page 3 §3.3).

Above `grants`; imports no tools and no arguments. Fail closed: what is named directly
must be granted each, what is reached through a place is reduced to what is granted, and
every doubt needs a rule that grants everything.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..kernel.contract import Verdict
from .grants import Profile, ToolGrants
from .model import AccessRule, How, Who
from .ports import CallKind, CallScope, UserKind

_NONE: frozenset[str] = frozenset()

_NEED_ITSELF = frozenset({CallKind.PROPOSING, CallKind.EDITING, CallKind.PLAIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One thing that a call acts on, and the rule that grants it.

    `kind` is entity, device, sequence or tool. `named` is what stands in the call: a
    group for its members. `by_home` tells that Home Assistant's own permissions speak
    against it, whatever rules say.
    """

    kind: str
    id: str
    rule: AccessRule | None
    named: str = ""
    by_home: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What came out: `keep` are the entities that remain, `left_out` those that do not.

    `doubt` is the word for what only a rule that grants everything lets pass. `things`
    are what must be granted each, and what remains of the rest.
    """

    verdict: Verdict
    keep: frozenset[str] = _NONE
    left_out: frozenset[str] = _NONE
    things: tuple[Thing, ...] = ()
    doubt: str = ""

    @property
    def missing(self) -> tuple[Thing, ...]:
        """What is not granted and would have to be."""
        return tuple(thing for thing in self.things if thing.rule is None)


ALLOWED = Judgement(verdict=Verdict.ALLOW)
ASKED = Judgement(verdict=Verdict.ASK)


class Judge:
    """Judges calls of one caller."""

    def __init__(self, profile: Profile) -> None:
        """Take what the rules grant to the caller."""
        self._profile = profile
        self._home = profile.home
        self._user = profile.identity.checked
        self._is_asked = Who.AUTOMATIONS not in profile.identity.who
        self.allowed_all = self._has_it_all()
        """Whether no call needs to be looked at: Home Assistant adds nothing, either."""

    @property
    def concerned(self) -> tuple[str, ...]:
        """The ids of the rules that are for this caller."""
        return tuple(rule.id for rule in self._profile.rules)

    def _has_it_all(self) -> bool:
        everything = self._profile.everything
        if everything is None or everything.how is How.ASK:
            return False
        if self._user is None:
            return True
        return self._home.user(self._user) is UserKind.ADMINISTRATOR

    def judge(self, scope: CallScope) -> Judgement:
        """Judge a call that acts on what the scope tells."""
        if self.allowed_all:
            return ASKED if self._asks(scope) else ALLOWED
        return self.look(scope)

    def look(self, scope: CallScope) -> Judgement:
        """Judge a call thing by thing, also where everything is granted."""
        if tells_only(scope):
            return self._told(scope)
        grants = self._profile.of_tool(scope.tool, scope.kind)
        needed = self._needed(scope, grants)
        kept: set[str] = set()
        for one in scope.indirect:
            things = self.behind(one, grants, scope.kind)
            if _grade(things) is not Verdict.REFUSE:
                kept.add(one)
                needed += things
        left_out = scope.indirect - kept if scope.indirect else _NONE
        nothing_left = left_out and not kept and not scope.direct
        verdict = Verdict.REFUSE if nothing_left else _grade(needed)
        if verdict is Verdict.ALLOW and self._asks(scope):
            verdict = Verdict.ASK
        return Judgement(
            verdict=verdict,
            keep=scope.direct | kept,
            left_out=left_out,
            things=tuple(needed),
            doubt=_doubt(scope),
        )

    def _told(self, scope: CallScope) -> Judgement:
        """Judge a call that tells only what is granted: nobody need be asked for it."""
        rule = self._profile.of_tool(scope.tool, scope.kind).itself
        verdict = Verdict.REFUSE if rule is None else Verdict.ALLOW
        if verdict is Verdict.ALLOW and self._asks(scope):
            verdict = Verdict.ASK
        thing = Thing(kind="tool", id=scope.tool, rule=rule)
        return Judgement(verdict=verdict, things=(thing,))

    def _needed(self, scope: CallScope, grants: ToolGrants) -> list[Thing]:
        """Return what must be granted each: all but what is reached indirectly."""
        needed: list[Thing] = []
        if scope.kind in _NEED_ITSELF:
            needed.append(Thing(kind="tool", id=scope.tool, rule=grants.itself))
        if _doubt(scope):
            everything = self._profile.everything
            needed.append(Thing(kind="tool", id=scope.tool, rule=everything))
        needed += [
            Thing(kind="device", id=one, rule=grants.device(one))
            for one in scope.devices
        ]
        if scope.kind is CallKind.SEQUENCE_RUN:
            needed += [
                Thing(kind="sequence", id=one, rule=grants.sequence(one))
                for one in scope.sequences
            ]
        for one in scope.direct:
            needed += self.behind(one, grants, scope.kind)
        return needed

    def _asks(self, scope: CallScope) -> bool:
        """Whether the tool's own mark counts; automations are not asked."""
        return scope.asks and self._is_asked and scope.kind is not CallKind.OPEN

    def could(self, widest: CallScope) -> Verdict:
        """Tell whether any call of a tool could succeed, given all it could act on."""
        if tells_only(widest):
            return self._told(widest).verdict
        everything = self._profile.everything
        if everything is not None:
            best = _grade([Thing(kind="tool", id=widest.tool, rule=everything)])
        else:
            best = self._best(widest)
        if best is Verdict.ALLOW and self._asks(widest):
            return Verdict.ASK
        return best

    def _best(self, widest: CallScope) -> Verdict:
        grants = self._profile.of_tool(widest.tool, widest.kind)
        if widest.kind in _NEED_ITSELF:
            return _grade([Thing(kind="tool", id=widest.tool, rule=grants.itself)])
        best = Verdict.REFUSE
        for things in self._each(widest, grants):
            match _grade(things):
                case Verdict.ALLOW:
                    return Verdict.ALLOW
                case Verdict.ASK:
                    best = Verdict.ASK
                case _:
                    pass
        return best

    def _each(self, widest: CallScope, grants: ToolGrants) -> Iterator[list[Thing]]:
        for one in widest.direct | widest.indirect:
            yield self.behind(one, grants, widest.kind)
        for one in widest.devices:
            yield [Thing(kind="device", id=one, rule=grants.device(one))]
        for one in widest.sequences:
            yield [Thing(kind="sequence", id=one, rule=grants.sequence(one))]

    def behind(self, named: str, grants: ToolGrants, kind: CallKind) -> list[Thing]:
        """Return the things that a named entity comes to: members, and theirs, too."""
        home = self._home
        if not home.members(named) and not home.is_replaced(named):
            return [self._entity(named, named, grants, kind)]
        acted_on = [one for one in self._closure(named) if not home.is_replaced(one)]
        if not acted_on:
            # It comes to nothing now, and to what at the moment of the call?
            everything = self._profile.everything
            return [Thing(kind="entity", id=named, rule=everything, named=named)]
        return [self._entity(one, named, grants, kind) for one in acted_on]

    def _closure(self, named: str) -> Iterable[str]:
        found = {named: None}
        waiting = [named]
        while waiting:
            for one in self._home.members(waiting.pop()):
                if one not in found:
                    found[one] = None
                    waiting.append(one)
        return found

    def _entity(
        self, entity_id: str, named: str, grants: ToolGrants, kind: CallKind
    ) -> Thing:
        rule = grants.entity(entity_id)
        by_home = rule is not None and not self._home_lets(entity_id, kind)
        return Thing(
            kind="entity",
            id=entity_id,
            rule=None if by_home else rule,
            named=named,
            by_home=by_home,
        )

    def _home_lets(self, entity_id: str, kind: CallKind) -> bool:
        if self._user is None:
            return True
        if kind is CallKind.READING:
            return self._home.may_read(self._user, entity_id)
        return self._home.may_control(self._user, entity_id)


def tells_only(scope: CallScope) -> bool:
    """Whether a call names nothing and tells only what the caller may know anyway."""
    if scope.kind is CallKind.READING:
        return not (scope.takes_target or scope.unresolved or _acts_on(scope))
    return scope.kind is CallKind.OPEN


def _doubt(scope: CallScope) -> str:
    """Return why only a rule that grants everything lets the call pass, or nothing."""
    if scope.unresolved:
        return "unresolved"
    if scope.takes_target and not scope.named:
        return "no_target"
    if scope.kind in _NEED_ITSELF or _acts_on(scope):
        return ""
    return "nothing"


def _acts_on(scope: CallScope) -> bool:
    return bool(scope.direct or scope.indirect or scope.devices or scope.sequences)


def _grade(things: Iterable[Thing]) -> Verdict:
    """Return what a call needs that acts on all of these: the worst of them."""
    verdict = Verdict.ALLOW
    for thing in things:
        if thing.rule is None:
            return Verdict.REFUSE
        if thing.rule.how is How.ASK:
            verdict = Verdict.ASK
    return verdict
