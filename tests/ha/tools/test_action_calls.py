"""One call of an action, through the door: context, response, errors."""

from homeassistant.auth.models import User
from homeassistant.core import (
    Context,
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.kernel.contract import (
    Caller,
    Entrance,
    Invocation,
    ToolResult,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.tools.actions import ActionRegistry

from .house import DIRECT, Lamp, Player, async_move_in, call


@pytest.fixture
def calls(hass: HomeAssistant) -> list[ServiceCall]:
    """Register `t.none`, `t.maybe` and `t.only`, which answer what they are told."""
    seen: list[ServiceCall] = []

    async def answer(service_call: ServiceCall) -> ServiceResponse:
        seen.append(service_call)
        answered = service_call.data.get("answer")
        return answered if service_call.return_response else None

    for name, supports in (
        ("none", SupportsResponse.NONE),
        ("maybe", SupportsResponse.OPTIONAL),
        ("only", SupportsResponse.ONLY),
    ):
        hass.services.async_register("t", name, answer, supports_response=supports)
    return seen


@pytest.mark.parametrize(
    ("action", "answer", "value", "text"),
    [
        ("none", {"x": 1}, None, "ok"),
        ("maybe", {"x": 1}, {"x": 1}, '{"x":1}'),
        ("maybe", {}, {}, "ok"),
        ("only", {"x": 1}, {"x": 1}, '{"x":1}'),
        ("only", {}, {}, "{}"),
    ],
)
async def test_responses(
    registry: ActionRegistry,
    calls: list[ServiceCall],
    action: str,
    answer: object,
    value: object,
    text: str,
) -> None:
    """What there is, is the value; nothing is `ok`."""
    result = await call(registry, f"t.{action}", {"answer": answer})

    assert (result.value, result.text, result.error) == (value, text, None)
    assert calls[0].return_response is (action != "none")


async def test_a_response_may_be_a_failure(
    registry: ActionRegistry, calls: list[ServiceCall]
) -> None:
    """The kernel's one rule also judges actions."""
    result = await call(registry, "t.maybe", {"answer": {"error": "no signal"}})

    assert result.error is not None
    assert "no signal" in result.error.detail


async def test_what_is_no_response_is_a_failure(
    registry: ActionRegistry, calls: list[ServiceCall]
) -> None:
    result = await call(registry, "t.only", {"answer": ["a list"]})

    assert result.error is not None
    assert result.error.reason is Reason.FAILED


async def test_context_is_a_child_of_the_callers(
    registry: ActionRegistry, calls: list[ServiceCall], hass_admin_user: User
) -> None:
    """So that Home Assistant's logbook shows the chain; each call has its own."""
    above = Context(user_id=hass_admin_user.id)
    caller = Caller(entrance=Entrance.DIRECT, user_id=hass_admin_user.id, context=above)
    for _ in range(2):
        await call(registry, "t.none", caller=caller)

    one, two = (each.context for each in calls)
    assert (one.parent_id, one.user_id) == (above.id, hass_admin_user.id)
    assert one.id != two.id


async def test_context_comes_from_the_port(
    hass: HomeAssistant, calls: list[ServiceCall]
) -> None:
    """Who knows which contexts are ours is somebody else."""
    made = Context()
    registry = ActionRegistry(hass, new_context=lambda caller: made)

    await call(registry, "t.none")

    assert calls[0].context is made


async def test_gone_between_the_gates_and_the_call(
    hass: HomeAssistant, registry: ActionRegistry, calls: list[ServiceCall]
) -> None:
    """Typed, and not a failure of the action."""
    tool = registry.find("t.none")
    assert tool is not None
    hass.services.async_remove("t", "none")

    error = await tool.call_tool(Invocation(caller=DIRECT, arguments={}, call_id="1"))

    assert isinstance(error, ToolError)
    assert error.reason is Reason.NOT_FOUND


async def test_missing_action_inside_a_running_one_is_a_failure(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Also if it is the very same name."""

    async def call_others(service_call: ServiceCall) -> None:
        await hass.services.async_call("no", "such_action", blocking=True)

    async def call_itself(service_call: ServiceCall) -> None:
        hass.services.async_remove("t", "itself")
        await hass.services.async_call("t", "itself", blocking=True)

    hass.services.async_register("t", "others", call_others)
    hass.services.async_register("t", "itself", call_itself)
    for name in ("t.others", "t.itself"):
        result = await call(registry, name)
        assert result.error is not None
        assert result.error.reason is Reason.FAILED, name


async def test_bugs_of_an_action_are_internal(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Their text is not shown."""

    async def fail(service_call: ServiceCall) -> None:
        raise KeyError("secret")

    hass.services.async_register("t", "bug", fail)

    result = await call(registry, "t.bug")

    assert result.error is not None
    assert result.error.reason is Reason.INTERNAL
    assert "secret" not in result.text


async def test_home_assistants_own_permissions_come_on_top(
    hass: HomeAssistant, registry: ActionRegistry, hass_read_only_user: User
) -> None:
    """Never instead."""
    lamp = Lamp("a")
    await async_move_in(hass, [lamp])
    caller = Caller(entrance=Entrance.DIRECT, user_id=hass_read_only_user.id)

    result = await call(
        registry, "light.turn_on", {"entity_id": "light.a"}, caller=caller
    )

    assert result.error is not None
    assert (result.error.reason, lamp.runs) == (Reason.UNAUTHORIZED, 0)


async def test_home_assistants_own_schema_has_the_last_word(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """What the description could not tell."""
    await async_move_in(hass, [Lamp("a")])
    await registry.async_prepare()

    result = await call(
        registry, "light.turn_on", {"entity_id": "light.a", "rgbw_color": [1, 2]}
    )

    assert result.error is not None
    assert (result.error.reason, result.error.field) == (Reason.VALUE, "rgbw_color")


async def test_arguments_stay_as_they_are(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Home Assistant's handlers change what they are given."""
    player = Player("tv")
    await async_move_in(hass, [player])
    await registry.async_prepare()
    media = {"media_content_id": "song", "media_content_type": "music"}
    arguments = {"entity_id": ["media_player.tv"], "media": media}
    tool = registry.find("media_player.play_media")
    assert tool is not None

    await tool.call_tool(Invocation(caller=DIRECT, arguments=arguments, call_id="1"))

    assert player.played == ["song"]
    assert arguments == {"entity_id": ["media_player.tv"], "media": media}


async def test_scripts_have_no_limit_of_their_own_and_no_action_is_cancelled(
    hass: HomeAssistant, registry: ActionRegistry, calls: list[ServiceCall]
) -> None:
    """Stopping between two steps leaves a home half done."""
    assert await async_setup_component(
        hass, "script", {"script": {"a": {"sequence": []}}}
    )
    found = {
        name: registry.find(name) for name in ("script.a", "script.turn_on", "t.none")
    }
    told = {
        name: (tool.definition.untimed, tool.definition.cancellable)
        for name, tool in found.items()
        if tool is not None
    }

    assert told == {
        "script.a": (True, False),
        "script.turn_on": (True, False),
        "t.none": (False, False),
    }


async def test_speech_for_a_player_that_is_away(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """The voice is there, the loudspeaker is not."""
    assert await async_setup_component(hass, "tts", {})
    await async_move_in(hass, [Player("tv", away=True)])
    await registry.async_prepare()
    hass.states.async_set("tts.voice", "unknown")

    result = await call(
        registry,
        "tts.speak",
        {
            "entity_id": "tts.voice",
            "media_player_entity_id": "media_player.tv",
            "message": "hello",
        },
    )

    assert result.error is not None
    assert result.error.reason is Reason.UNAVAILABLE
    assert "media_player.tv" in result.error.detail


async def test_update_of_an_entity_that_stays_away(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """It may come back by it, so it is tried first."""
    lamp = Lamp("a", away=True)
    await async_move_in(hass, [lamp])
    await registry.async_prepare()

    async def run() -> Reason | None:
        result = await call(
            registry, "homeassistant.update_entity", {"entity_id": "light.a"}
        )
        return None if result.error is None else result.error.reason

    assert await run() is Reason.UNAVAILABLE
    lamp._attr_available = True
    assert await run() is None


@pytest.mark.parametrize("entity_id", ["sensor.x", "light.only_a_state"])
async def test_update_of_what_is_a_state_only(
    hass: HomeAssistant, registry: ActionRegistry, entity_id: str
) -> None:
    """Home Assistant says in its log only that nothing was asked for anything."""
    await async_move_in(hass, [Lamp("a")])
    hass.states.async_set(entity_id, "5")
    await registry.async_prepare()

    async def run(*entities: str) -> ToolResult:
        arguments = {"entity_id": list(entities)}
        return await call(registry, "homeassistant.update_entity", arguments)

    alone, beside = await run(entity_id), await run("light.a", entity_id)

    assert alone.error is not None
    assert alone.error.reason is Reason.VALUE
    assert entity_id in alone.error.detail
    assert beside.error is None
    assert entity_id in beside.warnings[0]
