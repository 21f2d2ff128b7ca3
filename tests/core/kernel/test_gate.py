"""Calls that arrive one by one keep their order (page 1 §1.4)."""

import asyncio

import pytest

from custom_components.homeagent.kernel.contract import CallFacts
from custom_components.homeagent.kernel.gate import Gate

from ..virtual_time import run_virtual

SAFE = CallFacts(parallel_safe=True)
UNSAFE = CallFacts(parallel_safe=False)
UNKNOWN = CallFacts(parallel_safe=True, keys=None)
LAMP = CallFacts(parallel_safe=True, keys=frozenset({"entity:lamp"}))
FAN = CallFacts(parallel_safe=True, keys=frozenset({"entity:fan"}))


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ([SAFE, SAFE, SAFE], [0, 0, 0]),
        ([LAMP, FAN, SAFE], [0, 0, 0]),
        ([LAMP, LAMP, FAN], [0, 1, 1]),
        ([SAFE, UNSAFE, SAFE], [0, 1, 2]),
        ([UNSAFE, UNSAFE], [0, 1]),
        ([UNKNOWN, SAFE], [0, 1]),
        ([SAFE, UNKNOWN, LAMP, LAMP], [0, 1, 2, 3]),
    ],
)
def test_who_starts_when(line: list[CallFacts], starts: list[int]) -> None:
    """Each call works one second; a row tells the second in which each starts."""

    async def scenario() -> list[float]:
        gate = Gate()
        loop = asyncio.get_running_loop()

        async def call(facts: CallFacts) -> float:
            place = gate.enter(facts)
            assert await gate.wait(place, 30)
            started = loop.time()
            await asyncio.sleep(1)
            gate.leave(place)
            return started

        return await asyncio.gather(*(call(facts) for facts in line))

    assert run_virtual(scenario()) == starts


def test_who_gives_up_lets_others_pass() -> None:
    """A place given up in line blocks nobody, also after a cancellation."""

    async def scenario() -> None:
        gate = Gate()
        first, second, third = (gate.enter(facts) for facts in (SAFE, UNSAFE, SAFE))
        assert not await gate.wait(second, 30)
        assert not third.started.done()
        gate.leave(second)
        assert third.started.done()
        gate.leave(first)
        gate.leave(third)
        assert gate.enter(UNSAFE).started.done()

    run_virtual(scenario())
