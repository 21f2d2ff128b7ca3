"""The gates of the door, in their order, and its time limits (page 1 §1.1)."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import cast, override

import pytest

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Invocation,
    Tool,
    ToolCall,
    ToolOutput,
    ToolResult,
    UnparsedArguments,
    Verdict,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.hooks import HookContext, Refusal, Replacement

from ..virtual_time import run_virtual
from .fakes import FakePolicy, Home

NUMBER = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
LAMP = frozenset({"entity:lamp"})


def call(home: Home, tool: str, **arguments: object) -> ToolResult:
    """Make one call."""
    return run_virtual(home.run(ToolCall(tool=tool, arguments=arguments))).results[0]


def reason(result: ToolResult) -> Reason | None:
    """Return why it failed."""
    return None if result.error is None else result.error.reason


def test_good_call() -> None:
    """Coerced arguments arrive, the value comes back structured and as text."""
    home = Home()
    home.tool("t", parameters=NUMBER)
    result = call(home, "t", n="20")
    assert (result.value, result.text, result.success) == ({"n": 20}, '{"n":20}', True)


def test_gates_stand_in_their_order() -> None:
    """Unparsed before unknown before unauthorized before problems before asking."""
    home = Home(policy=FakePolicy(refused=frozenset({"no"}), asked=frozenset({"ask"})))
    home.tool("no", parameters=NUMBER)
    home.tool("ask", parameters=NUMBER)
    home.tool("yes", parameters=NUMBER)
    cut = UnparsedArguments(error=ToolError(reason=Reason.ARGUMENTS))
    unparsed = run_virtual(home.run(ToolCall(tool="gone", arguments=cut))).results[0]
    assert reason(unparsed) is Reason.ARGUMENTS
    assert reason(call(home, "gone", n="x")) is Reason.NOT_FOUND
    assert reason(call(home, "no", n="x")) is Reason.UNAUTHORIZED
    assert reason(call(home, "ask", n="x")) is Reason.TYPE
    assert reason(call(home, "ask", n=1)) is Reason.UNCONFIRMED
    assert reason(call(home, "yes")) is Reason.REQUIRED
    assert home.log == []


@pytest.mark.parametrize(
    "returned",
    [
        ToolOutput(error="boom"),  # type: ignore[arg-type]
        ToolOutput(text=5),  # type: ignore[arg-type]
        ToolOutput(warnings=(5,)),  # type: ignore[arg-type]
        ToolOutput(error=ToolError(reason="odd")),  # type: ignore[arg-type]
        ToolError(reason=Reason.VALUE, detail=5),  # type: ignore[arg-type]
        ToolError(reason=Reason.VALUE, field=5),  # type: ignore[arg-type]
        ToolError(reason=Reason.VALUE, also=("x",)),  # type: ignore[arg-type]
    ],
)
def test_errors_and_texts_of_wrong_types_are_bugs(
    returned: object, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a foreign tool returns, the result can be told; the log says what it was."""

    async def work(invocation: Invocation) -> object:
        return returned

    home = Home()
    home.tool("t", work=work)
    result = call(home, "t")
    assert reason(result) is Reason.INTERNAL
    assert "bug" in result.text
    assert "Tool t raised an unforeseen error" in caplog.text
    assert "TypeError: an error, text or warning of the wrong type" in caplog.text


def test_error_with_further_problems_is_kept() -> None:
    """A tool may tell all that it found."""
    several = ToolError(
        reason=Reason.VALUE, field="a", also=(ToolError(reason=Reason.TYPE, field="b"),)
    )

    async def work(invocation: Invocation) -> object:
        return several

    home = Home()
    home.tool("t", work=work)
    assert call(home, "t").error == several


@pytest.mark.parametrize(
    ("always", "asked"), [(False, [None, {"n": 1}]), (True, [None])]
)
def test_what_is_always_allowed_is_asked_once(
    always: bool, asked: list[object]
) -> None:
    """A policy that says so is not asked about the arguments."""
    questions: list[object] = []

    class Counting(FakePolicy):
        @override
        def can_use(
            self, caller: Caller, tool: Tool, arguments: Arguments | None
        ) -> Decision:
            questions.append(arguments)
            return Decision(verdict=Verdict.ALLOW, always=always)

    home = Home(policy=Counting())
    home.tool("t", parameters=NUMBER)
    assert call(home, "t", n=1).success
    assert questions == asked


def test_unknown_tool_names_near_ones_the_caller_may_use() -> None:
    """The hint has what exists and is allowed, and the search."""
    home = Home(policy=FakePolicy(refused=frozenset({"light.turn_one"})))
    home.tool("light.turn_on")
    home.tool("light.turn_one")
    error = call(home, "light.turn_onn").error
    assert error is not None
    assert "light.turn_on" in error.hint
    assert "light.turn_one" not in error.hint
    assert "tool_search" in error.hint


@pytest.mark.parametrize(
    ("value", "success"),
    [
        (None, True),
        ("error: not really", True),
        ({}, True),
        ({"error": ""}, True),
        ({"exit_code": 1}, True),
        ({"error": "boom"}, False),
        ({"isError": True}, False),
        (ToolError(reason=Reason.UNAVAILABLE), False),
        (ValueError("boom"), False),
        (ToolOutput(value={"error": "boom"}), False),
        (ToolOutput(value={"x": 1}, error=ToolError(reason=Reason.FAILED)), False),
    ],
)
def test_success_is_judged_from_the_value(value: object, success: bool) -> None:
    """One rule for what a tool returns (§4.2)."""
    home = Home()

    async def work(invocation: Invocation) -> object:
        return value

    home.tool("t", work=work)
    assert call(home, "t").success is success


def test_a_bug_is_internal_and_tells_nothing_of_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The text of an exception may hold secrets: it stays in the log."""
    home = Home()

    async def work(invocation: Invocation) -> object:
        raise RuntimeError("password=hunter2")

    home.tool("t", work=work)
    result = call(home, "t")
    assert reason(result) is Reason.INTERNAL
    assert "hunter2" not in result.text
    assert "hunter2" in caplog.text


@pytest.mark.parametrize(
    ("tool", "granted", "seconds"),
    [
        ({}, None, 60),
        ({"timeout": 15.0}, None, 15),
        ({"timeout": 0.5}, None, 0.5),
        ({"timeout": 15.0}, 5.0, 5),
        ({"timeout": 15.0}, 100.0, 15),
        ({}, 100.0, 100),
        ({"untimed": True}, 100.0, 100),
    ],
)
def test_time_limits(
    tool: dict[str, float], granted: float | None, seconds: float
) -> None:
    """A minute unless tool or caller says otherwise."""
    home = Home()
    home.tool("t", seconds=10_000, **tool)  # type: ignore[arg-type]
    result = run_virtual(home.run(ToolCall(tool="t", timeout=granted))).results[0]
    assert reason(result) is Reason.TIMEOUT
    assert result.duration == pytest.approx(seconds)
    assert [entry.split()[0] for entry in home.log] == ["start", "end"]


def test_untimed_tool_may_take_long() -> None:
    """A script has no limit of its own."""
    home = Home()
    home.tool("t", seconds=10_000, untimed=True)
    assert call(home, "t").success


def test_late_action_goes_on_and_holds_its_entity() -> None:
    """A later call waits for it, another entity does not."""

    async def scenario() -> None:
        home = Home()
        home.tool("script", seconds=70, cancellable=False, keys=lambda arguments: LAMP)
        home.tool("lamp", keys=lambda arguments: LAMP)
        home.tool("fan", keys=lambda arguments: frozenset({"entity:fan"}))
        late = (await home.run("script")).results[0]
        assert late.error is not None
        assert (late.error.reason, late.error.still_running) == (Reason.TIMEOUT, True)
        await home.run("fan")
        assert home.log == ["start script 0", "start fan 0", "end fan 0"]
        await home.run("lamp")
        assert home.log[3:] == ["end script 0", "start lamp 0", "end lamp 0"]

    run_virtual(scenario())


def test_waiting_for_a_held_entity_ends_as_busy() -> None:
    """Thirty seconds, then the caller is told what still runs."""

    async def scenario() -> None:
        home = Home()
        home.tool(
            "script", seconds=1000, cancellable=False, keys=lambda arguments: LAMP
        )
        home.tool("lamp", keys=lambda arguments: LAMP)
        await home.run("script")
        busy = (await home.run("lamp")).results[0]
        assert busy.error is not None
        assert busy.error.reason is Reason.BUSY
        assert "entity:lamp" in busy.error.detail
        assert busy.duration == pytest.approx(30)
        assert not any(entry.startswith("start lamp") for entry in home.log)
        await asyncio.sleep(2000)
        assert not home.door.holds

    run_virtual(scenario())


def test_waiting_for_an_entity_counts_against_the_limit() -> None:
    """What was granted is for waiting and acting together."""

    async def scenario() -> None:
        home = Home()
        home.tool("script", seconds=70, cancellable=False, keys=lambda arguments: LAMP)
        home.tool("lamp", seconds=100, keys=lambda arguments: LAMP)
        await home.run("script")
        late = (await home.run(ToolCall(tool="lamp", timeout=25.0))).results[0]
        assert reason(late) is Reason.TIMEOUT
        assert late.duration == pytest.approx(25)

    run_virtual(scenario())


def test_tool_that_ignores_its_cancellation_is_left_running() -> None:
    """The door does not hang with it, and says that it still runs."""
    home = Home()

    async def stubborn(invocation: Invocation) -> None:
        for _ in range(2):
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(100)

    home.tool("t", work=stubborn, timeout=1.0)
    error = call(home, "t").error
    assert error is not None
    assert (error.reason, error.still_running) == (Reason.TIMEOUT, True)


def test_report_of_a_tool_that_ended_in_order_after_its_cancellation() -> None:
    """What it could still tell is kept beside the reason."""
    home = Home()

    async def orderly(invocation: Invocation) -> ToolOutput:
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            return ToolOutput(value={"done": 1}, nested="report")
        return ToolOutput()

    home.tool("t", work=orderly, timeout=1.0)
    result = call(home, "t")
    assert reason(result) is Reason.TIMEOUT
    assert (result.value, result.nested) == ({"done": 1}, "report")


async def _refuse(context: HookContext) -> Refusal:
    return Refusal(code="night", reason="not at night")


async def _hang(context: HookContext) -> None:
    await asyncio.sleep(100)


async def _raise(context: HookContext) -> None:
    raise RuntimeError


async def _let(context: HookContext) -> None:
    return None


def _no_coroutine(context: HookContext) -> None:
    raise TypeError


async def _wrong(context: HookContext) -> str:
    return "yes"


@pytest.mark.parametrize(
    ("hook", "ran", "says"),
    [
        (_refuse, False, "night: not at night"),
        (_hang, False, "hook_failed"),
        (_raise, False, "hook_failed"),
        (_no_coroutine, False, "hook_failed"),
        (_wrong, False, "hook_failed"),
        (_let, True, None),
    ],
)
def test_before_hooks_fail_closed(
    hook: Callable[..., object], ran: bool, says: str | None
) -> None:
    """A hook that raises or is late refuses, and the rest of the batch runs."""
    home = Home()
    home.tool("t")
    home.hooks.add_before(hook)  # type: ignore[arg-type]
    result = call(home, "t")
    assert bool(home.log) is ran
    assert (result.error.detail if result.error else "").startswith(says or "")
    assert reason(result) is (None if ran else Reason.REFUSED)


@pytest.mark.parametrize(
    ("replacement", "value", "success", "text"),
    [
        (Replacement(value={"error": "bad"}), {"error": "bad"}, False, None),
        (Replacement(value=[1], text="one"), [1], True, "one"),
        (None, {"n": 1}, True, '{"n":1}'),
    ],
)
def test_after_hooks_replace_and_success_follows(
    replacement: Replacement | None, value: object, success: bool, text: str | None
) -> None:
    """Success is judged anew from the replaced value."""
    home = Home()
    home.tool("t")

    async def hook(context: HookContext, result: ToolResult) -> Replacement | None:
        return replacement

    home.hooks.add_after(hook)
    result = call(home, "t", n=1)
    assert (result.value, result.success) == (value, success)
    assert text is None or result.text == text


@pytest.mark.parametrize("trouble", [_hang, _raise])
def test_after_hook_in_trouble_leaves_the_result(
    trouble: Callable[[HookContext], object],
) -> None:
    """The result stays as it was."""
    home = Home()
    home.tool("t")

    async def hook(context: HookContext, result: ToolResult) -> None:
        await trouble(context)  # type: ignore[misc]

    home.hooks.add_after(hook)
    assert call(home, "t", n=1).value == {"n": 1}


def test_hooks_cannot_change_what_passed_the_gates() -> None:
    """They see copies: of the arguments before, of the value after."""
    home = Home()
    home.tool("t")

    async def before(context: HookContext) -> None:
        cast("dict[str, object]", context.arguments)["n"] = 666

    async def after(context: HookContext, result: ToolResult) -> None:
        cast("dict[str, object]", result.value)["n"] = 666

    home.hooks.add_before(before)
    home.hooks.add_after(after)
    assert call(home, "t", n=1).value == {"n": 1}


def test_hooks_run_until_they_are_taken_away() -> None:
    """Both registrations give back what ends them."""
    home = Home()
    home.tool("t")
    seen: list[str] = []

    async def before(context: HookContext) -> None:
        seen.append("before")

    async def after(context: HookContext, result: ToolResult) -> None:
        seen.append("after")

    ends = [home.hooks.add_before(before), home.hooks.add_after(after)]
    call(home, "t")
    for end in ends:
        end()
    call(home, "t")
    assert seen == ["before", "after"]


def test_concurrent_calls_have_contexts_of_their_own() -> None:
    """What one call's hooks keep is never seen by another call's (plan 2c)."""
    home = Home()
    seen: list[tuple[object, object]] = []

    async def before(context: HookContext) -> None:
        context.data["mine"] = context.arguments["n"]

    async def after(context: HookContext, result: ToolResult) -> None:
        seen.append((context.data["mine"], context.arguments["n"]))

    home.hooks.add_before(before)
    home.hooks.add_after(after)
    home.tool("t", seconds=1)
    calls = [ToolCall(tool="t", arguments={"n": n}) for n in range(8)]
    result = run_virtual(home.run(*calls))
    assert result.parallel
    assert set(seen) == {(n, n) for n in range(8)}
    assert len(seen) == 8


def test_cancelled_while_a_hook_judges() -> None:
    """The call is cancelled, not refused, and never starts."""

    async def scenario() -> None:
        home = Home()
        home.tool("t")
        home.hooks.add_before(_hang)
        batch = home.batch("t", "t")
        task = asyncio.create_task(batch.run())
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [reason(one) for one in batch.results] == [Reason.CANCELLED] * 2
        assert home.log == []

    run_virtual(scenario())
