"""The rules of the HomeAgent entry: given once, read while it is enabled, fail closed."""

from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryDisabler,
    ConfigSubentry,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.access.defaults import defaults
from custom_components.homeagent.access.model import AccessRule
from custom_components.homeagent.tools.access_rules import (
    ACCESS_RULE,
    AccessRules,
    built_in,
    rule_data,
)

from .home import async_set_up

DEFAULT_KEYS = {rule.key for rule in defaults()}
BUILT_IN_KEYS = {"administrators_directly", "automations"}
DAMAGED: list[dict[str, Any]] = [
    {},
    {"who": ["administrators"]},
    {"who": "administrators", "through": ["direct"], "how": "allow", "enabled": True},
    {**rule_data(defaults()[0]), "who": ["everybody"]},
    {**rule_data(defaults()[0]), "how": "deny"},
    {**rule_data(defaults()[0]), "extra": 1},
]


async def _added(hass: HomeAssistant) -> ConfigEntry:
    """Add the HomeAgent entry as a person does."""
    await async_set_up(hass)
    flow = await hass.config_entries.flow.async_init(
        "homeagent", context={"source": SOURCE_USER}
    )
    for answer in ({"next_step_id": "kernel"}, {}):
        await hass.config_entries.flow.async_configure(flow["flow_id"], answer)
    (entry,) = hass.config_entries.async_entries("homeagent")
    return entry


def _keys(rules: tuple[AccessRule, ...]) -> set[str]:
    return {rule.key for rule in rules}


def _subentry(data: dict[str, Any]) -> ConfigSubentry:
    return ConfigSubentry(
        data=MappingProxyType(data),
        subentry_type=ACCESS_RULE,
        title="A rule",
        unique_id=None,
    )


async def test_fresh_entry_has_the_defaults(hass: HomeAssistant) -> None:
    """Each is a subentry whose title is its sentence, in Home Assistant's language."""
    hass.config.language = "zh-Hans"
    entry = await _added(hass)
    rules = AccessRules(hass).rules()
    assert _keys(rules) == DEFAULT_KEYS
    titles = {subentry.title for subentry in entry.subentries.values()}
    assert {rule.name for rule in rules} == titles
    assert "自动化可以做任何事：它们是管理员编写的。" in titles


@pytest.mark.parametrize(("minor_version", "given"), [(1, DEFAULT_KEYS), (2, set())])
async def test_entry_made_before_there_were_rules(
    hass: HomeAssistant, minor_version: int, given: set[str]
) -> None:
    """It gets them once; one whose rules were all deleted gets none."""
    old = MockConfigEntry(
        domain="homeagent",
        unique_id="kernel",
        data={"kind": "kernel"},
        minor_version=minor_version,
    )
    old.add_to_hass(hass)
    rules = AccessRules(hass)
    assert _keys(rules.rules()) == given, "before it is set up"
    await async_set_up(hass)
    assert _keys(rules.rules()) == given
    assert len(old.subentries) == len(given)
    for subentry_id in list(old.subentries):
        hass.config_entries.async_remove_subentry(old, subentry_id)
    await hass.config_entries.async_reload(old.entry_id)
    assert rules.rules() == ()


async def test_rules_count_while_the_entry_is_enabled(hass: HomeAssistant) -> None:
    """Loaded or not; without an enabled entry, what is built in counts."""
    await async_set_up(hass)
    rules = AccessRules(hass)
    assert rules.rules() == built_in()
    entry = await _added(hass)
    assert _keys(rules.rules()) == DEFAULT_KEYS
    await hass.config_entries.async_unload(entry.entry_id)
    assert _keys(rules.rules()) == DEFAULT_KEYS
    disabler = ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(entry.entry_id, disabler)
    assert _keys(rules.rules()) == BUILT_IN_KEYS
    await hass.config_entries.async_set_disabled_by(entry.entry_id, None)
    assert _keys(rules.rules()) == DEFAULT_KEYS
    await hass.config_entries.async_remove(entry.entry_id)
    assert rules.rules() == built_in()


async def test_disabled_rules_end_before_anyone_is_told(hass: HomeAssistant) -> None:
    """Home Assistant marks an entry first, and unloads it later."""
    entry = await _added(hass)
    rules = AccessRules(hass)
    assert _keys(rules.rules()) == DEFAULT_KEYS
    entry.disabled_by = ConfigEntryDisabler.USER
    assert rules.rules() == built_in()


async def test_same_tuple_until_something_changed(hass: HomeAssistant) -> None:
    """Policies keep what they found out for as long as it is the same object."""
    entry = await _added(hass)
    rules = AccessRules(hass)
    first = rules.rules()
    hass.config_entries.async_update_entry(entry, options={"a": 1})
    assert rules.rules() is first
    subentry = next(iter(entry.subentries.values()))
    off = {**subentry.data, "enabled": False}
    hass.config_entries.async_update_subentry(entry, subentry, data=off)
    second = rules.rules()
    assert second is not first
    assert [rule.enabled for rule in second].count(False) == 1
    hass.config_entries.async_remove_subentry(entry, subentry.subentry_id)
    assert len(rules.rules()) == len(first) - 1


@pytest.mark.parametrize("data", DAMAGED)
async def test_damaged_rule_grants_nothing_and_is_told(
    hass: HomeAssistant, data: dict[str, Any]
) -> None:
    """The others count; the issue ends when the rule does."""
    entry = await _added(hass)
    bad = _subentry(data)
    hass.config_entries.async_add_subentry(entry, bad)
    assert _keys(AccessRules(hass).rules()) == DEFAULT_KEYS
    issues = ir.async_get(hass)
    issue_id = f"damaged_access_rule_{bad.subentry_id}"
    issue = issues.async_get_issue("homeagent", issue_id)
    assert issue is not None
    assert issue.translation_placeholders is not None
    assert issue.translation_placeholders["name"] == "A rule"
    hass.config_entries.async_remove_subentry(entry, bad.subentry_id)
    assert issues.async_get_issue("homeagent", issue_id) is None
