"""The long run: mixed load in one home, with memory that stays flat (page 5 §5.5).

Top of the soak's modules. After a warm-up the same goes on for a while, and what the
process holds at the end is divided by what it held before. Whatever else was wrong, an
answer, an exception, a task left behind, the history, counts as a wrong run, and one is
enough to miss the target.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
import itertools

from . import soak_callers as callers, soak_changes as changes
from .figure import Figure, Measured
from .soak_history import check_history
from .soak_home import Soak, open_soak
from .soak_state import Footprint, Watched, footprint, grown, left_behind, watched

SECONDS = 180
"""How long the soak takes, warm-up and all."""

WARM_UP = 1 / 3
"""Which part of the time is the warm-up."""

STEP_LIMIT = 60.0
"""Seconds in which everything is answered."""

type Step = Callable[[Soak, str], Awaitable[None]]
type Change = Callable[[Soak, int], Awaitable[None]]

CALLERS: Mapping[str, tuple[float, tuple[Step, ...]]] = {
    "batches": (
        0.02,
        (callers.batch_at_once, callers.batch_in_order, callers.batch_with_errors),
    ),
    "guest": (0.05, (callers.guest_call,)),
    "runs": (0.02, (callers.steady_run,)),
    "other_runs": (
        0.05,
        (callers.nested_run, callers.background_run, callers.cancelled_run),
    ),
    "turns": (0.05, (callers.turn,)),
    "more_turns": (0.05, (callers.turn,)),
    "commands": (0.02, (callers.command,)),
    "more_commands": (0.05, (callers.command,)),
}
"""Who asks, with the pause in seconds between two steps."""

CHANGERS: Mapping[str, tuple[float, tuple[Change, ...]]] = {
    "saves": (0.3, (changes.save_sequence, changes.rename_callee)),
    "reloads": (0.5, (changes.reload_sequence, changes.disable_sequence)),
    "rules": (0.3, (changes.change_rule, changes.save_options)),
    "registries": (0.2, (changes.change_registries,)),
    "connections": (3.0, (changes.cut_link, changes.reload_kernel)),
    "new_sequences": (5.0, (changes.create_and_delete,)),
}
"""What is changed meanwhile, with the pause between two changes."""


@dataclass(slots=True, kw_only=True)
class _Load:
    """All workers; `done` counts the steps of each."""

    soak: Soak
    done: Counter[str] = field(default_factory=Counter)
    _numbers: dict[str, Iterator[int]] = field(default_factory=dict)

    async def go_on(self, seconds: float) -> None:
        """Work for so long, then let everything come to its end."""
        until = asyncio.get_running_loop().time() + seconds
        async with asyncio.TaskGroup() as group:
            for name, (pause, steps) in CALLERS.items():
                group.create_task(self._work(name, pause, until, self._asker(steps)))
            for name, (pause, made) in CHANGERS.items():
                group.create_task(self._work(name, pause, until, self._changer(made)))
        await self.soak.hass.async_block_till_done()
        self.soak.ledger.take(self.soak.agent.ran)

    async def _work(
        self,
        name: str,
        pause: float,
        until: float,
        step: Callable[[str, int], Awaitable[None]],
    ) -> None:
        numbers = self._numbers.setdefault(name, itertools.count())
        while asyncio.get_running_loop().time() < until:
            number = next(numbers)
            try:
                async with asyncio.timeout(STEP_LIMIT):
                    await step(name, number)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
                self.soak.faults.add(f"{name}:{number} raised {error!r}")
            self.done[name] += 1
            await asyncio.sleep(pause)

    def _asker(self, steps: tuple[Step, ...]) -> Callable[[str, int], Awaitable[None]]:
        async def ask(name: str, number: int) -> None:
            mark = f"{name}:{number}"
            self.soak.ledger.ask(mark)
            await steps[number % len(steps)](self.soak, mark)

        return ask

    def _changer(
        self, steps: tuple[Change, ...]
    ) -> Callable[[str, int], Awaitable[None]]:
        async def change(name: str, number: int) -> None:
            which, turn = number % len(steps), number // len(steps)
            await steps[which](self.soak, turn)

        return change


async def _measure(seconds: int) -> Measured:
    async with open_soak() as soak:
        load = _Load(soak=soak)
        home = soak.agent.home
        with watched(soak.faults) as watch:
            await load.go_on(seconds * WARM_UP)
            before = await footprint(home.hass, home.runtime.history)
            await load.go_on(seconds * (1 - WARM_UP))
            after = await footprint(home.hass, home.runtime.history)
            soak.ledger.end()
            for task in left_behind(before, after):
                soak.faults.add(f"{task} was left behind")
            kept = await check_history(soak)
        return _measured(load, watch, (before, after), seconds, kept)


def _measured(
    load: _Load,
    watch: Watched,
    footprints: tuple[Footprint, Footprint],
    seconds: int,
    kept: Mapping[str, int],
) -> Measured:
    before, after = footprints
    ledger, faults = load.soak.ledger, load.soak.faults
    left = left_behind(before, after)
    more: dict[str, object] = {
        "seconds": seconds,
        "steps": dict(load.done),
        "asked": ledger.asked,
        "answered": ledger.answered,
        "refused_while_away": load.soak.refused,
        "unhandled": watch.unhandled,
        "tasks_left": len(left),
        "history": dict(kept),
        "rss_mib": [before.rss >> 20, after.rss >> 20],
        "rss_ratio": round(after.rss / before.rss, 4),
        "memory_blocks": [before.blocks, after.blocks],
        "blocks_ratio": round(after.blocks / before.blocks, 4),
        "grown": grown(before, after),
    }
    if left:
        more["left"] = left
    if faults.told:
        more["faults"] = faults.told
    return Measured(
        ratio=max(after.rss / before.rss, after.blocks / before.blocks),
        executed=ledger.executed,
        expected=ledger.expected,
        wrong_runs=faults.count,
        more=more,
    )


FIGURES = (
    Figure(name="soak", target=1.05, measure=_measure, pairs=SECONDS, timed=True),
)
