"""What the door tells of each failure, to the letter: models and people act on it."""

import asyncio
import logging
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
    ToolDefinition,
    ToolResult,
    Verdict,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError, combine
from custom_components.homeagent.kernel.function_tool import FunctionTool
from custom_components.homeagent.kernel.hooks import HookContext, Refusal
from custom_components.homeagent.kernel.masking import NOT_ALLOWED, mask_error

from ..virtual_time import run_virtual
from .fakes import ANYONE, FakePolicy, Home

LAMP = frozenset({"entity:lamp"})
CHECK_FIRST = "Check the state before trying again: it may have had an effect."


def told(result: ToolResult) -> dict[str, object]:
    """Return the JSON object of the error."""
    assert result.error is not None
    return result.error.as_dict()


def ours(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """Return what was logged, but for what the event loop says of itself."""
    return [record for record in caplog.records if record.name != "asyncio"]


def one(home: Home, tool: str) -> dict[str, object]:
    """Make one call that fails."""
    return told(run_virtual(home.run(ToolCall(tool=tool))).results[0])


def test_unauthorized_with_and_without_detail() -> None:
    """The missing grant where the policy names it."""

    class Silent(FakePolicy):
        @override
        def can_use(
            self, caller: Caller, tool: Tool, arguments: Arguments | None
        ) -> Decision:
            return Decision(verdict=Verdict.REFUSE)

    for policy, detail in (
        (FakePolicy(refused=frozenset({"t"})), "no rule grants t"),
        (Silent(), "not allowed"),
    ):
        home = Home(policy=policy)
        home.tool("t")
        assert one(home, "t") == {
            "reason": "unauthorized",
            "detail": detail,
            "hint": "Ask an administrator of this home for access.",
        }


def test_unconfirmed() -> None:
    """Nothing in it could release the call."""
    home = Home(policy=FakePolicy(asked=frozenset({"t"})))
    home.tool("t")
    assert one(home, "t") == {
        "reason": "unconfirmed",
        "detail": "t runs only after a person agreed",
        "hint": "Ask the person; only their own yes can release the call.",
    }


def test_late_and_cancelled() -> None:
    """Both may have had an effect."""

    async def scenario() -> None:
        home = Home()
        home.tool("t", seconds=100, timeout=1.5)
        late = (await home.run("t")).results[0]
        assert told(late) == {
            "reason": "timeout",
            "detail": "no answer within 1.5 s",
            "hint": CHECK_FIRST,
        }
        batch = home.batch("t")
        task = asyncio.create_task(batch.run())
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.wait({task})
        assert told(batch.results[0]) == {
            "reason": "cancelled",
            "detail": "the call was cancelled before it ended",
            "hint": CHECK_FIRST,
        }

    run_virtual(scenario())


def test_busy_names_what_is_held() -> None:
    """And only that of it which the call needs."""

    async def scenario() -> None:
        home = Home()
        keys = frozenset({"entity:lamp", "entity:fan"})
        home.tool("a", seconds=900, cancellable=False, keys=lambda arguments: keys)
        home.tool("b", keys=lambda arguments: LAMP)
        await home.run("a")
        for tool, what in (("b", "entity:lamp"), ("a", "entity:fan, entity:lamp")):
            assert told((await home.run(tool)).results[0]) == {
                "reason": "busy",
                "detail": f"an earlier action on {what} still runs",
                "hint": "Try again when it has ended.",
            }

    run_virtual(scenario())


def test_unknown_keys_are_held_under_the_tools_name() -> None:
    """The same tool waits for itself, others do not."""

    async def scenario() -> None:
        home = Home()
        home.tool("a", seconds=900, cancellable=False, keys=lambda arguments: None)
        home.tool("b", keys=lambda arguments: None)
        await home.run("a")
        assert (await home.run("b")).results[0].success
        again = told((await home.run("a")).results[0])
        assert again["detail"] == "an earlier action on tool:a still runs"

    run_virtual(scenario())


def test_not_found_tells_at_most_three_near_names() -> None:
    """Nearest first; without any, the search alone."""
    home = Home()
    for number in range(5):
        home.tool(f"light.turn_on_{number}")
    error = one(home, "light.turn_on_x")
    assert error["reason"] == "not_found"
    assert error["detail"] == "there is no tool named 'light.turn_on_x' now"
    search = "Use tool_search to find a tool by words."
    meant = str(error["hint"]).removeprefix("Did you mean ").removesuffix("? " + search)
    names = [f"light.turn_on_{number}" for number in range(5)]
    assert [name in names for name in meant.split(" or ")] == [True] * 3
    assert one(Home(), "zzz")["hint"] == search
    home.policy = FakePolicy(refused=frozenset(names))
    home.door.policy = home.policy
    home.tool("light.turn_of")
    assert (
        one(home, "light.turn_on_x")["hint"] == f"Did you mean light.turn_of? {search}"
    )


def test_internal(caplog: pytest.LogCaptureFixture) -> None:
    """The words tell nothing of the bug, the log has its traceback."""
    home = Home()

    async def bug(invocation: Invocation) -> object:
        raise KeyError("hunter2")

    home.tool("t", work=bug)
    assert one(home, "t") == {
        "reason": "internal",
        "detail": "the tool hit a bug; Home Assistant's log has the details",
        "hint": "Do not repeat the call; tell the person that it failed.",
    }
    (record,) = ours(caplog)
    assert record.getMessage() == "Tool t raised an unforeseen error"
    assert record.exc_info
    assert isinstance(record.exc_info[1], KeyError)


def test_hooks() -> None:
    """A refusal has its code; a hook in trouble has one of ours."""

    async def night(context: HookContext) -> Refusal:
        return Refusal(code="night", reason="not at night")

    async def trouble(context: HookContext) -> None:
        raise RuntimeError

    for hook, detail in (
        (night, "night: not at night"),
        (trouble, "hook_failed: an extension failed to judge the call"),
    ):
        home = Home()
        home.tool("t")
        home.hooks.add_before(hook)
        assert one(home, "t") == {
            "reason": "refused",
            "detail": detail,
            "hint": (
                "An extension of this home refuses the call; repeating it will not help."
            ),
        }


@pytest.mark.parametrize(
    ("fails", "message", "level"),
    [
        (False, "t ended after its time limit", logging.INFO),
        (True, "t failed after its time limit", logging.WARNING),
    ],
)
def test_late_end_is_logged(
    caplog: pytest.LogCaptureFixture, fails: bool, message: str, level: int
) -> None:
    """What happens after the answer is not lost."""
    caplog.set_level(logging.INFO)

    async def work(invocation: Invocation) -> None:
        await asyncio.sleep(100)
        if fails:
            raise ValueError("late")

    async def scenario() -> None:
        home = Home()
        home.tool("t", work=work, cancellable=False, timeout=1.0)
        await home.run("t")
        assert not ours(caplog)
        await asyncio.sleep(1000)

    run_virtual(scenario())
    (record,) = ours(caplog)
    assert (record.getMessage(), record.levelno) == (message, level)
    assert bool(record.exc_info) is fails


def test_masking() -> None:
    """Existence and grants are hidden, at every place; the rest is not."""
    hidden = ToolError(reason=Reason.NOT_FOUND, detail="secret")
    plain = ToolError(reason=Reason.VALUE, detail="plain")
    assert mask_error(hidden) == NOT_ALLOWED
    assert mask_error(ToolError(reason=Reason.UNAUTHORIZED, detail="x")) == NOT_ALLOWED
    assert mask_error(plain) is plain
    both = combine([plain, hidden, plain])
    assert mask_error(both) == combine([plain, NOT_ALLOWED, plain])
    assert NOT_ALLOWED.as_dict() == {
        "reason": "unauthorized",
        "detail": "not allowed",
        "hint": (
            "Use one of the tools you were given, or ask an administrator for access."
        ),
    }


def test_error_as_json() -> None:
    """Empty fields are left out; the order is the page's."""
    inner = ToolError(reason=Reason.TYPE, field="a.b", detail="d", hint="h")
    whole = combine([ToolError(reason=Reason.TIMEOUT, still_running=True), inner])
    assert list(whole.as_dict().items()) == [
        ("reason", "timeout"),
        ("still_running", True),
        ("also", [{"field": "a.b", "reason": "type", "detail": "d", "hint": "h"}]),
    ]
    assert list(inner.as_dict()) == ["field", "reason", "detail", "hint"]
    assert combine([whole, inner]).also == (inner, inner)


def test_function_tool() -> None:
    """Schema, facts and work of a tool that is a function."""

    async def work(invocation: Invocation) -> object:
        return invocation.arguments["n"]

    definition = ToolDefinition(
        name="t",
        parallel_safe=True,
        parameters={"properties": {"n": {"type": "integer"}}, "required": ["n"]},
    )
    plain = FunctionTool(definition=definition, work=work)
    judged = FunctionTool(
        definition=definition,
        work=work,
        judge=lambda arguments, caller: CallFacts(
            parallel_safe=caller is ANYONE, keys=frozenset({str(arguments["n"])})
        ),
    )
    assert plain.check({"n": "3"}).arguments == {"n": 3}
    assert [problem.reason for problem in plain.check({}).problems] == [Reason.REQUIRED]
    assert plain.facts({"n": 1}, ANYONE) == CallFacts(parallel_safe=True)
    assert judged.facts({"n": 1}, ANYONE) == CallFacts(
        parallel_safe=True, keys=frozenset({"1"})
    )
    invocation = Invocation(caller=ANYONE, arguments={"n": 3}, call_id="c")
    assert run_virtual(plain.call_tool(invocation)) == 3
