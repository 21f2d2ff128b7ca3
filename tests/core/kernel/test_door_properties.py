"""Whatever comes in and whatever tools do, contract results come out."""

import asyncio
from collections.abc import Callable

from hypothesis import given, settings, strategies as st

from custom_components.homeagent.kernel.contract import (
    CallFacts,
    Decision,
    Invocation,
    ToolCall,
    ToolOutput,
    ToolResult,
    UnparsedArguments,
    Verdict,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError

from ..virtual_time import run_virtual
from .fakes import FakePolicy, Home

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
ODD = st.sampled_from(
    [
        object(),
        {1, 2},
        b"\xff",
        float("nan"),
        ValueError("v"),
        ToolError(reason=Reason.UNAVAILABLE),
        ToolOutput(value={"error": 1}, warnings=("w",)),
        ToolOutput(error=ToolError(reason=Reason.FAILED)),
        {"isError": True},
        {object(): object()},
        Decision(verdict=Verdict.ALLOW),
        CallFacts(parallel_safe=True),
    ]
)
RAISED: list[Callable[[], BaseException]] = [
    KeyError,
    TimeoutError,
    asyncio.CancelledError,
    RecursionError,
    MemoryError,
    StopAsyncIteration,
    lambda: ExceptionGroup("g", [ValueError()]),
]


async def _act(invocation: Invocation, kind: str, value: object, number: int) -> object:
    """Return, raise, hang, be stubborn, or cancel itself."""
    if kind == "raise":
        error = RAISED[number % len(RAISED)]()
        raise error
    if kind == "hang":
        await asyncio.sleep(10_000)
    if kind == "stubborn":
        for _ in range(number):
            try:
                await asyncio.sleep(100)
            except asyncio.CancelledError:
                await asyncio.sleep(number / 2)
    if kind == "self-cancel":
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(1)
    return value


CALL = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["return", "raise", "hang", "stubborn", "self-cancel"]),
        "value": JSON | ODD,
        "number": st.integers(0, 12),
        "arguments": st.dictionaries(st.text(max_size=5), JSON, max_size=3)
        | st.just(UnparsedArguments(error=ToolError(reason=Reason.ARGUMENTS))),
        "id": st.text(max_size=3),
        "name": st.none() | st.text(max_size=12),
        "safe": st.booleans(),
        "cancellable": st.booleans(),
        "timeout": st.none() | st.floats(0, 100),
        "granted": st.none() | st.floats(0, 100),
        "keys": st.none() | st.frozensets(st.sampled_from(["a", "b"])),
        "refused": st.booleans(),
    }
)


def _prepare(home: Home, index: int, spec: dict[str, object]) -> ToolCall:
    name = f"t{index}"
    kind, value, number = spec["kind"], spec["value"], spec["number"]
    assert isinstance(kind, str)
    assert isinstance(number, int)

    async def work(invocation: Invocation) -> object:
        return await _act(invocation, kind, value, number)

    home.tool(
        name,
        work=work,
        keys=lambda arguments: spec["keys"],  # type: ignore[arg-type,return-value]
        parallel_safe=bool(spec["safe"]),
        cancellable=bool(spec["cancellable"]),
        timeout=spec["timeout"],  # type: ignore[arg-type]
        parameters={"type": "object", "properties": {"n": {"type": "integer"}}},
    )
    return ToolCall(
        tool=name if spec["name"] is None else str(spec["name"]),
        arguments=spec["arguments"],  # type: ignore[arg-type]
        id=str(spec["id"]),
        timeout=spec["granted"],  # type: ignore[arg-type]
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(CALL, min_size=1, max_size=5), st.none() | st.floats(0, 50))
def test_nothing_but_results(
    specs: list[dict[str, object]], cancel_after: float | None
) -> None:
    """Every call has one result with its own id, also when the batch is cancelled."""

    async def scenario() -> list[ToolResult]:
        refused = frozenset(
            f"t{index}" for index, spec in enumerate(specs) if spec["refused"]
        )
        home = Home(policy=FakePolicy(refused=refused, admin=False))
        calls = [_prepare(home, index, spec) for index, spec in enumerate(specs)]
        batch = home.batch(*calls)
        task = asyncio.create_task(batch.run())
        if cancel_after is not None:
            await asyncio.sleep(cancel_after)
            task.cancel()
        await asyncio.wait({task})
        assert task.cancelled() or task.exception() is None
        assert len(home.records) == len(specs)
        # Calls left running end by themselves, and then nothing is held any more.
        await asyncio.sleep(100_000)
        assert not home.door.holds
        return batch.results

    results = run_virtual(scenario())
    assert len(results) == len(specs)
    assert len({result.call_id for result in results}) == len(specs)
    for result in results:
        assert isinstance(result, ToolResult)
        assert isinstance(result.text, str)
        assert result.success is (result.error is None)
        assert result.error is None or isinstance(result.error.reason, Reason)
        assert result.duration >= 0
