"""A script or automation that did not run, or not to its end, is no plain success."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.kernel.contract import ToolResult
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.actions import ActionRegistry

from .house import SPOKEN, Lamp, async_move_in, call

SLOW = [{"action": "t.slow"}]
BUSY, CANCELLED, FAILED = Reason.BUSY, Reason.CANCELLED, Reason.FAILED
NEVER: dict[str, object] = {"condition": "template", "value_template": "{{ false }}"}
TRIGGER = {"trigger": "event", "event_type": "never"}
REFUSES: dict[str, object] = {"stop": "the gate is open", "error": True}
BROKEN: dict[str, object] = {"action": "t.broken", "continue_on_error": True}
REPEATED: dict[str, object] = {"count": 2, "sequence": [BROKEN, NEVER]}
WAITS: dict[str, object] = {
    "wait_template": "{{ false }}",
    "timeout": {"milliseconds": 1},
    "continue_on_timeout": False,
}

SCRIPTS: dict[str, Any] = {
    "quick": {"sequence": []},
    "slow": {"sequence": SLOW},
    "other": {"sequence": SLOW},
    "two": {"sequence": SLOW, "mode": "parallel", "max": 2},
    "line": {"sequence": SLOW, "mode": "queued", "max": 2},
    "anew": {"sequence": SLOW, "mode": "restart"},
    "delay": {"sequence": [{"delay": {"hours": 1}}], "mode": "restart"},
    "quiet": {
        "sequence": SLOW,
        "max_exceeded": "silent",
        "trace": {"stored_traces": 0},
    },
    "itself": {"sequence": [{"action": "script.itself"}]},
    "guarded": {"sequence": [NEVER]},
    "broken": {"sequence": [{"action": "t.broken"}]},
    "refuses": {"sequence": [BROKEN, REFUSES, SLOW[0]]},
    "refuses_within": {"sequence": [{"if": [], "then": [REFUSES]}]},
    "ends": {"sequence": [{"stop": "it is enough"}]},
    "waits": {"sequence": [WAITS]},
    "quotes": {"sequence": [{"delay": "{{ 'the inside' }}"}]},
    "guarded_late": {"sequence": [BROKEN, {"repeat": REPEATED}, NEVER]},
    "around": {"sequence": [{"action": "script.slow"}]},
}
AUTOMATIONS: list[dict[str, Any]] = [
    {"id": "1", "alias": "slow", "triggers": TRIGGER, "actions": SLOW},
    {"alias": "nameless", "triggers": TRIGGER, "actions": SLOW},
    {
        "id": "2",
        "alias": "anew",
        "mode": "restart",
        "triggers": TRIGGER,
        "actions": SLOW,
    },
    {
        "id": "3",
        "alias": "never",
        "triggers": TRIGGER,
        "conditions": NEVER,
        "actions": [],
    },
    {"alias": "nor", "triggers": TRIGGER, "conditions": NEVER, "actions": []},
    {
        "id": "4",
        "alias": "fails",
        "triggers": TRIGGER,
        "actions": {"action": "t.broken"},
    },
    {"id": "5", "alias": "refuses", "triggers": TRIGGER, "actions": REFUSES},
]


class Slow:
    """The action `t.slow`: it ends when the test lets it."""

    def __init__(self) -> None:
        """Let nobody through."""
        self.open = asyncio.Event()
        self.runs = 0

    async def wait(self, service_call: ServiceCall) -> None:
        """Wait."""
        self.runs += 1
        await self.open.wait()


@pytest.fixture
async def slow(hass: HomeAssistant, registry: ActionRegistry) -> AsyncIterator[Slow]:
    """Scripts and automations of every mode, and what they wait for."""
    slow = Slow()

    async def broken(service_call: ServiceCall) -> None:
        raise HomeAssistantError("no answer")

    hass.services.async_register("t", "slow", slow.wait)
    hass.services.async_register("t", "broken", broken)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "script", {"script": SCRIPTS})
    assert await async_setup_component(hass, "automation", {"automation": AUTOMATIONS})
    await hass.async_block_till_done()
    await registry.async_prepare()
    yield slow
    slow.open.set()
    await hass.async_block_till_done()


def start(registry: ActionRegistry, tool: str, entity: str) -> asyncio.Task[ToolResult]:
    arguments = {"entity_id": entity} if entity else {}
    return asyncio.create_task(call(registry, tool, arguments))


async def until(hass: HomeAssistant, entity_id: str, runs: int) -> None:
    """Wait until Home Assistant tells that many runs."""
    async with asyncio.timeout(10):
        while True:
            state = hass.states.get(entity_id)
            if state is not None and state.attributes["current"] == runs:
                return
            await asyncio.sleep(0)


def reason(result: ToolResult) -> Reason | None:
    return None if result.error is None else result.error.reason


@pytest.mark.parametrize(
    ("tool", "entity", "fits"),
    [
        ("script.slow", "script.slow", 1),
        ("script.quiet", "script.quiet", 1),
        ("script.two", "script.two", 2),
        ("script.line", "script.line", 2),
        ("automation.trigger", "automation.slow", 1),
        ("automation.trigger", "automation.nameless", 1),
    ],
)
async def test_a_run_that_was_dropped_is_busy(
    hass: HomeAssistant,
    registry: ActionRegistry,
    slow: Slow,
    tool: str,
    entity: str,
    fits: int,
) -> None:
    """As many calls as fit are done; the others did nothing and say so at once."""
    target = entity if tool == "automation.trigger" else ""
    first = [start(registry, tool, target) for _ in range(fits)]
    await until(hass, entity, fits)

    dropped = await asyncio.gather(*(start(registry, tool, target) for _ in range(14)))
    slow.open.set()
    done = await asyncio.gather(*first)

    assert {reason(each) for each in dropped} == {BUSY}
    assert all(each.error and entity in each.error.detail for each in dropped)
    assert [reason(each) for each in done] == [None] * fits
    assert slow.runs == fits
    assert (
        reason(await call(registry, tool, {"entity_id": target} if target else {}))
        is None
    )


async def test_of_many_calls_at_once_one_is_done(
    registry: ActionRegistry, slow: Slow
) -> None:
    """More than Home Assistant keeps traces of."""
    calls = [start(registry, "script.slow", "") for _ in range(14)]
    first = asyncio.as_completed(calls, timeout=10)
    dropped = [await next(first) for _ in range(13)]
    slow.open.set()
    results = await asyncio.gather(*calls)

    assert {reason(each) for each in dropped} == {BUSY}
    assert sorted(map(reason, results), key=str) == [None] + [BUSY] * 13
    assert slow.runs == 1


@pytest.mark.parametrize("tool", ["script.turn_on", "homeassistant.turn_on"])
async def test_left_running(
    hass: HomeAssistant, registry: ActionRegistry, slow: Slow, tool: str
) -> None:
    """It is told that the script still runs; a second start is told to be none."""
    first = await call(registry, tool, {"entity_id": "script.slow"})
    async with asyncio.timeout(10):
        second = await call(registry, tool, {"entity_id": "script.slow"})
        both = await call(
            registry, tool, {"entity_id": ["script.slow", "script.other"]}
        )
        quick = await call(registry, tool, {"entity_id": "script.quick"})

    assert (first.value, first.error) == (None, None)
    assert first.warnings == ("still running: script.slow",)
    assert reason(second) is BUSY
    assert reason(both) is None
    assert len(both.warnings) == 2
    assert "script.slow" in both.warnings[0]
    assert both.warnings[1] == "still running: script.other"
    assert (quick.error, quick.warnings, quick.text) == (None, (), "ok")
    assert slow.runs == 2


async def test_left_running_is_told_to_conversations(
    registry: ActionRegistry, slow: Slow
) -> None:
    """Beside what changed."""
    result = await call(
        registry, "script.turn_on", {"entity_id": "script.slow"}, caller=SPOKEN
    )

    assert result.value == {"changed": {"script.slow": "on"}}
    assert result.warnings == ("still running: script.slow",)


async def test_others_are_acted_on_beside_a_busy_script(
    hass: HomeAssistant, registry: ActionRegistry, slow: Slow
) -> None:
    """The lamp is on; the script is named."""
    await async_move_in(hass, [Lamp("a")])
    await registry.async_prepare()
    await call(registry, "script.turn_on", {"entity_id": "script.slow"})
    async with asyncio.timeout(10):
        result = await call(
            registry, "homeassistant.turn_on", {"entity_id": ["script.slow", "light.a"]}
        )

    assert result.error is None
    assert ["script.slow" in each for each in result.warnings] == [True]
    assert hass.states.is_state("light.a", "on")


async def test_toggle_of_a_running_script_stops_it(
    hass: HomeAssistant, registry: ActionRegistry, slow: Slow
) -> None:
    """That is no second start; of one that stands still it is a start."""
    on = await call(registry, "script.toggle", {"entity_id": "script.slow"})
    off = await call(registry, "script.toggle", {"entity_id": "script.slow"})

    assert (on.error, on.warnings) == (None, ("still running: script.slow",))
    assert (off.error, off.warnings) == (None, ())
    assert hass.states.is_state("script.slow", "off")


@pytest.mark.parametrize(
    ("tool", "entity"),
    [
        ("script.anew", "script.anew"),
        ("script.delay", "script.delay"),
        ("automation.trigger", "automation.anew"),
    ],
)
async def test_a_run_that_a_later_call_replaced_is_cancelled(
    hass: HomeAssistant, registry: ActionRegistry, slow: Slow, tool: str, entity: str
) -> None:
    """The later one is done."""
    target = entity if tool == "automation.trigger" else ""
    first = start(registry, tool, target)
    await until(hass, entity, 1)
    second = start(registry, tool, target)
    replaced = await first
    slow.open.set()
    if entity == "script.delay":
        await call(registry, "script.turn_off", {"entity_id": entity})

    ended = CANCELLED if entity == "script.delay" else None
    assert (reason(replaced), reason(await second)) == (CANCELLED, ended)
    assert replaced.error is not None
    assert entity in replaced.error.detail


@pytest.mark.parametrize("script", ["slow", "line", "two", "delay"])
async def test_a_run_that_was_turned_off_is_cancelled(
    hass: HomeAssistant, registry: ActionRegistry, slow: Slow, script: str
) -> None:
    """Also one that only waited for its turn."""
    runs = [start(registry, f"script.{script}", "")]
    await until(hass, f"script.{script}", 1)
    if script == "line":
        runs.append(start(registry, "script.line", ""))
        await until(hass, "script.line", 2)

    off = await call(registry, "script.turn_off", {"entity_id": f"script.{script}"})

    assert {reason(each) for each in await asyncio.gather(*runs)} == {CANCELLED}
    assert off.error is None


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("script.quick", {}, None),
        ("script.guarded", {}, None),
        ("script.itself", {}, None),
        ("script.broken", {}, FAILED),
        ("script.refuses", {}, FAILED),
        ("script.refuses_within", {}, FAILED),
        ("script.waits", {}, FAILED),
        ("script.ends", {}, None),
        ("script.guarded_late", {}, None),
        ("automation.trigger", {"entity_id": "automation.refuses"}, FAILED),
        ("automation.trigger", {"entity_id": "automation.fails"}, FAILED),
        ("automation.trigger", {"entity_id": "automation.never"}, None),
        *(
            (
                "automation.trigger",
                {"entity_id": f"automation.{name}", "skip_condition": False},
                FAILED,
            )
            for name in ("never", "nor")
        ),
    ],
)
async def test_how_it_ended(
    registry: ActionRegistry,
    slow: Slow,
    tool: str,
    arguments: dict[str, object],
    expected: Reason | None,
) -> None:
    """Home Assistant says "done" to most of these."""
    result = await call(registry, tool, arguments)

    assert reason(result) is expected
    assert result.warnings == ()
    assert result.error is None or result.error.hint


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("script.refuses", {}),
        ("script.refuses_within", {}),
        ("automation.trigger", {"entity_id": "automation.refuses"}),
    ],
)
async def test_a_stop_with_an_error_is_told_in_its_words(
    registry: ActionRegistry, slow: Slow, tool: str, arguments: dict[str, object]
) -> None:
    """Not as a run that came to its end."""
    result = await call(registry, tool, arguments)

    assert result.error is not None
    assert result.error.detail.endswith("the gate is open")


async def test_what_an_error_quotes_of_the_inside_is_not_told(
    registry: ActionRegistry, slow: Slow
) -> None:
    """Who may run a script may not therefore see its templates and their values."""
    result = await call(registry, "script.quotes")

    assert result.error is not None
    assert result.error.detail == "script.quotes ran into an error and ended"


async def test_what_a_script_calls_is_its_own_business(
    hass: HomeAssistant, registry: ActionRegistry, slow: Slow
) -> None:
    """A busy script inside a script that ran is not the call's failure."""
    first = start(registry, "script.slow", "")
    await until(hass, "script.slow", 1)

    result = await call(registry, "script.around")
    slow.open.set()

    assert (reason(result), reason(await first)) == (None, None)
