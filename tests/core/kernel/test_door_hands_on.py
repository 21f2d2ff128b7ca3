"""What the door and the batch hand on: to policies, tools, hooks, records, callers."""

from dataclasses import dataclass, field
from typing import override

import pytest

from custom_components.homeagent.kernel.batch import Plan, plan
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Attachment,
    Caller,
    CallFacts,
    Checked,
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
from custom_components.homeagent.kernel.hooks import HookContext

from ..virtual_time import run_virtual
from .fakes import ANYONE, FakePolicy, Home

LAMP = frozenset({"entity:lamp"})


@dataclass
class Spy(FakePolicy):
    """Remembers who it was asked about; refuses calls with `no` among the arguments."""

    asked_about: list[object] = field(default_factory=list)

    @override
    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the arguments."""
        self.asked_about.append(caller)
        if arguments and "no" in arguments:
            return Decision(verdict=Verdict.REFUSE, detail="no rule grants that")
        return super().can_use(caller, tool, arguments)

    @override
    def sees_everything(self, caller: Caller) -> bool:
        """Remember the caller."""
        self.asked_about.append(caller)
        return super().sees_everything(caller)


def only(home: Home, call: ToolCall) -> ToolResult:
    """Make one call."""
    return run_virtual(home.run(call)).results[0]


def test_policy_is_asked_about_the_caller_and_nobody_else() -> None:
    """Whether the call is right, wrong, cut off, refused, or of no tool there is."""
    home = Home(policy=Spy(admin=False, refused=frozenset({"never"})))
    home.tool("t", parameters={"properties": {"n": {"type": "integer"}}})
    home.tool("near")
    home.tool("never")
    cut = UnparsedArguments(error=ToolError(reason=Reason.ARGUMENTS))
    calls = [
        ToolCall(tool="t"),
        ToolCall(tool="t", arguments={"no": 1}),
        ToolCall(tool="neat"),
        ToolCall(tool="never"),
        ToolCall(tool="t", arguments=cut),
        ToolCall(tool="t", arguments={"n": "x"}),
    ]
    result = run_virtual(home.run(*calls))
    assert isinstance(home.policy, Spy)
    assert set(map(id, home.policy.asked_about)) == {id(ANYONE)}
    reasons = [one.error and one.error.reason for one in result.results]
    assert reasons == [
        None,
        *[Reason.UNAUTHORIZED] * 3,
        Reason.ARGUMENTS,
        Reason.TYPE,
    ]
    assert [
        record.result.error and record.result.error.detail for record in home.records
    ][1] == "no rule grants that"


def test_problems_are_told_only_to_those_who_may() -> None:
    """With problems the arguments are not judged: could any call succeed?"""
    home = Home(policy=Spy())
    home.tool(
        "t",
        parameters={
            "properties": {"no": {"type": "integer"}, "n": {"type": "integer"}}
        },
    )
    wrong = only(home, ToolCall(tool="t", arguments={"no": "x", "n": 1}))
    assert wrong.error is not None
    assert wrong.error.reason is Reason.TYPE


def test_tool_gets_what_was_checked_and_granted() -> None:
    """Caller, arguments, id, report and the time that is left."""
    home = Home()
    got: list[Invocation] = []

    async def work(invocation: Invocation) -> None:
        got.append(invocation)

    home.tool("t", work=work)
    for report in (True, False):
        call = ToolCall(
            tool="t", arguments={"n": 1}, id="c", timeout=5.0, report=report
        )
        only(home, call)
    assert got == [
        Invocation(
            caller=ANYONE, arguments={"n": 1}, call_id="c", report=report, timeout=5.0
        )
        for report in (True, False)
    ]


def test_hooks_get_the_call() -> None:
    """Caller, tool, arguments and id; the time that they took counts."""
    home = Home()
    home.tool("t", seconds=3)
    got: list[HookContext] = []

    async def before(context: HookContext) -> None:
        got.append(context)

    home.hooks.add_before(before)
    result = only(home, ToolCall(tool="t", arguments={"n": 1}, id="c"))
    (context,) = got
    assert (context.caller, context.tool, context.call_id) == (ANYONE, "t", "c")
    assert context.arguments == {"n": 1}
    assert result.duration == 3


@pytest.mark.parametrize("part", ["check", "facts"])
def test_bug_before_the_call(part: str, caplog: pytest.LogCaptureFixture) -> None:
    """A tool that cannot even be asked fails alone, and is named in the log."""
    home = Home()
    home.tool("good")
    tool = home.tool("bad", keys=lambda arguments: LAMP)

    def bug(*arguments: object) -> Checked:
        raise KeyError("boom")

    setattr(tool, part, bug)
    result = run_virtual(home.run(ToolCall(tool="bad", id="b"), "good"))
    first, second = result.results
    assert second.success
    assert first.call_id == "b"
    if part == "check":
        assert first.error is not None
        assert first.error.reason is Reason.INTERNAL
        assert "the tool hit a bug" in first.error.detail
    else:
        assert first.success
    assert "Tool bad raised an unforeseen error" in caplog.text
    assert "boom" in caplog.text


def test_facts_are_narrowed_and_never_widened() -> None:
    """The declaration counts, whatever the tool says of one call; its keys stay."""
    home = Home()
    tool = home.tool("t", parallel_safe=False, keys=lambda arguments: LAMP)
    tool.facts = lambda arguments, caller: CallFacts(  # type: ignore[method-assign]
        parallel_safe=caller is ANYONE and "n" in arguments, keys=LAMP
    )
    prepared = home.door.prepare(ANYONE, ToolCall(tool="t", arguments={"n": 1}))
    assert home.door.facts(ANYONE, prepared) == CallFacts(
        parallel_safe=False, keys=LAMP
    )
    home.tool("safe")
    safe = home.tool("t", keys=lambda arguments: LAMP)
    safe.facts = tool.facts  # type: ignore[method-assign]
    prepared = home.door.prepare(ANYONE, ToolCall(tool="t", arguments={"n": 1}))
    assert home.door.facts(ANYONE, prepared) == CallFacts(parallel_safe=True, keys=LAMP)

    def bug(arguments: object, caller: object) -> CallFacts:
        raise ValueError

    safe.facts = bug  # type: ignore[method-assign]
    unknown = CallFacts(parallel_safe=False, keys=None)
    assert home.door.facts(ANYONE, prepared) == unknown


def test_unparsed_call_of_an_unknown_tool_is_not_safe() -> None:
    """Of a known one it is as safe as nothing at all."""
    home = Home()
    home.tool("t")
    cut = UnparsedArguments(error=ToolError(reason=Reason.ARGUMENTS))
    for tool, parallel in (("t", True), ("gone", False)):
        call = ToolCall(tool=tool, arguments=cut)
        assert run_virtual(home.run(call, "t")).parallel is parallel


def test_untimed_call_waits_half_a_minute_for_an_entity() -> None:
    """Without a limit of its own there is still one for waiting."""

    async def scenario() -> None:
        home = Home()
        home.tool(
            "a",
            seconds=900,
            timeout=1.0,
            cancellable=False,
            keys=lambda arguments: LAMP,
        )
        home.tool("b", untimed=True, keys=lambda arguments: LAMP)
        await home.run("a")
        busy = (await home.run("b")).results[0]
        assert (busy.error and busy.error.reason, busy.duration) == (Reason.BUSY, 30)

    run_virtual(scenario())


def test_what_goes_on_inside_goes_on() -> None:
    """What was called says so itself, and its error is the call's."""
    home = Home()
    inner = ToolError(reason=Reason.TIMEOUT, still_running=True)

    async def work(invocation: Invocation) -> ToolOutput:
        return ToolOutput(error=inner, value=inner)

    home.tool("t", work=work)
    result = only(home, ToolCall(tool="t"))
    assert result.error is inner
    assert result.value is None


def test_result_has_all_that_the_tool_gave() -> None:
    """Attachments, warnings, words and what ran inside; the policy's warnings first."""
    home = Home()
    picture = Attachment(mime_type="image/png", data=b"x")

    async def work(invocation: Invocation) -> ToolOutput:
        return ToolOutput(
            value=1, warnings=("w",), text="said", attachments=(picture,), nested="n"
        )

    home.tool("t", work=work)
    result = only(home, ToolCall(tool="t", id="c"))
    assert (result.call_id, result.tool, result.value) == ("c", "t", 1)
    assert (result.attachments, result.warnings) == ((picture,), ("w",))
    assert (result.said, result.nested) == ("said", "n")


def test_records_and_result_name_the_batch() -> None:
    """Everything that is written down can be found again."""
    home = Home()
    home.tool("t")
    calls = [ToolCall(tool="t", id="1"), ToolCall(tool="gone", id="2")]
    batch = home.batch(*calls)
    result = run_virtual(batch.run())
    assert (batch.id, result.id) == ("batch", "batch")
    assert [(record.batch_id, record.call) for record in home.records] == [
        ("batch", calls[0]),
        ("batch", calls[1]),
    ]
    assert [(one.call_id, one.tool) for one in result.results] == [
        ("1", "t"),
        ("2", "gone"),
    ]
    assert all(record.caller is ANYONE for record in home.records)


def test_one_call_is_no_batch() -> None:
    """It needs no decision; more calls need one fact each."""
    home = Home()
    home.tool("t")
    assert home.batch("t").decide() == Plan(parallel=False, why="one call")
    with pytest.raises(ValueError, match="argument"):
        plan(["a", "b"], [CallFacts(parallel_safe=True)])


def test_other_errors_are_not_masked() -> None:
    """Only what tells of existence and grants is hidden."""
    home = Home(policy=FakePolicy(admin=False))
    home.tool("t", parameters={"properties": {"n": {"type": "integer"}}})
    result = only(home, ToolCall(tool="t", arguments={"n": "x"}))
    assert result.error is not None
    assert (result.error.reason, result.error.field) == (Reason.TYPE, "n")
