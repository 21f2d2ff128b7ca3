"""The documents' actions are performed, and their automations taken, by Home Assistant."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.automation.config import async_validate_config_item
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import WebSocketGenerator  # type: ignore[import-untyped]
import yaml

from tests.core.docs.documents import Block, blocks
from tests.core.docs.markdown import fences, read

from .home import async_act

STEPS: list[dict[str, Any]] = []
"""What a lamp does: nothing, but its state changes."""

HOUSE: Mapping[str, list[dict[str, Any]]] = {
    "template": [
        {
            "light": [
                {
                    "default_entity_id": f"light.{room}",
                    "unique_id": f"light_{room}",
                    "name": room,
                    "turn_on": STEPS,
                    "turn_off": STEPS,
                }
                for room in ("kitchen", "bedroom")
            ],
            "cover": {
                "default_entity_id": "cover.bedroom",
                "unique_id": "cover_bedroom",
                "name": "bedroom",
                "open_cover": STEPS,
                "close_cover": STEPS,
            },
        }
    ],
    "input_boolean": [],
    "climate": [
        {
            "platform": "generic_thermostat",
            "name": "bedroom",
            "unique_id": "climate_bedroom",
            "heater": "switch.radiator",
            "target_sensor": "sensor.bedroom",
        }
    ],
    "media_player": [
        {
            "platform": "universal",
            "name": "kitchen",
            "unique_id": "media_kitchen",
            "commands": {"turn_off": {"action": "persistent_notification.dismiss_all"}},
        }
    ],
}

INCOMPLETE = {"homeagent.answer_request"}
"""Actions that cannot work as they are pasted: an id has to be put in."""


@pytest.fixture(name="hass_config_dir")
def hass_config_dir_fixture(hass_tmp_config_dir: str) -> str:
    """Each test has a configuration folder of its own, with a sequence's file in it."""
    folder = Path(hass_tmp_config_dir) / "homeagent" / "sequences"
    folder.mkdir(parents=True, exist_ok=True)
    for fence in fences(read("docs/sequences.md")):
        if fence.info == "json file=evening.json":
            (folder / "evening.json").write_text(fence.text, "utf-8")
    return hass_tmp_config_dir


@pytest.fixture(name="owner")
async def owner_fixture(hass: HomeAssistant, hass_admin_user: User) -> User:
    """A home with all that the examples name, and who lives there."""
    for domain in ("homeassistant", "persistent_notification", "conversation"):
        assert await async_setup_component(hass, domain, {})
    hass.states.async_set("sensor.bedroom", "20", {"unit_of_measurement": "°C"})
    hass.states.async_set("switch.radiator", "off")
    for domain, config in HOUSE.items():
        assert await async_setup_component(hass, domain, {domain: config or {}})
    await hass.async_block_till_done()
    _furnish(hass)
    async_mock_service(hass, "notify", "mobile_app_phone")
    async_mock_service(hass, "notify", "phone")
    await hass.auth.async_create_user("Lena")
    flow = hass.config_entries.flow
    begun = await flow.async_init("homeagent", context={"source": "user"})
    for step in ({"next_step_id": "kernel"}, {}):
        begun = await flow.async_configure(begun["flow_id"], step)
    await hass.async_block_till_done()
    return hass_admin_user


def _furnish(hass: HomeAssistant) -> None:
    """Put everything into its area."""
    areas = ar.async_get(hass)
    for room in ("kitchen", "bedroom"):
        areas.async_get_or_create(room)
    entities = er.async_get(hass)
    for entry in list(entities.entities.values()):
        entities.async_update_entity(
            entry.entity_id, area_id=entry.entity_id.partition(".")[2]
        )


def _params(*kinds: str) -> list[Any]:
    found = [pytest.param(each, id=each.name) for each in blocks(*kinds)]
    assert found
    return found


@pytest.mark.parametrize(
    "page", sorted({each.page for each in blocks("yaml action")} | {"docs/guide.md"})
)
async def test_actions_of_a_page(hass: HomeAssistant, owner: User, page: str) -> None:
    """Pasted one after the other, each does what it says."""
    before = ["README.md"] if page == "docs/guide.md" else []
    done = 0
    for block in blocks("yaml action"):
        if block.page not in (*before, page):
            continue
        call = yaml.safe_load(block.fence.text)
        assert set(call) <= {"action", "data", "response_variable"}
        domain, _, name = call["action"].partition(".")
        assert domain == "homeagent"
        answer = await async_act(hass, name, call.get("data"), user=owner)
        await hass.async_block_till_done()
        worked = answer.get("success", "verdict" in answer)
        assert worked != (call["action"] in INCOMPLETE), (block.name, answer)
        done += 1
    assert done


@pytest.mark.parametrize("block", _params("yaml automation"))
async def test_automation(hass: HomeAssistant, owner: User, block: Block) -> None:
    """Home Assistant takes it as its editor does."""
    config = yaml.safe_load(block.fence.text)
    assert await async_setup_component(hass, "automation", {})
    taken = await async_validate_config_item(hass, "documented", config)
    assert taken is not None
    assert taken.validation_error is None


@pytest.mark.parametrize("page", ["README.md", "README.zh-Hans.md"])
@pytest.mark.parametrize(
    ("lamps", "told"),
    [("all", None), ("light.no_such_lamp", "no such entity: light.no_such_lamp")],
)
async def test_scheduled_run_tells_of_its_failure(
    hass: HomeAssistant,
    owner: User,
    hass_ws_client: WebSocketGenerator,
    page: str,
    lamps: str,
    told: str | None,
) -> None:
    """The first five minutes: the lights go off, or a notification says why not."""
    create, _, _ = (
        yaml.safe_load(each.fence.text)
        for each in blocks("yaml action")
        if each.page == page
    )
    (automation,) = (
        yaml.safe_load(each.fence.text)
        for each in blocks("yaml automation")
        if each.page == page
    )
    assert (await async_act(hass, "seq_create", create["data"], user=owner))["success"]
    everything = {"entity_id": "all"}
    await hass.services.async_call("light", "turn_on", everything, blocking=True)
    assert hass.states.is_state("light.kitchen", "on")
    automation["actions"][0]["data"]["args"]["lamps"] = lamps
    notes = await _run(hass, owner, hass_ws_client, automation)
    failures = [note["message"] for note in notes if note["title"] != "Good night"]
    if told is None:
        assert hass.states.is_state("light.kitchen", "off")
        assert [note["title"] for note in notes] == [automation["alias"]]
    else:
        assert hass.states.is_state("light.kitchen", "on")
        assert len(notes) == 1
        assert told in failures[0]


async def test_scheduled_run_of_nothing_tells_too(
    hass: HomeAssistant, owner: User, hass_ws_client: WebSocketGenerator
) -> None:
    """A sequence that was deleted is a failure like any other."""
    (automation,) = (
        yaml.safe_load(each.fence.text)
        for each in blocks("yaml automation")
        if each.page == "README.md"
    )
    (note,) = await _run(hass, owner, hass_ws_client, automation)
    assert note["title"] == "Good night failed"
    assert "Good night" in note["message"]


async def test_every_failure_of_a_sequence_is_told(
    hass: HomeAssistant, owner: User
) -> None:
    """The guide's automation hears of a failed run, and of no other, whoever began it."""
    create = yaml.safe_load(
        next(
            each for each in blocks("yaml action") if each.page == "README.md"
        ).fence.text
    )
    await async_act(hass, "seq_create", create["data"], user=owner)
    await hass.async_block_till_done()
    (automation, *_) = (
        yaml.safe_load(each.fence.text)
        for each in blocks("yaml automation")
        if each.page == "docs/guide.md"
    )
    told = async_mock_service(hass, "notify", "mobile_app_phone")
    assert await async_setup_component(hass, "automation", {"automation": automation})
    for lamps in ("all", "light.no_such_lamp"):
        data = {"name": "Good night", "args": {"lamps": lamps}}
        await async_act(hass, "seq_run", data, user=owner)
        await hass.async_block_till_done()
    (message,) = (call.data["message"] for call in told)
    assert message == "light.turn_off: value"


async def _run(
    hass: HomeAssistant,
    owner: User,
    hass_ws_client: WebSocketGenerator,
    automation: dict[str, Any],
) -> list[dict[str, Any]]:
    """Run an automation; return the notifications of Home Assistant."""
    config = {"automation": {**automation, "id": "documented"}}
    assert await async_setup_component(hass, "automation", config)
    (entity_id,) = hass.states.async_entity_ids("automation")
    await hass.services.async_call(
        "automation",
        "trigger",
        {"entity_id": entity_id},
        blocking=True,
        context=Context(user_id=owner.id),
    )
    await hass.async_block_till_done()
    everything = {"entity_id": "all"}
    await hass.services.async_call("automation", "turn_off", everything, blocking=True)
    client = await hass_ws_client(hass)
    await client.send_json_auto_id({"type": "persistent_notification/get"})
    return list((await client.receive_json())["result"])


@pytest.mark.parametrize("block", _params("yaml configuration"))
async def test_configuration(hass: HomeAssistant, block: Block) -> None:
    """Home Assistant sets it up."""
    config = yaml.safe_load(block.fence.text)
    for domain in config:
        assert await async_setup_component(hass, domain, config)
