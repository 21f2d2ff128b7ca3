"""What access rules cost: the same batch under real rules and under none (page 3).

Both sides are one door's batch of 32 `light.turn_on`, and differ in their policy only.
Once a person acts directly, with rules by area; once a person talks, and what is exposed
to Assist counts. The ratio is the worse of the two.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.helpers import area_registry as ar, entity_registry as er

from custom_components.homeagent.access.defaults import defaults
from custom_components.homeagent.access.model import AccessRule, What
from custom_components.homeagent.access.policy import RulePolicy
from custom_components.homeagent.access.ports import CallView
from custom_components.homeagent.kernel.batch import Batch, BatchResult
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Entrance,
    Policy,
    Tool,
    ToolCall,
    Verdict,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.tools.access_calls import Calls

from .figure import BenchmarkError, Figure, Measured
from .home import Home, open_home
from .lamps import Lamp, add_lamps
from .pairs import Side, measure_pairs

HOW_MANY = 32
AREAS = 8


class AllowEverything:
    """The policy to compare with: it looks at nothing."""

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Allow."""
        return Decision(verdict=Verdict.ALLOW, always=True)

    def sees_everything(self, caller: Caller) -> bool:
        """Hide nothing."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """One caller, and the rules of the home."""

    caller: Caller
    rules: tuple[AccessRule, ...]


def _calls(home: Home) -> CallView:
    return Calls(sequences=home.runtime.library, asks=lambda name: False)


def _door(home: Home, policy: Policy) -> Door:
    return Door(registry=home.runtime.registry, policy=policy)


def _run(
    home: Home, door: Door, caller: Caller, calls: Sequence[ToolCall]
) -> Callable[[], Awaitable[BatchResult]]:
    async def run() -> BatchResult:
        return await Batch(
            door=door,
            journal=home.runtime.journal,
            caller=caller,
            calls=calls,
            batch_id=home.runtime.callers.new_id(),
        ).run()

    return run


def _check(answer: object) -> None:
    if (
        isinstance(answer, BatchResult)
        and answer.parallel
        and all(result.success for result in answer.results)
    ):
        return
    raise BenchmarkError(f"all calls should have been allowed: {str(answer)[:500]}")


def _by_area(home: Home, lamps: Sequence[Lamp], person: str) -> _Case:
    """Grant a person the lamps by their rooms, each by a rule of its own."""
    areas = [
        ar.async_get(home.hass).async_create(f"Room {number}")
        for number in range(AREAS)
    ]
    for number, lamp in enumerate(lamps):
        er.async_get(home.hass).async_update_entity(
            lamp.entity_id, area_id=areas[number % AREAS].id
        )
    rules = tuple(
        AccessRule(
            id=f"room_{area.id}",
            name=area.name,
            users=frozenset({person}),
            through=frozenset({Entrance.DIRECT}),
            areas=frozenset({area.id}),
            what=frozenset({What.ENTITY_ACTIONS}),
        )
        for area in areas
    )
    # With the default for everyone signed in, no room would be looked at.
    others = tuple(each for each in defaults() if each.key != "people_directly")
    caller = Caller(entrance=Entrance.DIRECT, user_id=person)
    return _Case(caller=caller, rules=(*others, *rules))


def _by_exposure(home: Home, lamps: Sequence[Lamp], person: str) -> _Case:
    """Expose the lamps to Assist: the default rules let a person who talks use them."""
    for lamp in lamps:
        async_expose_entity(home.hass, "conversation", lamp.entity_id, True)
    caller = Caller(entrance=Entrance.CONVERSATION, user_id=person)
    return _Case(caller=caller, rules=defaults())


async def _pair(home: Home, lamps: Sequence[Lamp], case: _Case, pairs: int) -> Measured:
    policy = RulePolicy(
        home=home.runtime.home, calls=_calls(home), rules=lambda: case.rules
    )
    calls = [
        ToolCall(tool="light.turn_on", arguments={"entity_id": lamp.entity_id})
        for lamp in lamps
    ]

    def darken() -> None:
        for lamp in lamps:
            lamp.darken()

    def side(policy: Policy) -> Side:
        return Side(
            run=_run(home, _door(home, policy), case.caller, calls),
            calls=HOW_MANY,
            before=darken,
            check=_check,
        )

    return await measure_pairs(home.tally, side(policy), side(AllowEverything()), pairs)


async def _measure(pairs: int) -> Measured:
    async with open_home() as home:
        lamps = await add_lamps(home, HOW_MANY)
        person = await home.hass.auth.async_create_user(
            "Person", group_ids=[GROUP_ID_USER]
        )
        by_area = await _pair(home, lamps, _by_area(home, lamps, person.id), pairs)
        talking = await _pair(home, lamps, _by_exposure(home, lamps, person.id), pairs)
        return Measured(
            ratio=max(by_area.ratio, talking.ratio),
            executed=by_area.executed + talking.executed,
            expected=by_area.expected + talking.expected,
            wrong_runs=by_area.wrong_runs + talking.wrong_runs,
            more={
                "by_area": {"ratio": round(by_area.ratio, 4), **by_area.more},
                "talking": {"ratio": round(talking.ratio, 4), **talking.more},
            },
        )


FIGURES = (Figure(name="access", target=1.3, measure=_measure, pairs=60),)
