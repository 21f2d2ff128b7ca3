"""The batch rule: at once exactly when nothing speaks against it (page 1 §1.3)."""

import asyncio
from typing import override

import pytest

from custom_components.homeagent.kernel.batch import plan
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    ToolCall,
    ToolOutput,
    ToolResult,
    UnparsedArguments,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.underway import Prepared

from ..virtual_time import run_virtual
from .fakes import FakePolicy, Home

SAFE = CallFacts(parallel_safe=True)
UNSAFE = CallFacts(parallel_safe=False)
UNKNOWN = CallFacts(parallel_safe=True, keys=None)


def keyed(*keys: str) -> CallFacts:
    """Return facts with ordering keys."""
    return CallFacts(parallel_safe=True, keys=frozenset(keys))


@pytest.mark.parametrize(
    ("facts", "parallel", "why"),
    [
        ([], False, "one call"),
        ([SAFE], False, "one call"),
        ([SAFE, SAFE], True, "parallel safe"),
        ([SAFE, UNSAFE], False, "t1 is not parallel safe"),
        ([UNSAFE, SAFE, SAFE], False, "t0 is not parallel safe"),
        ([keyed("a"), keyed("b")], True, "parallel safe"),
        ([keyed("a", "x"), keyed("b", "x")], False, "two calls act on x"),
        ([keyed("a"), SAFE, keyed("a")], False, "two calls act on a"),
        ([SAFE, UNKNOWN], False, "what t1 acts on is not known"),
    ],
)
def test_rule(facts: list[CallFacts], parallel: bool, why: str) -> None:
    """Every row of the rule, with its reason."""
    decided = plan([f"t{index}" for index in range(len(facts))], facts)
    assert decided.parallel is parallel
    assert why in decided.why


def test_safe_calls_overlap() -> None:
    """Eight safe calls all run before the first ends."""
    home = Home()
    home.tool("slow", seconds=1)
    result = run_virtual(home.run(*["slow"] * 8))
    assert result.parallel
    assert home.log.most_at_once == 8
    assert [one.success for one in result.results] == [True] * 8


@pytest.mark.parametrize("spoiler", ["unsafe", "gone", "narrowed", "raising"])
def test_one_call_makes_all_run_in_order(spoiler: str) -> None:
    """There is no partial concurrency."""
    home = Home()
    home.tool("slow", seconds=1)
    home.tool("unsafe", parallel_safe=False)
    home.tool("narrowed", narrowed=True)
    home.tool("raising", keys=lambda arguments: 1 / 0)  # type: ignore[arg-type,return-value]
    result = run_virtual(home.run("slow", "slow", spoiler, "slow"))
    assert not result.parallel
    assert spoiler in result.why
    assert home.log.most_at_once == 1
    starts = [entry for entry in home.log if entry.startswith("start slow")]
    assert starts == ["start slow 0", "start slow 1", "start slow 3"]


def test_same_lamp_keeps_the_order_written() -> None:
    """Off (slow), then on, for one lamp: it ends on (page 7)."""
    home = Home()
    lamp = {"state": "on"}

    async def off(invocation: object) -> None:
        await asyncio.sleep(1)
        lamp["state"] = "off"

    async def on(invocation: object) -> None:
        lamp["state"] = "on"

    home.tool("off", work=off, keys=lambda arguments: frozenset({"entity:lamp"}))
    home.tool("on", work=on, keys=lambda arguments: frozenset({"entity:lamp"}))
    result = run_virtual(home.run("off", "on"))
    assert "entity:lamp" in result.why
    assert lamp["state"] == "on"


def test_results_come_in_order_whatever_ends_first() -> None:
    """Results are paired with their calls by index and id."""
    home = Home()
    for index, seconds in enumerate((3, 1, 2)):
        home.tool(f"t{index}", seconds=seconds)
    result = run_virtual(home.run("t0", "t1", "t2"))
    assert [(one.tool, one.call_id) for one in result.results] == [
        ("t0", "0"),
        ("t1", "1"),
        ("t2", "2"),
    ]
    assert [record.index for record in home.records] == [0, 1, 2]
    assert home.log[-1].startswith("end t0")


def test_missing_and_repeated_ids_each_get_their_result() -> None:
    """Both calls run, each has its own result (page 7)."""
    home = Home()
    home.tool("echo")
    calls = [
        ToolCall(tool="echo", id=name, arguments={"n": number})
        for number, name in enumerate(["a", "a", "", ""])
    ]
    result = run_virtual(home.run(*calls))
    assert [one.value for one in result.results] == [{"n": n} for n in range(4)]
    assert len({one.call_id for one in result.results}) == 4


@pytest.mark.parametrize("parallel", [True, False])
def test_what_fails_does_not_stop_the_rest(parallel: bool) -> None:
    """Refused, unparsed, raising, hanging and unknown calls leave others alone."""
    home = Home(policy=FakePolicy(refused=frozenset({"secret"})))

    async def bug(invocation: object) -> None:
        raise KeyError("boom")

    home.tool("good", parallel_safe=parallel)
    home.tool("bug", work=bug)
    home.tool("hangs", seconds=10_000)
    home.tool("secret")
    broken = UnparsedArguments(error=ToolError(reason=Reason.ARGUMENTS))
    result = run_virtual(
        home.run(
            "good",
            "bug",
            "hangs",
            "secret",
            ToolCall(tool="good", arguments=broken, id="b"),
            "good",
        )
    )
    reasons = [one.error.reason if one.error else None for one in result.results]
    assert result.parallel is parallel
    assert reasons == [
        None,
        Reason.INTERNAL,
        Reason.TIMEOUT,
        Reason.UNAUTHORIZED,
        Reason.ARGUMENTS,
        None,
    ]


def test_in_order_a_later_call_sees_tools_as_they_are_then() -> None:
    """A tool taken away by an earlier call is not called any more."""
    home = Home()

    async def take_away(invocation: object) -> None:
        del home.registry.tools["victim"]

    home.tool("remover", work=take_away, parallel_safe=False)
    home.tool("victim")
    result = run_virtual(home.run("remover", "victim"))
    assert result.results[1].error is not None
    assert result.results[1].error.reason is Reason.NOT_FOUND
    assert "start victim 1" not in home.log


@pytest.mark.parametrize("parallel", [True, False])
def test_cancelled_batch_has_one_result_per_call(parallel: bool) -> None:
    """Our own tools end, an action goes on, what was not started says so."""
    home = Home()

    async def scenario() -> None:
        home.tool("own", seconds=50, parallel_safe=parallel)
        home.tool("action", seconds=50, cancellable=False)
        batch = home.batch("own", "action")
        task = asyncio.create_task(batch.run())
        await asyncio.sleep(5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        errors = [one.error for one in batch.results]
        assert [error.reason for error in errors if error] == [Reason.CANCELLED] * 2
        assert [error.still_running for error in errors if error] == [False, parallel]
        assert len(home.records) == 2
        assert "end own 0" in home.log
        assert ("start action 1" in home.log) is parallel
        await asyncio.sleep(100)
        assert ("end action 1" in home.log) is parallel

    run_virtual(scenario())


def test_second_cancellation_does_not_cut_the_end_short() -> None:
    """Results are complete even when somebody is impatient."""
    home = Home()

    async def scenario() -> None:
        async def stubborn(invocation: object) -> None:
            try:
                await asyncio.sleep(100)
            finally:
                await asyncio.sleep(1)

        home.tool("stubborn", work=stubborn)
        batch = home.batch("stubborn", "stubborn")
        task = asyncio.create_task(batch.run())
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(batch.results) == 2

    run_virtual(scenario())


class BuggyDoor(Door):
    """A door whose first call raises in its task."""

    @override
    def dispatch(
        self, caller: Caller, prepared: Prepared, call_id: str
    ) -> ToolResult | asyncio.Task[ToolResult]:
        if call_id != "0":
            return super().dispatch(caller, prepared, call_id)
        return asyncio.get_running_loop().create_task(self._bug())

    async def _bug(self) -> ToolResult:
        raise KeyError("boom")


def test_bug_of_the_door_itself_ends_one_call_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Should a call's task ever raise, there is a result for it all the same."""
    home = Home()
    home.tool("t", seconds=1)
    home.door = BuggyDoor(registry=home.registry, policy=home.policy, hooks=home.hooks)
    first, second = run_virtual(home.run("t", "t")).results
    assert (first.call_id, first.tool, second.success) == ("0", "t", True)
    assert first.error is not None
    assert first.error.reason is Reason.INTERNAL
    assert "Tool t raised an unforeseen error" in caplog.text
    assert "boom" in caplog.text


def test_batch_that_is_turned_away() -> None:
    """Each call has the error under its own id, none ran, and all is written down."""
    home = Home()
    home.tool("t")
    busy = ToolError(reason=Reason.BUSY)
    results = home.batch("t", "gone").turn_away(busy, "no turn")
    assert results == (
        ToolResult(call_id="0", tool="t", error=busy),
        ToolResult(call_id="1", tool="gone", error=busy),
    )
    assert home.log == []
    told = [(record.result, record.parallel, record.why) for record in home.records]
    assert told == [(result, False, "no turn") for result in results]


def test_records_tell_how_the_batch_ran() -> None:
    """Decision and reason stand in every record."""
    home = Home()
    home.tool("one")
    home.tool("two", parallel_safe=False)
    run_virtual(home.run("one", "two"))
    assert {(record.parallel, record.why) for record in home.records} == {
        (False, "two is not parallel safe")
    }


def test_answers_are_masked_for_those_who_do_not_see_everything() -> None:
    """What exists and what does not answers alike; the journal knows the truth."""
    home = Home(policy=FakePolicy(refused=frozenset({"secret"}), admin=False))
    home.tool("secret")
    result = run_virtual(home.run("secret", "nothing"))
    first, second = result.results
    assert first.error == second.error
    assert first.text.replace("secret", "") == second.text.replace("nothing", "")
    reasons = [
        record.result.error and record.result.error.reason for record in home.records
    ]
    assert reasons == [Reason.UNAUTHORIZED, Reason.NOT_FOUND]


def test_tool_that_breaks_the_protocol_harms_itself_only() -> None:
    """A tool of another integration may be no coroutine at all."""
    home = Home()
    tool = home.tool("broken")
    home.tool("good")

    def no_coroutine(invocation: object) -> object:
        raise TypeError("not awaitable")

    tool.call_tool = no_coroutine  # type: ignore[assignment,method-assign]
    result = run_virtual(home.run("broken", "good"))
    errors = [one.error for one in result.results]
    assert [error and error.reason for error in errors] == [Reason.INTERNAL, None]


def test_warnings_reach_the_model() -> None:
    """What a success left out stands in its text."""
    home = Home()

    async def partly(invocation: object) -> ToolOutput:
        return ToolOutput(text="ok", warnings=("light.b is unavailable",))

    home.tool("t", work=partly)
    (result,) = run_virtual(home.run("t")).results
    assert result.success
    assert result.text.splitlines() == ["ok", "Warning: light.b is unavailable"]


def test_decision_tells_nothing_of_what_exists() -> None:
    """Two calls of a tool one may not use run as two of a tool there is not."""
    home = Home(policy=FakePolicy(refused=frozenset({"secret"}), admin=False))
    home.tool("secret")
    cut = UnparsedArguments(error=ToolError(reason=Reason.ARGUMENTS))
    forms: list[Arguments | UnparsedArguments] = [{}, cut]
    for arguments in forms:
        decided = [
            home.batch(*[ToolCall(tool=name, arguments=arguments)] * 2).decide()
            for name in ("secret", "nothing")
        ]
        assert [one.parallel for one in decided] == [False, False]
        whys = [one.why for one in decided]
        assert whys[0].replace("secret", "") == whys[1].replace("nothing", "")


def test_refused_call_costs_no_look_at_its_arguments() -> None:
    """Whoever may do nothing cannot make the door work either."""
    home = Home(policy=FakePolicy(refused=frozenset({"secret"})))
    tool = home.tool("secret")
    looked: list[object] = []
    tool.keys = lambda arguments: looked.append(arguments) or frozenset()  # type: ignore[func-returns-value]

    def check(arguments: object) -> Checked:
        looked.append(arguments)
        return Checked(arguments={})

    tool.check = check  # type: ignore[method-assign]
    run_virtual(home.run("secret", "secret"))
    assert looked == []
