"""Access rules in the UI: the form, its errors, the sentence before saving, the menus."""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.homeagent.access.defaults import DEFAULTS, READY_MADE
from custom_components.homeagent.access.model import Who
from custom_components.homeagent.access.rule_sentence import ready_risk, ready_sentence
from custom_components.homeagent.tools.access_rules import AccessRules
from custom_components.homeagent.tools.rule_form import TOLD_CODES

from .home import async_set_up

TRANSLATIONS = (
    Path(__file__).resolve().parents[2] / "custom_components/homeagent/translations"
)
GOOD: dict[str, Any] = {
    "who": ["voice_devices"],
    "callers": {},
    "through": ["conversation"],
    "what": ["entity_actions"],
    "things": {},
    "where": ["speaking_area"],
    "places": {},
    "how": "ask",
    "enabled": True,
}


@pytest.fixture(name="entry")
async def entry_fixture(hass: HomeAssistant) -> ConfigEntry:
    """The HomeAgent entry with its default rules."""
    await async_set_up(hass)
    flow = await hass.config_entries.flow.async_init(
        "homeagent", context={"source": SOURCE_USER}
    )
    for answer in ({"next_step_id": "kernel"}, {}):
        await hass.config_entries.flow.async_configure(flow["flow_id"], answer)
    (entry,) = hass.config_entries.async_entries("homeagent")
    return entry


async def _answer(
    hass: HomeAssistant, entry: ConfigEntry, *answers: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Open the flow that adds a rule and give the answers one after the other."""
    flows = hass.config_entries.subentries
    result = await flows.async_init(
        (entry.entry_id, "access_rule"), context={"source": SOURCE_USER}
    )
    for answer in answers:
        result = await flows.async_configure(result["flow_id"], dict(answer))
    return result


def _step(name: str) -> dict[str, str]:
    return {"next_step_id": name}


async def test_written_rule_is_shown_as_a_sentence_and_saved(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """The sentence is the title, and the rule counts at once."""
    shown = await _answer(hass, entry, _step("rule"), GOOD)
    assert shown["step_id"] == "confirm"
    made = await hass.config_entries.subentries.async_configure(shown["flow_id"], {})
    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["title"] == (
        "Everyone who speaks to a voice device may switch entities in the area of the"
        " voice device that spoke, through a conversation, after a person has agreed."
    )
    rules = AccessRules(hass).rules()
    assert rules[-1].name == made["title"]
    assert rules[-1].who == {Who.VOICE_DEVICES}


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"who": []}, {"who": "nobody", "where": "nobody_speaks"}),
        ({"through": []}, {"through": "no_entrance"}),
        ({"what": []}, {"what": "nothing"}),
        ({"where": []}, {"where": "nowhere"}),
        ({"through": ["mcp"]}, {"who": "other_entrance"}),
        ({"who": ["automations"]}, {"who": "other_entrance", "where": "nobody_speaks"}),
        ({"things": {"tools": ["*", "a b"]}}, {"things": "no_pattern"}),
        ({"things": {"entities": ["script.x"]}}, {"things": "area_does_not_reach"}),
        ({"what": ["running_sequences"]}, {"what": "area_does_not_reach"}),
    ],
)
async def test_mistake_is_told_at_its_place(
    hass: HomeAssistant,
    entry: ConfigEntry,
    change: dict[str, Any],
    errors: dict[str, str],
) -> None:
    """What was filled in stays, and the next try works."""
    told = await _answer(hass, entry, _step("rule"), GOOD | change)
    assert told["type"] is FlowResultType.FORM
    assert dict(told["errors"]) | errors == dict(told["errors"])
    assert set(told["errors"].values()) <= set(told["description_placeholders"])
    flows = hass.config_entries.subentries
    again = await flows.async_configure(told["flow_id"], GOOD)
    assert again["step_id"] == "confirm"


async def test_names_are_shown_and_are_no_markup(
    hass: HomeAssistant, entry: ConfigEntry, hass_admin_user: User
) -> None:
    """Users and areas are stored by id; their names stand in the sentence, escaped."""
    area = ar.async_get(hass).async_create("Attic *here* [x](http://x)")
    filled = GOOD | {
        "who": [],
        "callers": {"users": [hass_admin_user.id]},
        "where": [],
        "places": {"areas": [area.id]},
        "how": "allow",
    }
    shown = await _answer(hass, entry, _step("rule"), filled)
    told = shown["description_placeholders"]
    assert told["sentence"] == (
        "Mock User may switch entities in Attic \\*here\\* \\[x\\]\\(http\\:\\/\\/x\\),"
        " through a conversation\\."
    ).replace("\\/", "/")
    assert "[!WARNING]" in told["risk"]
    await hass.config_entries.subentries.async_configure(shown["flow_id"], {})
    rule = AccessRules(hass).rules()[-1]
    assert rule.users == {hass_admin_user.id}
    assert rule.areas == {area.id}


async def test_stranger_cannot_be_chosen(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """Only people with a login are choices."""
    shown = await _answer(hass, entry, _step("rule"))
    with pytest.raises(Exception, match="users"):
        await hass.config_entries.subentries.async_configure(
            shown["flow_id"], GOOD | {"callers": {"users": ["nobody"]}}
        )


@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.key)
async def test_ready_made_rule_shows_its_risk_first(
    hass: HomeAssistant, entry: ConfigEntry, ready: Any
) -> None:
    """Chosen from a menu, confirmed, in force; then it is offered no more."""
    shown = await _answer(hass, entry, _step("ready"), _step(ready.key))
    assert shown["step_id"] == "confirm"
    assert "[!WARNING]" in shown["description_placeholders"]["risk"]
    made = await hass.config_entries.subentries.async_configure(shown["flow_id"], {})
    assert made["title"] == ready.sentence
    rule = AccessRules(hass).rules()[-1]
    assert (rule.key, rule.enabled) == (ready.key, True)
    menu = await _answer(hass, entry, _step("ready"))
    assert ready.key not in menu["menu_options"]
    assert len(menu["menu_options"]) == len(READY_MADE) - 1


async def test_deleted_default_can_be_brought_back(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """The menu offers it only then."""
    menu = await _answer(hass, entry)
    assert menu["menu_options"] == ["rule", "ready"]
    (gone,) = [
        one for one in entry.subentries.values() if one.data["key"] == "voice_devices"
    ]
    hass.config_entries.async_remove_subentry(entry, gone.subentry_id)
    menu = await _answer(hass, entry, _step("restore"))
    assert menu["menu_options"] == ["voice_devices"]
    shown = await _answer(hass, entry, _step("restore"), _step("voice_devices"))
    assert shown["description_placeholders"]["risk"] == ""
    made = await hass.config_entries.subentries.async_configure(shown["flow_id"], {})
    assert made["title"] == gone.title


async def _reconfigure(
    hass: HomeAssistant, entry: ConfigEntry, subentry_id: str
) -> Mapping[str, Any]:
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, "access_rule"),
        context={"source": "reconfigure", "subentry_id": subentry_id},
    )


async def test_rule_is_changed_in_place(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """The form shows what is stored; title and rule change, the id stays."""
    subentry = list(entry.subentries.values())[3]
    form = await _reconfigure(hass, entry, subentry.subentry_id)
    shown = {
        str(key): key.description["suggested_value"]
        for key in form["data_schema"].schema
        if key.description
    }
    assert shown["who"] == ["voice_devices"]
    flows = hass.config_entries.subentries
    confirm = await flows.async_configure(form["flow_id"], GOOD | {"enabled": False})
    done = await flows.async_configure(confirm["flow_id"], {})
    assert (done["type"], done["reason"]) == (
        FlowResultType.ABORT,
        "reconfigure_successful",
    )
    rule = AccessRules(hass).rules()[3]
    assert (rule.id, rule.key) == (subentry.subentry_id, "voice_devices")
    assert not rule.enabled
    assert rule.name.startswith("Off: Everyone who speaks")


@pytest.mark.parametrize("data", [{}, {"who": "all", "users": [1], "how": 3}])
async def test_damaged_rule_can_be_mended(
    hass: HomeAssistant, entry: ConfigEntry, data: dict[str, Any]
) -> None:
    """The form opens whatever is stored."""
    subentry = list(entry.subentries.values())[3]
    hass.config_entries.async_update_subentry(entry, subentry, data=data)
    assert len(AccessRules(hass).rules()) == len(DEFAULTS) - 1
    form = await _reconfigure(hass, entry, subentry.subentry_id)
    flows = hass.config_entries.subentries
    confirm = await flows.async_configure(form["flow_id"], GOOD)
    await flows.async_configure(confirm["flow_id"], {})
    assert len(AccessRules(hass).rules()) == len(DEFAULTS)


def _texts(language: str) -> dict[str, Any]:
    path = TRANSLATIONS / f"{language}.json"
    texts = json.loads(path.read_text(encoding="utf-8"))
    flow = texts["config_subentries"]["access_rule"]
    assert isinstance(flow, dict)
    return flow


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_menus_say_what_the_rules_say(language: str) -> None:
    """Sentence and risk in the menu are those of the rule."""
    space = " " if language == "en" else ""
    for step, rules in (("ready", READY_MADE), ("restore", DEFAULTS)):
        told = _texts(language)["step"][step]["menu_option_descriptions"]
        assert told == {
            one.key: space.join(
                filter(None, (ready_sentence(one, language), ready_risk(one, language)))
            )
            for one in rules
        }


def test_every_mistake_has_words() -> None:
    """Each code of a problem that people can make in the form."""
    assert set(_texts("en")["error"]) == TOLD_CODES | {"invalid_rule"}


async def test_form_shows_entities_by_their_entity_ids(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """They are stored by registry id, and shown and told as they are called now."""
    registry = er.async_get(hass)
    made = registry.async_get_or_create("light", "x", "1", suggested_object_id="old")
    hass.states.async_set("light.old", "on", {"friendly_name": "Lamp"})
    hass.states.async_set("light.plain", "on", {"friendly_name": "Plain"})
    filled = GOOD | {"what": [], "where": ["everywhere"]}
    filled["things"] = {"entities": ["light.old", "light.plain"]}
    shown: Any = await _answer(hass, entry, _step("rule"), filled)
    told = shown["description_placeholders"]["sentence"]
    assert "Lamp \\(light\\.old\\) and Plain \\(light\\.plain\\)" in told
    flows = hass.config_entries.subentries
    await flows.async_configure(shown["flow_id"], {})
    subentry = list(entry.subentries.values())[-1]
    assert set(subentry.data["entities"]) == {made.id, "light.plain"}
    registry.async_update_entity("light.old", new_entity_id="light.new")
    hass.states.async_set("light.new", "on", {"friendly_name": "Lamp"})
    form = await _reconfigure(hass, entry, subentry.subentry_id)
    inside = form["data_schema"].schema["things"].schema.schema
    (shown_ids,) = [
        key.description["suggested_value"] for key in inside if key == "entities"
    ]
    assert set(shown_ids) == {"light.new", "light.plain"}
    confirm: Any = await flows.async_configure(
        form["flow_id"], filled | {"things": {"entities": [made.id]}}
    )
    told = confirm["description_placeholders"]["sentence"]
    assert "Lamp \\(light\\.new\\)" in told
    await flows.async_configure(confirm["flow_id"], {})
    assert subentry.data["entities"] == [made.id]


@pytest.mark.parametrize("answered", [0, 1])
@pytest.mark.parametrize("goes", ["rule", "entry"])
async def test_rule_that_is_deleted_meanwhile(
    hass: HomeAssistant, entry: ConfigEntry, answered: int, goes: str
) -> None:
    """The flow ends in words, wherever it stands."""
    subentry_id = next(iter(entry.subentries))
    result = await _reconfigure(hass, entry, subentry_id)
    flows = hass.config_entries.subentries
    for answer in [GOOD][:answered]:
        result = await flows.async_configure(result["flow_id"], answer)
    if goes == "rule":
        hass.config_entries.async_remove_subentry(entry, subentry_id)
    else:
        await hass.config_entries.async_remove(entry.entry_id)
    rest = [GOOD, {}][answered:]
    result = await flows.async_configure(result["flow_id"], rest[0])
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "gone")
    assert result["reason"] in _texts("en")["abort"]


@pytest.mark.parametrize(
    ("menu", "ready"), [("ready", READY_MADE[0]), ("restore", DEFAULTS[0])]
)
async def test_two_people_take_the_same_ready_made_rule(
    hass: HomeAssistant, entry: ConfigEntry, menu: str, ready: Any
) -> None:
    """It is there once."""
    for one in tuple(entry.subentries.values()):
        if one.data["key"] == ready.key:
            hass.config_entries.async_remove_subentry(entry, one.subentry_id)
    both = [await _answer(hass, entry, _step(menu), _step(ready.key)) for _ in range(2)]
    flows = hass.config_entries.subentries
    ends = [await flows.async_configure(one["flow_id"], {}) for one in both]
    assert ends[0]["type"] is FlowResultType.CREATE_ENTRY
    assert ends[1]["reason"] == "already_there"
    assert "already_there" in _texts("en")["abort"]
    keys = [one.data.get("key") for one in entry.subentries.values()]
    assert keys.count(ready.key) == 1
