"""Calls that waited are judged again, and time that passed counts (page 1 §1.1)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import override

import pytest

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Decision,
    Invocation,
    Tool,
    ToolCall,
    ToolOutput,
    ToolResult,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.hooks import HookContext
from custom_components.homeagent.kernel.one_by_one import OneByOne

from ..virtual_time import run_virtual
from .asking import SPOKEN, Asking
from .fakes import ANYONE, FakePolicy, Home

LAMP = frozenset({"entity:lamp"})
CHANGED = ToolError(
    reason=Reason.BUSY,
    detail="what unlock would act on changed while it waited",
    hint="Look at the present state, then try again.",
)


@dataclass
class Reducing(FakePolicy):
    """Puts other arguments in the place of those that were checked."""

    reduced: Arguments | None = None
    callers: list[Caller] = field(default_factory=list)

    @override
    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the tool's name."""
        self.callers.append(caller)
        decision = super().can_use(caller, tool, arguments)
        return replace(decision, arguments=self.reduced, warnings=("w",))


def refuse(home: Asking, policy: Reducing) -> None:
    """Take the right away."""
    policy.refused = frozenset({"unlock"})


def ask(home: Asking, policy: Reducing) -> None:
    """Let a person be asked."""
    policy.asked = frozenset({"unlock"})


def remove(home: Asking, policy: Reducing) -> None:
    """Take the tool away."""
    del home.registry.tools["unlock"]


def reduce(home: Asking, policy: Reducing) -> None:
    """Grant less."""
    policy.reduced = {"n": 7}


def leave(home: Asking, policy: Reducing) -> None:
    """Change nothing."""


type Change = Callable[[Asking, Reducing], None]


def waited(change: Change, *, hook: bool) -> tuple[Asking, ToolResult]:
    """Make a call, and let something change while a hook or an entity keeps it."""
    home = Asking()
    home.policy = policy = Reducing()
    home.door.policy = policy
    home.tool("late", seconds=70, cancellable=False, keys=lambda arguments: LAMP)
    home.tool("unlock", keys=lambda arguments: LAMP)

    async def before(context: HookContext) -> None:
        change(home, policy)

    async def scenario() -> ToolResult:
        if hook:
            home.hooks.add_before(before)
        else:
            await home.run("late")
            asyncio.get_running_loop().call_later(5, change, home, policy)
        return await home.call(SPOKEN, ToolCall(tool="unlock", arguments={"n": 1}))

    result = run_virtual(scenario())
    assert all(caller in (SPOKEN, ANYONE) for caller in policy.callers)
    return home, result


@pytest.mark.parametrize("hook", [True, False])
@pytest.mark.parametrize(
    ("change", "reason", "pending"),
    [
        (refuse, Reason.UNAUTHORIZED, 0),
        (remove, Reason.NOT_FOUND, 0),
        (ask, Reason.UNCONFIRMED, 1),
    ],
)
def test_call_that_waited_passes_all_gates_again(
    hook: bool, change: Change, reason: Reason, pending: int
) -> None:
    """Rights may have gone meanwhile, and then nothing runs."""
    home, result = waited(change, hook=hook)
    assert result.error is not None
    assert result.error.reason is reason
    assert len(home.requests.pending()) == pending
    assert home.unlocked == 0


@pytest.mark.parametrize(
    ("hook", "change", "value", "error"),
    [
        (True, leave, {"n": 1}, None),
        (True, reduce, None, CHANGED),
        (False, leave, {"n": 1}, None),
        (False, reduce, {"n": 7}, None),
    ],
)
def test_what_is_dispatched_was_judged_last(
    hook: bool, change: Change, value: object, error: ToolError | None
) -> None:
    """Hooks let pass what they saw; an entity that was held does not mind."""
    home, result = waited(change, hook=hook)
    assert (result.value, result.error) == (value, error)
    assert home.unlocked == (error is None)


def test_keys_that_grew_are_waited_for() -> None:
    """What is held of that which the call acts on by now holds it back, too."""

    async def scenario() -> None:
        home = Home()
        keys = {"b": LAMP}
        home.tool("a", seconds=80, cancellable=False, keys=lambda arguments: LAMP)
        home.tool(
            "fan",
            seconds=85,
            cancellable=False,
            keys=lambda arguments: frozenset({"entity:fan"}),
        )
        home.tool("b", keys=lambda arguments: keys["b"])
        await home.run("a", "fan")
        keys_later = LAMP | {"entity:fan"}
        asyncio.get_running_loop().call_later(5, keys.update, {"b": keys_later})
        result = (await home.run("b")).results[0]
        assert result.success
        assert result.duration == pytest.approx(25)

    run_virtual(scenario())


def test_limit_ends_the_wait_for_an_entity() -> None:
    """A call that is granted five seconds does not wait ten."""

    async def scenario() -> None:
        home = Home()
        home.tool("a", seconds=70, cancellable=False, keys=lambda arguments: LAMP)
        home.tool("b", keys=lambda arguments: LAMP)
        await home.run("a")
        busy = (await home.run(ToolCall(tool="b", timeout=5.0))).results[0]
        assert (busy.error and busy.error.reason, busy.duration) == (Reason.BUSY, 5)

    run_virtual(scenario())


def test_wait_in_the_last_second_is_a_wait() -> None:
    """However little is left, an entity that is let go in time is there."""

    async def scenario() -> None:
        home = Home()
        home.tool("a", seconds=60.25, cancellable=False, keys=lambda arguments: LAMP)
        home.tool("b", keys=lambda arguments: LAMP)
        await home.run("a")
        result = (await home.run(ToolCall(tool="b", timeout=0.5))).results[0]
        assert result.success
        assert result.duration == pytest.approx(0.25)

    run_virtual(scenario())


def test_hooks_behind_the_call_take_their_time() -> None:
    """It belongs to the call's duration."""
    home = Home()
    home.tool("t", seconds=1)

    async def after(context: HookContext, result: ToolResult) -> None:
        await asyncio.sleep(0.5)

    home.hooks.add_after(after)
    assert run_virtual(home.run("t")).results[0].duration == pytest.approx(1.5)


def test_facts_are_asked_for_the_caller() -> None:
    """By the batch rule, by the line of calls, and for what goes on running."""
    callers: list[Caller] = []

    def facts(arguments: Arguments, caller: Caller) -> CallFacts:
        callers.append(caller)
        return CallFacts(parallel_safe=True, keys=LAMP)

    async def scenario() -> None:
        home = Home()
        for name in ("a", "b"):
            tool = home.tool(name, seconds=70, cancellable=False)
            tool.facts = facts  # type: ignore[method-assign]
        gate = OneByOne(
            door=home.door,
            open_batch=lambda caller, calls: home.batch(*calls, caller=caller),
        )
        await home.run("a", "b")
        await gate.call(SPOKEN, ToolCall(tool="a"))

    run_virtual(scenario())
    assert set(callers) == {ANYONE, SPOKEN}
    assert callers[-1] is SPOKEN


def test_still_running_inside_is_told_by_the_door() -> None:
    """The door's own reason comes first, and says that something goes on."""
    home = Home()

    async def work(invocation: Invocation) -> ToolOutput:
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            inner = ToolError(reason=Reason.CANCELLED, still_running=True)
            return ToolOutput(value=1, error=inner)
        return ToolOutput()

    home.tool("t", work=work, timeout=1.0)
    result = run_virtual(home.run("t")).results[0]
    assert result.error is not None
    assert result.error.as_dict() == {
        "reason": "timeout",
        "detail": "no answer within 1 s",
        "hint": "Check the state before trying again: it may have had an effect.",
        "still_running": True,
    }


def test_second_cancellation_of_a_dispatched_call_is_a_result_too() -> None:
    """Also while a tool has its time to end, whatever made it wait before."""

    async def stubborn(invocation: Invocation) -> None:
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(1)

    async def scenario() -> None:
        home = Home()
        home.tool("t", work=stubborn)
        prepared = home.door.prepare(ANYONE, ToolCall(tool="t"))
        task = home.door.dispatch(ANYONE, prepared, "id")
        assert isinstance(task, asyncio.Task)
        for _ in range(2):
            await asyncio.sleep(0.5)
            task.cancel()
        result = await task
        assert (result.call_id, result.tool) == ("id", "t")
        assert result.error is not None
        assert result.error.reason is Reason.CANCELLED

    run_virtual(scenario())


def test_warnings_of_the_policy_stay_with_a_failure() -> None:
    """What was left out is told, whatever came of the rest."""
    home = Home(policy=Reducing())

    async def bug(invocation: Invocation) -> None:
        raise KeyError

    home.tool("t", work=bug)
    assert run_virtual(home.run("t")).results[0].warnings == ("w",)
