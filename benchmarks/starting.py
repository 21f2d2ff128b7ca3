"""The figure of Home Assistant's start with many sequences (page 2 §2.7).

Real `hass` processes, one at a time, in two homes that stay between their starts: one
with HomeAgent and many sequences, one with HomeAgent and none. The integration in
`start_mark` writes down when `homeassistant_started` is fired and what is there by then.
"""

from dataclasses import dataclass, field
import json
from pathlib import Path
from statistics import median
import time

from demohome.errors import HomeError
from demohome.folder import LEAN_CONFIGURATION
from demohome.jsonish import JsonObject, as_number, as_object
from demohome.real_home import HomeOptions, RealHome

from .figure import BenchmarkError, Figure, Measured
from .pairs import milliseconds, ratio_of
from .start_mark import DOMAIN as MARK, FILE

SEQUENCES = 100

_FOLDER = Path(__file__).with_name(MARK)


@dataclass(slots=True, kw_only=True)
class _Starts:
    """One home's starts; `entries` of HomeAgent it has, `executed` of them loaded."""

    home: RealHome
    entries: int
    seconds: list[float] = field(default_factory=list)
    entities: int = 0
    executed: int = 0
    expected: int = 0
    wrong: int = 0

    async def start(self) -> None:
        path = self.home.config / FILE
        path.unlink(missing_ok=True)
        begin = time.monotonic()
        await self.home.start()
        mark = _read(path)
        await self.home.stop()
        at, aside = (as_number(mark[key], key) for key in ("at", "put_aside"))
        self.seconds.append(at - aside - begin)
        self._count(mark)

    def _count(self, mark: JsonObject) -> None:
        loaded, entities, states = (
            int(as_number(mark[key], key)) for key in ("loaded", "entities", "states")
        )
        self.entities = entities
        self.executed += loaded + states
        self.expected += self.entries + entities
        self.wrong += (loaded, states) != (self.entries, entities)


async def _measure(pairs: int) -> Measured:
    try:
        async with RealHome(_options()) as none, RealHome(_options()) as many:
            await _furnish(none, 0)
            await _furnish(many, SEQUENCES)
            full = _Starts(home=many, entries=SEQUENCES + 1)
            empty = _Starts(home=none, entries=1)
            for pair in range(pairs):
                for one in (full, empty) if pair % 2 else (empty, full):
                    await one.start()
            return _measured(full, empty)
    except HomeError as error:
        raise BenchmarkError(str(error)) from error


def _options() -> HomeOptions:
    files = {
        f"custom_components/{MARK}/{path.name}": path.read_text(encoding="utf-8")
        for path in (_FOLDER / "__init__.py", _FOLDER / "manifest.json")
    }
    return HomeOptions(configuration=f"{LEAN_CONFIGURATION}{MARK}:\n", files=files)


async def _furnish(home: RealHome, sequences: int) -> None:
    """Add HomeAgent and its sequences, and stop: the home is ready to be measured."""
    await home.api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
    for number in range(sequences):
        made = await home.api.call_action("homeagent.seq_create", _sequence(number))
        if made.get("success") is not True:
            raise BenchmarkError(f"a sequence was refused: {str(made)[:500]}")
    await home.stop()


def _sequence(number: int) -> dict[str, object]:
    entry = {
        "tool": "persistent_notification.create",
        "args": {"message": "$args.message"},
    }
    group = {
        "in": {"message": {"type": "string", "default": "Good morning"}},
        "tools": f"{json.dumps(entry)} ;",
    }
    return {
        "name": f"Bench {number}",
        "description": "One of many",
        "groups": [group | {"name": name} for name in ("first", "second", "third")],
    }


def _read(path: Path) -> JsonObject:
    if not path.exists():
        raise BenchmarkError("Home Assistant did not tell that it had started")
    return as_object(
        json.loads(path.read_text(encoding="utf-8")), "the mark of a start"
    )


def _measured(full: _Starts, empty: _Starts) -> Measured:
    return Measured(
        ratio=ratio_of(full.seconds, empty.seconds),
        executed=full.executed + empty.executed,
        expected=full.expected + empty.expected,
        wrong_runs=full.wrong + empty.wrong,
        more={
            "pairs": len(full.seconds),
            "ours_ms": milliseconds(median(full.seconds)),
            "base_ms": milliseconds(median(empty.seconds)),
            "sequences": SEQUENCES,
            "entities": full.entities,
        },
    )


FIGURES = (Figure(name="start_100_sequences", target=1.2, measure=_measure, pairs=5),)
