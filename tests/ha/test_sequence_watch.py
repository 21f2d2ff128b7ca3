"""Sequences whose tools vanish or change: told after ten minutes, not before."""

from datetime import timedelta

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import issue_registry as ir, translation
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from .home import async_act, async_set_up

USES = [{"name": "g", "tools": '{"tool":"test.here"} ;'}]
CALLS = [{"name": "g", "tools": '{"tool":"seq_call","args":{"target":"#Uses"}} ;'}]


async def _here(action: ServiceCall) -> None:
    """Do nothing."""


@pytest.fixture(autouse=True)
async def _sequences(hass: HomeAssistant, hass_admin_user: User) -> None:
    hass.services.async_register("test", "here", _here)
    await async_set_up(hass)
    for name, groups in (("Uses", USES), ("Calls", CALLS)):
        data = {"name": name, "groups": groups}
        made = await async_act(hass, "seq_create", data, user=hass_admin_user)
        assert made["success"], made


async def _after(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, seconds: float
) -> list[str]:
    """Let time pass and return the names of the sequences that issues tell of."""
    freezer.tick(timedelta(seconds=seconds))
    async_fire_time_changed(hass)
    await hass.async_block_till_done()
    return [
        (issue.translation_placeholders or {})["name"]
        for issue in ir.async_get(hass).issues.values()
        if issue.translation_key == "broken_sequence"
    ]


async def test_tool_that_vanishes_and_comes_back(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """A minute, ten minutes, then an issue; it goes by itself."""
    assert await _after(hass, freezer, 61) == []
    hass.services.async_remove("test", "here")
    assert await _after(hass, freezer, 61) == []
    assert await _after(hass, freezer, 540) == []
    assert await _after(hass, freezer, 61) == ["Uses"]
    hass.services.async_register("test", "here", _here)
    assert await _after(hass, freezer, 61) == []


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                'group g, call 1 (test.here): There is no tool "test.here" now. Choose'
                " another action in this row, or bring back the integration that"
                " provides it."
            ),
        ),
        (
            "zh-Hans",
            (
                '组 g，第 1 个调用（test.here）：现在没有工具 "test.here"。'
                "请在这一行另选一个动作，或恢复提供它的集成。"
            ),
        ),
    ],
)
async def test_issue_is_for_people(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, language: str, told: str
) -> None:
    """In the home's language, by the names and numbers of the form."""
    hass.config.language = language
    await translation.async_get_translations(hass, language, "selector", {"homeagent"})
    await translation.async_get_translations(
        hass, language, "exceptions", {"homeagent"}
    )
    hass.services.async_remove("test", "here")
    await _after(hass, freezer, 61)
    await _after(hass, freezer, 601)
    (issue,) = ir.async_get(hass).issues.values()
    assert (issue.translation_placeholders or {})["problems"] == told


async def test_short_absence_tells_nobody(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """A reload of ten seconds, or of five minutes, is none of the user's business."""
    await _after(hass, freezer, 61)
    for seconds in (10, 300):
        hass.services.async_remove("test", "here")
        await _after(hass, freezer, seconds)
        hass.services.async_register("test", "here", _here)
        for _ in range(3):
            assert await _after(hass, freezer, 400) == []


async def test_called_sequence_that_is_gone(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """A removed or disabled sequence that another one calls is told of."""
    (entry,) = [
        entry
        for entry in hass.config_entries.async_entries("homeagent")
        if entry.title == "Uses"
    ]
    await _after(hass, freezer, 61)
    await hass.config_entries.async_unload(entry.entry_id)
    assert await _after(hass, freezer, 61) == []
    assert await _after(hass, freezer, 601) == ["Calls"]
    await hass.config_entries.async_setup(entry.entry_id)
    assert await _after(hass, freezer, 61) == []


async def test_issue_goes_with_its_sequence(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """Deleting the broken sequence is a way to mend it."""
    hass.services.async_remove("test", "here")
    await _after(hass, freezer, 61)
    assert await _after(hass, freezer, 601) == ["Uses"]
    for entry in hass.config_entries.async_entries("homeagent"):
        await hass.config_entries.async_remove(entry.entry_id)
    assert await _after(hass, freezer, 61) == []
