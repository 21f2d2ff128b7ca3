"""The soak's load: each step asks something once and closes it when it is answered.

Above `soak_home`. A step gets a mark of its own; what it asks for carries the mark, so
the books know what ran for it. An answer that is not right is a fault, unless what was
asked was taken away meanwhile.
"""

import asyncio
from collections.abc import Mapping, Sequence
import itertools

from homeassistant.exceptions import HomeAssistantError

from .agent_home import IN_ORDER, SAFE, SAID
from .ours import Call, call
from .soak_home import CALLER, LAMPS, SECONDS, SLOW, STEADY, Soak
from .soak_waiter import NAME

KERNEL = "the HomeAgent entry"
LINK = "the connection"
"""What is taken away now and then, beside the sequences by their names."""

_KINDS = itertools.count()
_TURNS_KEPT = 5
_POLL = 0.05


def _rest(mark: str, number: int, tool: str = SAFE) -> Call:
    return call(tool, {"mark": mark, "number": number, "seconds": SECONDS})


def _lamp(number: int) -> Call:
    return call("light.turn_on", {"entity_id": f"light.bench_{number % LAMPS}"})


async def batch(soak: Soak, mark: str) -> None:
    """Run a batch: all at once, in order, or with calls that cannot be made."""
    kind = next(_KINDS)
    if kind % 3 == 0:
        calls, parallel = [*(_rest(mark, each) for each in range(7)), _lamp(kind)], True
    elif kind % 3 == 1:
        calls = [_rest(mark, 0), _rest(mark, 1, IN_ORDER), _lamp(kind), _rest(mark, 2)]
        parallel = False
    else:
        wrong = [call("bench.nothing", {}), call(SAFE, {"mark": mark, "number": "x"})]
        calls, parallel = [_rest(mark, 0), *wrong, _rest(mark, 1)], False
    answer = await soak.act("call_tools", {"calls": calls})
    numbers = [each["arguments"].get("number") for each in calls if _is_rest(each)]
    if (
        answer["parallel"] is not parallel
        or _numbers(answer) != [_answered(each) for each in calls]
    ):
        soak.faults.add(f"{mark}: {answer}")
    soak.close(mark, range(sum(isinstance(each, int) for each in numbers)))


def _is_rest(each: Call) -> bool:
    return each["tool"] in (SAFE, IN_ORDER)
