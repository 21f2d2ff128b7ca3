"""The action `homeagent.run_<slug>` of a sequence, with its form."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import translation
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.setup import async_setup_component
import pytest

from .home import async_act, async_set_up
from .sequence_home import FAILING, PLAIN, ROOMS, async_make

pytestmark = pytest.mark.usefixtures("set_up")

TYPED: list[dict[str, Any]] = [
    {
        "name": "one",
        "in": {
            "host": {"type": "string", "description": "Which one"},
            "level": {"type": "integer", "default": 3},
            "loud": {"type": "boolean", "required": False},
            "pick": {"type": "integer", "enum": [1, 2], "default": 2},
        },
        "tools": '{"tool":"wait","args":{"seconds":0}} ;',
    },
    {
        "name": "two",
        "in": {"host": "string", "level": "number", "more": "object"},
        "tools": '{"tool":"wait","args":{"seconds":0}} ;',
    },
    {
        "name": "aside",
        "in": {"never": "string"},
        "call_only": True,
        "tools": '{"tool":"wait","args":{"seconds":0}} ;',
    },
]


@pytest.fixture(name="set_up")
async def set_up_fixture(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Set up a home without sequences."""
    await async_set_up(hass)


async def _description(hass: HomeAssistant, name: str) -> dict[str, Any]:
    described: dict[str, Any] = (await async_get_all_descriptions(hass))["homeagent"]
    return dict(described[name])


async def test_form(hass: HomeAssistant, hass_admin_user: User) -> None:
    """The fields are the inputs of all groups that a run comes to."""
    await async_make(hass, hass_admin_user, "Typed", TYPED, description="Does it")
    told = await _description(hass, "run_typed")
    assert (told["name"], told["description"]) == ("Typed", "Does it")
    assert told["response"] == {"optional": True}
    fields = told["fields"]
    assert {key: field["required"] for key, field in fields.items()} == {
        "host": True,
        "level": True,
        "loud": False,
        "pick": False,
        "more": True,
    }
    assert {key: list(field["selector"]) for key, field in fields.items()} == {
        "host": ["text"],
        "level": ["number"],
        "loud": ["boolean"],
        "pick": ["select"],
        "more": ["object"],
    }
    assert fields["host"]["description"] == "Which one"
    assert fields["pick"]["default"] == "2"
    assert "default" not in fields["level"]


async def test_form_follows_the_sequence(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """An edit changes the form at once; a new name does not change the action."""
    entry = await async_make(hass, hass_admin_user, "Night", ROOMS)
    assert list((await _description(hass, "run_night"))["fields"]) == ["room"]
    await async_make(hass, hass_admin_user, "Night", PLAIN, replace=True)
    assert (await _description(hass, "run_night"))["fields"] == {}
    hass.config_entries.async_update_entry(entry, title="Evening")
    await hass.async_block_till_done()
    assert (await _description(hass, "run_night"))["name"] == "Evening"
    assert not hass.services.has_service("homeagent", "run_evening")
    done = await async_act(hass, "run_night", user=hass_admin_user)
    assert (done["sequence"], done["status"]) == ("Evening", "ok")
    await hass.config_entries.async_reload(entry.entry_id)
    assert hass.services.has_service("homeagent", "run_night")


@pytest.mark.parametrize(
    ("names", "slugs"),
    [
        (["巡检三节点"], ["xun_jian_san_jie_dian"]),
        (["Night", "night!", "NIGHT."], ["night", "night_2", "night_3"]),
        (["★"], ["sequence"]),
        (["x" * 60, "x" * 59 + "y"], ["x" * 38, "x" * 36 + "_2"]),
    ],
)
async def test_slugs(
    hass: HomeAssistant, hass_admin_user: User, names: list[str], slugs: list[str]
) -> None:
    """Names of any script give a name of an action, each its own."""
    for name in names:
        await async_make(hass, hass_admin_user, name, PLAIN)
    actions = hass.services.async_services_for_domain("homeagent")
    assert sorted(each for each in actions if each.startswith("run_")) == sorted(
        f"run_{slug}" for slug in slugs
    )


async def test_failures(hass: HomeAssistant, hass_admin_user: User) -> None:
    """They are told in the response, and raise where none was asked for."""
    await async_make(hass, hass_admin_user, "Night", FAILING)
    await async_make(hass, hass_admin_user, "Rooms", ROOMS)
    told = await async_act(hass, "run_night", user=hass_admin_user)
    assert (told["status"], told["success"]) == ("failed", False)
    for data, words in (
        (None, "room: This input is needed"),
        ({"room": "attic"}, "attic"),
        ({"rom": 1}, "rom"),
    ):
        told = await async_act(hass, "run_rooms", data, user=hass_admin_user)
        assert told["success"] is False
        assert words in told["text"]
    with pytest.raises(ServiceValidationError, match="not allowed"):
        await hass.services.async_call(
            "homeagent", "run_rooms", {"room": "kitchen"}, blocking=True
        )
    assert hass.states.is_state("input_boolean.kitchen", "off")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            [
                "Rooms: Failed in 0 s",
                (
                    'g: room: "attic" cannot be chosen here.'
                    ' Possible are: "kitchen", "bedroom".'
                ),
                "g: Not run (the run did not start)",
            ],
        ),
        (
            "zh-Hans",
            [
                "Rooms：失败，用时 0 秒",
                'g：room：这里不能选 "attic"。可选："kitchen", "bedroom"。',
                "g：未运行（运行没有开始）",
            ],
        ),
    ],
)
async def test_text_is_for_people(
    hass: HomeAssistant, hass_admin_user: User, language: str, told: list[str]
) -> None:
    """Automations put it into notifications: it is in the home's language."""
    hass.config.language = language
    for category in ("selector", "exceptions"):
        await translation.async_get_translations(
            hass, language, category, {"homeagent"}
        )
    await async_make(hass, hass_admin_user, "Rooms", ROOMS)
    answers = [
        await async_act(hass, "run_rooms", {"room": "attic"}, user=hass_admin_user),
        await async_act(
            hass,
            "seq_run",
            {"name": "Rooms", "args": {"room": "attic"}},
            user=hass_admin_user,
        ),
    ]
    for answer in answers:
        assert answer["text"].splitlines() == told


async def test_in_an_automation(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Its response can be used; the automation has its own rights."""
    await async_make(hass, hass_admin_user, "Rooms", ROOMS)
    automation = {
        "alias": "Runner",
        "triggers": [{"trigger": "event", "event_type": "go"}],
        "actions": [
            {
                "action": "homeagent.run_rooms",
                "data": {"room": "bedroom"},
                "response_variable": "run",
            },
            {
                "action": "homeagent.seq_run",
                "data": {"name": "Rooms", "args": {"room": "kitchen"}},
                "response_variable": "other",
            },
            {
                "event": "told",
                "event_data": {"one": "{{ run.status }}", "two": "{{ other.status }}"},
            },
        ],
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    told: list[dict[str, Any]] = []
    hass.bus.async_listen("told", lambda event: told.append(dict(event.data)))
    hass.bus.async_fire("go")
    await hass.async_block_till_done()
    assert told == [{"one": "ok", "two": "ok"}]
    assert hass.states.is_state("input_boolean.bedroom", "on")
    assert hass.states.is_state("input_boolean.kitchen", "on")
