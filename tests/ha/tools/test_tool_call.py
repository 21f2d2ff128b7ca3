"""`tool_call`: any tool by its name, and no way around anything."""

import asyncio
from collections.abc import Iterable
from typing import Any, override

from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.kernel.batch import Batch, BatchResult
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Attachment,
    Caller,
    CallFacts,
    Decision,
    Entrance,
    Invocation,
    Tool,
    ToolCall,
    ToolDefinition,
    ToolOutput,
    Verdict,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.function_tool import FunctionTool
from custom_components.homeagent.tools.tool_call import ToolCalling

from .house import DIRECT, NoJournal, Open
from .reading_home import Tools

GUEST = Caller(entrance=Entrance.CONVERSATION)
INSIDE = Caller(entrance=Entrance.DIRECT, run="a run")


class Policy(Open):
    """Refuses everything named `secret` to all but those who act directly."""

    @override
    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the name."""
        if tool.definition.name == "secret" and not self.sees_everything(caller):
            return Decision(verdict=Verdict.REFUSE, detail="no rule grants it")
        return Decision(verdict=Verdict.ALLOW)

    @override
    def sees_everything(self, caller: Caller) -> bool:
        """Whether it is called directly."""
        return caller.entrance is Entrance.DIRECT


class Home:
    """A door with a few tools, `tool_call` among them."""

    def __init__(self) -> None:
        """Build the door."""
        self.calls: list[str] = []
        self.granted: list[tuple[float | None, bool]] = []
        self.released = asyncio.Event()
        self.tools = Tools(
            [
                self._tool("lamp", keys={"entity:light.a"}),
                self._tool("drill", safe=False),
                self._tool("secret"),
                self._tool("failing", answer=_FAILURE),
                self._tool("picture", answer=_PICTURE),
                self._tool(
                    "valve", keys={"entity:valve.a"}, hangs=True, cancellable=False
                ),
                self._tool("homeassistant.restart"),
            ]
        )
        self.door = Door(registry=self.tools, policy=Policy())
        self.tools["tool_call"] = ToolCalling(
            registry=self.tools,
            facts_of=lambda caller, call: self.door.facts(
                caller, self.door.prepare(caller, call)
            ),
            open_batch=lambda caller, calls: self.batch(caller, calls, mask=False),
        )

    def _tool(
        self,
        name: str,
        *,
        safe: bool = True,
        keys: Iterable[str] = (),
        answer: object = None,
        hangs: bool = False,
        cancellable: bool = True,
    ) -> Tool:
        async def work(invocation: Invocation) -> object:
            self.calls.append(name)
            self.granted.append((invocation.timeout, invocation.report))
            if hangs:
                await self.released.wait()
            return answer or dict(invocation.arguments)

        facts = CallFacts(parallel_safe=safe, keys=frozenset(keys))
        parameters: dict[str, object] = {"properties": {"level": {"type": "integer"}}}
        return FunctionTool(
            definition=ToolDefinition(
                name=name,
                parallel_safe=safe,
                cancellable=cancellable,
                parameters=parameters,
            ),
            work=work,
            judge=lambda arguments, caller: facts,
        )

    def batch(
        self, caller: Caller, calls: Iterable[ToolCall], *, mask: bool = True
    ) -> Batch:
        """Open a batch."""
        return Batch(
            door=self.door,
            journal=NoJournal(),
            caller=caller,
            calls=list(calls),
            batch_id="batch",
            mask=mask,
        )

    async def run(self, *calls: ToolCall, caller: Caller = DIRECT) -> BatchResult:
        """Run calls as one batch."""
        return await self.batch(caller, calls).run()

    async def call(
        self, tool: str, arguments: object = None, *, caller: Caller = DIRECT
    ) -> Any:
        """Make one call through `tool_call`."""
        (result,) = (await self.run(through(tool, arguments), caller=caller)).results
        return result


_FAILURE = ToolOutput(
    value={"half": True},
    error=ToolError(reason=Reason.FAILED, detail="it broke"),
    warnings=("mind the gap",),
)
_PICTURE = ToolOutput(
    value={"bytes": 1},
    text="a cat",
    attachments=(Attachment(mime_type="image/png", data=b"x"),),
    nested="report",
)


def through(tool: str, arguments: object = None, **more: Any) -> ToolCall:
    """Return a call of a tool through `tool_call`."""
    outer: dict[str, object] = {"tool": tool}
    if arguments is not None:
        outer["arguments"] = arguments
    return ToolCall(tool="tool_call", arguments=outer, **more)


@pytest.fixture
def home(hass: HomeAssistant) -> Home:
    """Return a home with a door."""
    return Home()


@pytest.mark.parametrize("arguments", [{"level": "3"}, '{"level": 3.0}'])
async def test_arguments_are_those_of_the_tool(home: Home, arguments: object) -> None:
    """They are coerced and checked by its own schema."""
    assert (await home.call("lamp", arguments)).value == {"level": 3}


async def test_everything_is_passed_on(home: Home) -> None:
    result = await home.call("picture")
    assert (result.value, result.text, result.nested) == (
        {"bytes": 1},
        "a cat",
        "report",
    )
    assert result.attachments == _PICTURE.attachments


async def test_failure_is_passed_on(home: Home) -> None:
    result = await home.call("failing")
    assert not result.success
    assert (result.error, result.value) == (_FAILURE.error, {"half": True})
    assert result.warnings == ("mind the gap",)


async def test_what_the_caller_grants_is_passed_on(home: Home) -> None:
    await home.run(through("lamp", timeout=7.0, report=True), through("lamp"))
    (limit, report), (default, _) = home.granted
    assert limit == pytest.approx(7.0, abs=0.5)
    assert report
    assert default == pytest.approx(60.0, abs=0.5)


@pytest.mark.parametrize(
    ("tool", "arguments", "caller", "reason"),
    [
        ("lamp", {"level": "high"}, DIRECT, Reason.TYPE),
        ("lmap", None, DIRECT, Reason.NOT_FOUND),
        ("lmap", None, GUEST, Reason.UNAUTHORIZED),
        ("secret", None, GUEST, Reason.UNAUTHORIZED),
        ("tool_call", {"tool": "lamp"}, DIRECT, Reason.VALUE),
        ("homeassistant.restart", None, INSIDE, Reason.FORBIDDEN),
    ],
)
async def test_no_way_around(
    home: Home, tool: str, arguments: object, caller: Caller, reason: Reason
) -> None:
    """What a direct call may not do, this one may not; the tool's counter says so."""
    result = await home.call(tool, arguments, caller=caller)
    assert result.error is not None
    assert result.error.reason is reason
    assert home.calls == []


async def test_unknown_and_forbidden_answer_alike(home: Home) -> None:
    there = await home.call("secret", caller=GUEST)
    unknown = await home.call("xyzzy", caller=GUEST)
    assert there.text == unknown.text


@pytest.mark.parametrize(
    ("first", "second", "parallel"),
    [
        ("lamp", "lamp", False),
        ("lamp", "picture", True),
        ("lamp", "drill", False),
        ("lamp", "xyzzy", False),
        ("lamp", "tool_call", True),
    ],
)
async def test_order_is_that_of_the_inner_calls(
    home: Home, first: str, second: str, parallel: bool
) -> None:
    """Two on one entity run in order, however they are called."""
    batch = await home.run(through(first), through(second))
    assert batch.parallel is parallel
    direct = await home.run(ToolCall(tool=first), through(second))
    assert direct.parallel is parallel


async def test_what_goes_on_is_told(home: Home) -> None:
    """A timeout does not hide that the action behind goes on, and holds its key."""
    (result,) = (await home.run(through("valve", timeout=0.01))).results
    assert result.error is not None
    assert (result.error.reason, result.error.still_running) == (Reason.TIMEOUT, True)
    (again,) = (await home.run(through("valve", timeout=0.01))).results
    assert again.error is not None
    assert (again.error.reason, home.calls) == (Reason.BUSY, ["valve"])
    home.released.set()
    await asyncio.sleep(0)


def test_access_control_judges_the_inner_call(home: Home) -> None:
    calling = home.tools["tool_call"]
    assert isinstance(calling, ToolCalling)
    inner = calling.stands_for({"tool": "lamp", "arguments": {"level": "1"}})
    assert inner is not None
    assert (inner.tool, inner.arguments) == (home.tools["lamp"], {"level": 1})
    wrong = calling.stands_for({"tool": "lamp", "arguments": {"level": "x"}})
    assert wrong is not None
    assert wrong.arguments is None
    for nothing in ({"tool": "xyzzy"}, {"tool": "tool_call"}, {}):
        assert calling.stands_for(nothing) is None
