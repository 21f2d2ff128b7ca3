"""Rights stay with what they were given for: renamed, removed, and come again."""

from collections.abc import Callable

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    issue_registry as ir,
)
import pytest

from custom_components.homeagent.tools.access_rules import AccessRules

from .guarded import Guarded, async_guarded, rule

KITCHEN = "light.kitchen"
STUDY = "light.study"


async def _guarded(hass: HomeAssistant, **grants: object) -> Guarded:
    """Return the home with one rule, for everyone who is signed in."""
    granted = rule("one", who=["signed_in"], through=["direct"], **grants)
    home = await async_guarded(hass, granted)
    await hass.async_block_till_done()
    return home


def _entry(hass: HomeAssistant) -> ConfigEntry:
    (entry,) = hass.config_entries.async_entries("homeagent")
    return entry


def _stored(hass: HomeAssistant) -> ConfigSubentry:
    (subentry,) = _entry(hass).subentries.values()
    return subentry


async def _may(home: Guarded, entity_id: str) -> bool:
    result = await home.call("light.turn_on", {"entity_id": entity_id})
    return bool(result.success)


async def _rename(hass: HomeAssistant, old: str, new: str) -> None:
    er.async_get(hass).async_update_entity(old, new_entity_id=new)
    await hass.async_block_till_done()


async def test_right_follows_a_renamed_entity(hass: HomeAssistant) -> None:
    """And the next one with its id gets nothing, whoever asks how often."""
    home = await _guarded(hass, where=["everywhere"], entities=[KITCHEN])
    assert (await _may(home, KITCHEN), await _may(home, STUDY)) == (True, False)
    await _rename(hass, KITCHEN, "light.cook")
    assert await _may(home, "light.cook")
    await _rename(hass, STUDY, KITCHEN)
    assert not await _may(home, KITCHEN)
    assert home.lamps["study"].runs == 0


async def test_right_of_a_rule_that_is_added_later_follows(hass: HomeAssistant) -> None:
    """What is stored by entity id is stored by registry id as soon as it is saved."""
    home = await _guarded(hass, where=["everywhere"], what=["reading"])
    data = {**_stored(hass).data, "entities": [KITCHEN]}
    hass.config_entries.async_update_subentry(_entry(hass), _stored(hass), data=data)
    assert _stored(hass).data["entities"] == [home.ids["kitchen registry"]]
    await _rename(hass, KITCHEN, "light.cook")
    assert await _may(home, "light.cook")


async def test_entity_that_is_gone_grants_nothing(hass: HomeAssistant) -> None:
    """It is no damage; Home Assistant brings the same one back with its registry id."""
    await _guarded(hass, where=["everywhere"], entities=[KITCHEN])
    registry = er.async_get(hass)
    gone = registry.async_get(KITCHEN)
    assert gone is not None
    registry.async_remove(KITCHEN)
    await hass.async_block_till_done()
    rules = AccessRules(hass).rules
    assert rules() == ()
    assert not ir.async_get(hass).issues
    other = registry.async_get_or_create(
        "light", "other", "1", suggested_object_id="kitchen"
    )
    assert other.entity_id == KITCHEN
    assert rules() == ()
    registry.async_remove(KITCHEN)
    registry.async_get_or_create(
        gone.domain, gone.platform, gone.unique_id, suggested_object_id="back"
    )
    (counts,) = rules()
    assert counts.entities == {registry.entities.get_entry(gone.id).entity_id}  # type: ignore[union-attr]


async def test_entity_without_registry_entry_is_known_by_its_id(
    hass: HomeAssistant,
) -> None:
    """There is nothing else to know it by, until it is registered."""
    hass.states.async_set("light.plain", "off")
    home = await _guarded(hass, where=["everywhere"], entities=["light.plain"])
    assert _stored(hass).data["entities"] == ["light.plain"]
    assert (await home.call("get_state", {"entity_id": "light.plain"})).success
    hass.states.async_remove("light.plain")
    made = er.async_get(hass).async_get_or_create(
        "light", "test", "plain", suggested_object_id="plain"
    )
    assert _stored(hass).data["entities"] == [made.id]


def _remove_area(hass: HomeAssistant) -> None:
    ar.async_get(hass).async_delete("kitchen")


def _remove_floor(hass: HomeAssistant) -> None:
    fr.async_get(hass).async_delete("kitchen_floor")


def _make_area(hass: HomeAssistant) -> None:
    made = ar.async_get(hass).async_create("Kitchen")
    assert made.id == "kitchen"
    er.async_get(hass).async_update_entity(STUDY, area_id=made.id)


def _make_floor(hass: HomeAssistant) -> None:
    made = fr.async_get(hass).async_create("kitchen floor")
    assert made.floor_id == "kitchen_floor"
    ar.async_get(hass).async_update("study", floor_id=made.floor_id)


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize(
    ("places", "remove", "make"),
    [
        ({"areas": ["kitchen"]}, _remove_area, _make_area),
        ({"floors": ["kitchen_floor"]}, _remove_floor, _make_floor),
    ],
)
async def test_place_that_comes_again_revives_nothing(
    hass: HomeAssistant,
    places: dict[str, object],
    remove: Callable[[HomeAssistant], None],
    make: Callable[[HomeAssistant], None],
    enabled: bool,
) -> None:
    """A rule whose last place went grants nothing, and an issue tells of it."""
    grants = {"what": ["entity_actions"], "tools": ["notify.*"], **places}
    home = await _guarded(hass, enabled=enabled, **grants)
    assert await _may(home, KITCHEN) is enabled
    remove(hass)
    await hass.async_block_till_done()
    make(hass)
    await hass.async_block_till_done()
    assert not await _may(home, STUDY)
    assert not (await home.call("notify.phone", {})).success
    issue = f"damaged_access_rule_{_stored(hass).subentry_id}"
    assert ir.async_get(hass).async_get_issue("homeagent", issue) is not None
    assert home.untouched()


async def test_other_places_of_a_rule_count_on(hass: HomeAssistant) -> None:
    """Only what is gone is taken out."""
    home = await _guarded(hass, what=["entity_actions"], areas=["kitchen", "study"])
    _remove_area(hass)
    await hass.async_block_till_done()
    assert _stored(hass).data["areas"] == ["study"]
    assert (await _may(home, KITCHEN), await _may(home, STUDY)) == (False, True)


async def test_place_that_went_while_nobody_looked(hass: HomeAssistant) -> None:
    """What is not there at the start is taken out then."""
    await _guarded(hass, what=["entity_actions"], areas=["study"])
    data = {**_stored(hass).data, "areas": ["gone", "study"]}
    object.__setattr__(_stored(hass), "data", data)
    (counts,) = AccessRules(hass).rules()
    assert counts.areas == {"study"}
    assert _stored(hass).data["areas"] == ["study"]


async def test_entities_whose_rule_changed_give_a_new_tuple(
    hass: HomeAssistant,
) -> None:
    """Policies keep what they found out for as long as it is the same object."""
    await _guarded(hass, where=["everywhere"], entities=[KITCHEN])
    rules = AccessRules(hass)
    before = rules.rules()
    await _rename(hass, STUDY, "light.other")
    assert rules.rules() is before
    await _rename(hass, KITCHEN, "light.cook")
    assert [one.entities for one in rules.rules()] == [{"light.cook"}]
