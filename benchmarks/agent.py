"""Figures of a conversation with HomeAgent's own agent (page 1 §1.9).

How long several calls of one reply take beside one, and beside the same in order; how
many of many conversations at the same time are answered as they should be.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
import gc
import sys

from .agent_home import IN_ORDER, SAFE, SAID, AgentHome, answers, open_agent_home
from .core_agent import core_turn
from .figure import BenchmarkError, Figure, Measured
from .pairs import Side, measure_alone, measure_pairs

LONG = 0.2
"""Seconds of a tool of `agent_batches`."""

SHORT = 0.1
"""Seconds of a tool of the figures beside it."""

_SERIAL_TARGETS = {2: 0.55, 4: 0.29, 8: 0.16}
_ROUNDS = 20


def _turn(home: AgentHome, tool: str, how_many: int, seconds: float) -> Side:
    async def run() -> object:
        home.server.always = answers(tool, how_many, seconds)
        return await home.say("go", "talk")

    return Side(run=run, calls=how_many, check=_check, before=partial(_forget, home))


def _forget(home: AgentHome) -> None:
    """Begin every turn with an empty history: all are alike."""
    home.home.hass.data.get("conversation_chat_logs", {}).pop("talk", None)
    home.server.requests.clear()
    home.server.keys.clear()


def _check(answer: object) -> None:
    if answer != SAID:
        raise BenchmarkError(f"the turn should have ended with {SAID!r}: {answer!r}")


async def _batches(pairs: int) -> Measured:
    async with open_agent_home() as home:
        four = _turn(home, SAFE, 4, LONG)
        one = _turn(home, SAFE, 1, LONG)
        return await measure_pairs(home.home.tally, four, one, pairs)


async def _concurrent(how_many: int, pairs: int) -> Measured:
    async with open_agent_home() as home:
        at_once = _turn(home, SAFE, how_many, SHORT)
        in_order = _turn(home, IN_ORDER, how_many, SHORT)
        measured = await measure_pairs(home.home.tally, at_once, in_order, pairs)
        core = Side(run=core_turn(home.home, how_many, SHORT), calls=how_many)
        beside = await measure_alone(home.home.tally, core, SHORT, pairs)
        return replace(
            measured,
            executed=measured.executed + beside.executed,
            expected=measured.expected + beside.expected,
            wrong_runs=measured.wrong_runs + beside.wrong_runs,
            more={**measured.more, "home_assistant_ms": beside.more["ours_ms"]},
        )


async def _many(connections: int, inputs: int, pairs: int) -> Measured:
    """Hold conversations at the same time; count the turns that went wrong."""
    async with open_agent_home() as home:
        home.server.always = answers(SAFE, 2, 0.01)

        async def talk(connection: int) -> int:
            good = 0
            for number in range(inputs):
                mark = f"{connection}:{number}"
                good += await home.say(mark, f"talk {connection}") == SAID
            return good

        answered = sum(await asyncio.gather(*map(talk, range(connections))))
        expected = connections * inputs
        misplaced = _misplaced(home, connections, inputs)
        return Measured(
            ratio=(expected - answered + misplaced) / expected,
            executed=home.home.tally.executed,
            expected=2 * expected,
            more={
                "answered": answered,
                "inputs": expected,
                "not_once_or_not_in_order": misplaced,
            },
        )


def _misplaced(home: AgentHome, connections: int, inputs: int) -> int:
    """Count the turns whose two calls did not run once each, or answered in disorder."""
    ran: dict[str, list[int]] = {}
    for mark, number in home.ran:
        ran.setdefault(mark, []).append(number)
    marks = [f"{one}:{each}" for one in range(connections) for each in range(inputs)]
    told: dict[str, list[str]] = {}
    for request in home.server.requests:
        messages = request["messages"]
        if messages[-1]["role"] == "tool":
            mark = [each["content"] for each in messages if each["role"] == "user"][-1]
            told[mark] = [each["content"] for each in messages[-2:]]
    wanted = ['{"number":0}', '{"number":1}']
    return sum(
        sorted(ran.get(mark, [])) != [0, 1] or told.get(mark) != wanted
        for mark in marks
    )


async def _rounds(pairs: int) -> Measured:
    """Hold turns one after the other; count errors and what is left behind."""
    async with open_agent_home() as home:
        home.server.always = answers(SAFE, 2, 0.0)
        wrong = 0
        await _settled(home, "warm up")
        before = (_tasks(), _blocks())
        for number in range(_ROUNDS):
            wrong += await _settled(home, str(number)) != SAID
        grown = _blocks() - before[1]
        left = _tasks() - before[0]
        return Measured(
            ratio=(wrong + max(left, 0)) / _ROUNDS,
            executed=home.home.tally.executed,
            expected=2 * (_ROUNDS + 1),
            more={"errors": wrong, "tasks_left": left, "memory_blocks": grown},
        )


async def _settled(home: AgentHome, text: str) -> str:
    _forget(home)
    said = await home.say(text, "talk")
    await home.home.hass.async_block_till_done()
    return said


def _tasks() -> int:
    return sum("aiohttp" not in repr(each) for each in asyncio.all_tasks())


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def _counted(name: str, measure: Callable[[int], Awaitable[Measured]]) -> Figure:
    return Figure(name=name, target=0.0, measure=measure, pairs=1)


FIGURES = (
    Figure(name="agent_batches", target=1.15, measure=_batches, pairs=10),
    *(
        Figure(
            name=f"agent_concurrent_vs_serial_{how_many}",
            target=target,
            measure=partial(_concurrent, how_many),
            pairs=10,
        )
        for how_many, target in _SERIAL_TARGETS.items()
    ),
    _counted("agent_24_by_12", partial(_many, 24, 12)),
    _counted("agent_8_by_4", partial(_many, 8, 4)),
    _counted("agent_20_rounds", _rounds),
)
