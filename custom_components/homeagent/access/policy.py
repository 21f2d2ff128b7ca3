"""The policies: by access rules, and of a home without any (page 3).

Top of the package; imports the kernel and the layers below. The home, and what calls act
on, are behind ports. `RulePolicy` is the one question `can_use` for the door, searches,
previews and the look before a run.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from ..kernel.contract import Arguments, Caller, Decision, Entrance, Tool, Verdict
from ..kernel.words import say
from .explaining import Explanation, explained, missing_grant
from .grants import Profile
from .identity import identify
from .judging import Judge, Judgement
from .model import AccessRule
from .ports import CallKind, CallScope, CallView, HomeView, UserKind

_MANY_CALLERS = 256
"""Callers whose rights are kept."""

_MANY_ANSWERS = 8192
"""Answers to whether any call of a tool could succeed that are kept."""

_ALLOW = Decision(verdict=Verdict.ALLOW)
_ASK = Decision(verdict=Verdict.ASK)
_ALWAYS = Decision(verdict=Verdict.ALLOW, always=True)


class UserDirectory(Protocol):
    """What the policy needs to know about Home Assistant's users."""

    def is_administrator(self, user_id: str) -> bool:
        """Whether an active administrator has this id; unknown users are none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AdministratorsAndAutomations:
    """Allow administrators who act directly, and automations; refuse everyone else."""

    users: UserDirectory

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the caller alone; every tool and argument is alike."""
        if caller.entrance is Entrance.AUTOMATION or self.sees_everything(caller):
            return _ALWAYS
        return Decision(
            verdict=Verdict.REFUSE,
            detail=(
                f"{tool.definition.name} is allowed to administrators who act directly "
                "and to automations"
            ),
        )

    def sees_everything(self, caller: Caller) -> bool:
        """Whether an administrator acts directly."""
        return (
            caller.entrance is Entrance.DIRECT
            and caller.user_id is not None
            and self.users.is_administrator(caller.user_id)
        )


class RulePolicy:
    """Decides by rules; implements the kernel's `Policy`."""

    def __init__(
        self,
        *,
        home: HomeView,
        calls: CallView,
        rules: Callable[[], tuple[AccessRule, ...]],
    ) -> None:
        """Take the ports; `rules` gives the rules as they are now.

        The same tuple means the same rules: one that changed must be a new one.
        """
        self._home = home
        self._calls = calls
        self._rules = rules
        self._known: tuple[AccessRule, ...] = ()
        self._generation = -1
        self._judges: dict[tuple[object, ...], Judge] = {}
        self._possible: dict[tuple[Judge, str], tuple[Tool, Decision]] = {}

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge a call; without arguments: could any call of the tool succeed?"""
        judge = self._judge(caller)
        if arguments is None:
            return self._kept_could_use(caller, judge, tool)
        scope = self._calls.scope(tool, arguments)
        judgement = judge.judge(scope)
        if judgement.verdict is Verdict.REFUSE:
            return _refused(missing_grant(caller, scope, judgement))
        asks = judgement.verdict is Verdict.ASK
        if judgement.left_out or (asks and scope.indirect):
            return self._reduced(tool, arguments, scope, judgement)
        return _ALLOW if judgement.verdict is Verdict.ALLOW else _ASK

    def sees_everything(self, caller: Caller) -> bool:
        """Whether an administrator acts directly."""
        return (
            caller.entrance is Entrance.DIRECT
            and caller.user_id is not None
            and self._home.user(caller.user_id) is UserKind.ADMINISTRATOR
        )

    def may_edit(self, caller: Caller) -> Verdict:
        """Tell whether sequences that a caller writes count, or are proposals only."""
        scope = CallScope(tool="", kind=CallKind.EDITING)
        return self._judge(caller).judge(scope).verdict

    def may_name(self, caller: Caller, tool: Tool, entity_id: str) -> bool:
        """Whether a caller may use a tool on an entity, and so may be told of it."""
        scope = replace(
            self._calls.widest(tool),
            direct=frozenset({entity_id}),
            indirect=frozenset(),
            named=True,
        )
        return self._judge(caller).judge(scope).verdict is not Verdict.REFUSE

    def explain(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Explanation:
        """Tell which rule grants what of a call, and what is missing.

        Without arguments: of all that any call of the tool could act on.
        """
        judge = self._judge(caller)
        scope = (
            self._calls.widest(tool)
            if arguments is None
            else self._calls.scope(tool, arguments)
        )
        judgement = judge.look(scope)
        decision = self.can_use(caller, tool, arguments)
        return Explanation(
            tool=scope.tool,
            kind=scope.kind,
            verdict=decision.verdict,
            concerned=judge.concerned,
            things=tuple(explained(thing) for thing in judgement.things),
            left_out=tuple(sorted(judgement.left_out)),
            doubt=judgement.doubt,
            missing=decision.detail,
        )

    def _judge(self, caller: Caller) -> Judge:
        """Return the judge of a caller's rights, as rules and home are now."""
        rules, generation = self._rules(), self._home.generation()
        if rules is not self._known or generation != self._generation:
            self._forget()
            self._known, self._generation = rules, generation
        # A user may be made an administrator, or be put out, without any registry.
        kind = None if caller.user_id is None else self._home.user(caller.user_id)
        key = (caller.entrance, caller.user_id, kind, caller.device_id, caller.area_id)
        judge = self._judges.get(key)
        if judge is None:
            if len(self._judges) >= _MANY_CALLERS:
                self._forget()
            profile = Profile(identify(caller, self._home), rules, self._home)
            judge = self._judges[key] = Judge(profile)
        return judge

    def _forget(self) -> None:
        self._judges.clear()
        self._possible.clear()

    def _kept_could_use(self, caller: Caller, judge: Judge, tool: Tool) -> Decision:
        """Answer as before, for the very same tool in the very same home."""
        key = (judge, tool.definition.name)
        kept = self._possible.get(key)
        if kept is not None and kept[0] is tool:
            return kept[1]
        decision = self._could_use(caller, judge, tool)
        if len(self._possible) >= _MANY_ANSWERS:
            self._possible.clear()
        self._possible[key] = (tool, decision)
        return decision

    def _could_use(self, caller: Caller, judge: Judge, tool: Tool) -> Decision:
        widest = self._calls.widest(tool)
        if judge.allowed_all:
            asks = judge.judge(widest).verdict is Verdict.ASK
            return _ASK if asks else _ALWAYS
        verdict = judge.could(widest)
        if verdict is Verdict.REFUSE:
            return _refused(
                f"{tool.definition.name}: no rule grants any call of it through "
                f"{caller.entrance.value}"
            )
        return Decision(verdict=verdict)

    def _reduced(
        self, tool: Tool, arguments: Arguments, scope: CallScope, judgement: Judgement
    ) -> Decision:
        """Name the entities themselves, and see that the new arguments do no more.

        What is not granted is left out. What a person is asked for is what is there
        when the person is asked, and not what may stand in a room later.
        """
        reduced = self._calls.reduce(tool, arguments, judgement.keep)
        if reduced is not None:
            left = self._calls.scope(tool, reduced)
            if _is_within(left, replace(scope, direct=judgement.keep)):
                number = len(judgement.left_out)
                return Decision(
                    verdict=judgement.verdict,
                    arguments=reduced,
                    warnings=(_left_out(number),) if number else (),
                )
        if not judgement.left_out:
            return _ASK
        return _refused(f"{scope.tool}: it cannot be limited to what is granted")


def _is_within(left: CallScope, granted: CallScope) -> bool:
    """Whether a reduced call acts on nothing but what was granted."""
    return (
        not left.unresolved
        and (left.tool, left.kind) == (granted.tool, granted.kind)
        and left.direct | left.indirect <= granted.direct
        and left.devices <= granted.devices
        and left.sequences <= granted.sequences
    )


def _left_out(number: int) -> str:
    return say("left_out" if number == 1 else "left_out_many", count=str(number))


def _refused(detail: str) -> Decision:
    return Decision(verdict=Verdict.REFUSE, detail=detail)
