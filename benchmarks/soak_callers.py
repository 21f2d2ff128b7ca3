"""The soak's load: each step asks something once and closes it when it is answered.

Above `soak_home`. A step gets a mark of its own; what it asks for carries the mark, so
the books know what ran for it. An answer that is not right is a fault, unless what was
asked was taken away meanwhile.
"""

import asyncio
from collections.abc import Mapping
from typing import Final

from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.exceptions import HomeAssistantError

from .agent_home import IN_ORDER, SAFE, SAID
from .ours import Call, call
from .soak_home import CALLER, LAMPS, SECONDS, SLOW, STEADY, Soak
from .soak_waiter import NAME

KERNEL: Final = "the HomeAgent entry"
LINK: Final = "the connection"
"""What is taken away now and then, beside the sequences by their names."""

NOTHING: Final = range(0)
WHOLE_RUN: Final = range(4)
_TURNS_KEPT = 5
_POLL = 0.05

type _Asked = tuple[Call, int | bool]
"""A call, and its outcome: the number it answers with, or whether it succeeds."""


def _rest(mark: str, number: int, tool: str = SAFE) -> _Asked:
    arguments = {"mark": mark, "number": number, "seconds": SECONDS}
    return call(tool, arguments), number


def _lamp(number: int) -> _Asked:
    return call("light.turn_on", {"entity_id": f"light.bench_{number % LAMPS}"}), True


async def batch_at_once(soak: Soak, mark: str) -> None:
    """Run a batch whose calls are made at the same time."""
    asked = [*(_rest(mark, each) for each in range(7)), _lamp(len(mark))]
    await _batch(soak, mark, asked, parallel=True)


async def batch_in_order(soak: Soak, mark: str) -> None:
    """Run a batch with calls that must be made in order."""
    command = call("host_list", {})
    asked = [_rest(mark, 0), _rest(mark, 1, IN_ORDER), _lamp(1), (command, True)]
    await _batch(soak, mark, asked, parallel=False)


async def batch_with_errors(soak: Soak, mark: str) -> None:
    """Run a batch of which two calls cannot be made."""
    nobody = (call("bench.nothing", {}), False)
    wrong = (call(SAFE, {"mark": mark, "number": "x", "seconds": 0}), False)
    asked = [_rest(mark, 0), nobody, wrong, _rest(mark, 1)]
    await _batch(soak, mark, asked, parallel=False)


async def _batch(soak: Soak, mark: str, asked: list[_Asked], *, parallel: bool) -> None:
    answer = await soak.act("call_tools", {"calls": [each for each, _ in asked]})
    outcomes = [_outcome(result) for result in _list(answer.get("results"))]
    wanted = [each for _, each in asked]
    # A number equals a truth value in Python.
    if list(map(repr, outcomes)) != list(map(repr, wanted)):
        soak.faults.add(f"{mark} should have given {wanted}: {answer}")
    if answer.get("parallel") is not parallel:
        soak.faults.add(f"{mark} should have run parallel={parallel}: {answer}")
    soak.close(mark, range(sum(type(each) is int for each in wanted)))


def _outcome(result: object) -> object:
    match result:
        case {"success": True, "value": {"number": number}}:
            return number
        case {"success": success}:
            return success
        case _:
            return None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


async def guest_call(soak: Soak, mark: str) -> None:
    """Call as somebody whose rule comes and goes: it runs once or is refused."""
    asked, _ = _rest(mark, 0)
    answer = await soak.act("call_tools", {"calls": [asked]}, soak.guest_id)
    match answer:
        case {"results": [{"success": True}]}:
            soak.close(mark, range(1))
        case {"results": [{"error": {"reason": "unauthorized"}}]}:
            soak.close(mark, NOTHING)
        case _:
            soak.faults.add(f"{mark}: {answer}")
            soak.close(mark, NOTHING)


async def steady_run(soak: Soak, mark: str) -> None:
    """Run a sequence that is saved, reloaded or disabled now and then."""
    name = STEADY[int(mark.rpartition(":")[2]) % len(STEADY)]
    before = soak.absences.look(name)
    answer = await soak.act("seq_run", {"name": name, "args": {"mark": mark}})
    if soak.absences.touched(before) and "run_id" not in answer:
        soak.refused += 1
        soak.close(mark, NOTHING)
    else:
        _ended(soak, mark, answer, "ok", WHOLE_RUN)


async def nested_run(soak: Soak, mark: str) -> None:
    """Run a sequence that calls another one, which is renamed now and then."""
    answer = await soak.act("seq_run", {"name": CALLER, "args": {"mark": mark}})
    _ended(soak, mark, answer, "ok", WHOLE_RUN)


async def background_run(soak: Soak, mark: str) -> None:
    """Start a run and ask for it until it has ended."""
    data = {"name": CALLER, "args": {"mark": mark}, "wait": False}
    answer = await soak.act("seq_run", data)
    while answer.get("status") == "running":
        await asyncio.sleep(_POLL)
        answer = await soak.act("seq_run", {"run_id": answer["run_id"]})
    _ended(soak, mark, answer, "ok", WHOLE_RUN)


async def cancelled_run(soak: Soak, mark: str) -> None:
    """Start a run and stop it: nothing of it runs afterwards."""
    data = {"name": SLOW, "args": {"mark": mark}, "wait": False}
    begun = await soak.act("seq_run", data)
    await asyncio.sleep(_POLL)
    answer = await soak.act(
        "seq_run", {"run_id": begun.get("run_id", ""), "cancel": True}
    )
    _ended(soak, mark, answer, "cancelled", NOTHING)


def _ended(
    soak: Soak, mark: str, answer: Mapping[str, object], status: str, wanted: range
) -> None:
    if answer.get("status") != status:
        soak.faults.add(f"{mark} should have ended {status}: {answer}")
    else:
        soak.end(str(answer["run_id"]), status)
    soak.close(mark, wanted)


async def turn(soak: Soak, mark: str) -> None:
    """Say something to the agent, whose model makes two calls."""
    speaker, _, number = mark.rpartition(":")
    log = soak.hass.data.get(DATA_CHAT_LOGS, {}).get(speaker)
    if log is not None and int(number) % _TURNS_KEPT == 0:
        # Home Assistant itself would go on with the same talk until nobody talks.
        del log.content[1:]
    soak.agent.server.requests.clear()
    soak.agent.server.keys.clear()
    before = soak.absences.look(KERNEL)
    try:
        said = await soak.agent.say(mark, speaker)
    except (HomeAssistantError, ValueError) as error:
        said = repr(error)
    if said == SAID:
        soak.close(mark, range(2))
    elif soak.absences.touched(before):
        soak.refused += 1
        soak.close(mark, range(2), at_most=True)
    else:
        soak.faults.add(f"{mark} should have been answered with {SAID!r}: {said}")
        soak.close(mark, range(2))


async def command(soak: Soak, mark: str) -> None:
    """Run a command on the host; its connection breaks now and then."""
    before = soak.absences.look(LINK)
    line = f"echo {mark}"
    answer = await soak.act("host_run", {"host": NAME, "command": line})
    match answer:
        case {"stdout": said} if said == line:
            soak.close(mark, range(1))
        case {"error": {"reason": "unavailable" | "not_found" | "value"}} if (
            soak.absences.touched(before)
        ):
            soak.refused += 1
            soak.close(mark, range(1), at_most=True)
        case _:
            soak.faults.add(f"{mark} should have printed {line!r}: {answer}")
            soak.close(mark, range(1))
