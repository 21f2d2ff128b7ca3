"""Every repair issue that has an editor opens it, as a person would have it."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigEntryDisabler,
    ConfigSubentryData,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    async_fire_time_changed,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.agent.reports import ServerReports
from custom_components.homeagent.agent.troubles import Kind, ServerTrouble
from custom_components.homeagent.editing.work import Work
from custom_components.homeagent.hosts.registry import Trouble
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.access_rules import default_subentries
from custom_components.homeagent.tools.mending import told

from .home import async_set_up
from .hosts.waiters import subentry
from .sequence_home import PLAIN, async_make, entry_named
from .test_metadata import CHINESE, ENGLISH

CALLS = [{"name": "g", "tools": '{"tool":"seq_call","args":{"target":"#One"}} ;'}]
USES = [{"name": "g", "tools": '{"tool":"test.here"} ;'}]

OPTIONS, SUBENTRY, CONFIG = "options_flow", "config_subentries_flow", "config_flow"


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant, hass_admin_user: User) -> None:
    agent = {"url": "http://localhost:1/v1", "model": "m"}
    MockConfigEntry(
        domain="homeagent",
        title="HomeAgent",
        unique_id="kernel",
        minor_version=2,
        data={"kind": "kernel"},
        subentries_data=[
            *default_subentries("en"),
            ConfigSubentryData(
                data={"wrong": 1},
                subentry_type="access_rule",
                title="Rule",
                unique_id=None,
            ),
            ConfigSubentryData(
                data=agent, subentry_type="conversation", title="Agent", unique_id=None
            ),
            subentry("NAS"),
        ],
    ).add_to_hass(hass)
    hass.services.async_register("test", "here", lambda call: None)
    await async_set_up(hass)
    for component in ("conversation", "repairs"):
        assert await async_setup_component(hass, component, {})
    for name, groups in (("One", PLAIN), ("Two", CALLS), ("Uses", USES)):
        await async_make(hass, hass_admin_user, name, groups)
    await hass.async_block_till_done()


def _subentry_of(hass: HomeAssistant, kind: str) -> tuple[ConfigEntry, Any]:
    entry = entry_named(hass, "HomeAgent")
    *_, found = entry.get_subentries_of_type(kind)
    return entry, found


async def _damage(hass: HomeAssistant) -> None:
    entry = MockConfigEntry(
        domain="homeagent", title="Bad", minor_version=2, data={"kind": "sequence"}
    )
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)


async def _propose(hass: HomeAssistant) -> None:
    work = Work(name="New", proposed={"entrance": "conversation", "user_id": None})
    await hass.data[DATA_RUNTIME].entries.async_create_draft(work)


async def _unfit_sentence(hass: HomeAssistant) -> None:
    one = entry_named(hass, "One")
    options = {**one.options, "sentences": ["run one in {room}"]}
    hass.config_entries.async_update_entry(one, options=options)


async def _rename(hass: HomeAssistant) -> None:
    hass.config_entries.async_update_entry(entry_named(hass, "One"), title="First")


async def _rename_badly(hass: HomeAssistant) -> None:
    hass.config_entries.async_update_entry(entry_named(hass, "One"), title="Two")


async def _disable(hass: HomeAssistant) -> None:
    one, by_user = entry_named(hass, "One"), ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(one.entry_id, by_user)


async def _remove(hass: HomeAssistant) -> None:
    await hass.config_entries.async_remove(entry_named(hass, "One").entry_id)


async def _nothing(hass: HomeAssistant) -> None:
    """The fixture has done it."""


async def _no_server(hass: HomeAssistant) -> None:
    entry, agent = _subentry_of(hass, "conversation")
    reports = ServerReports(hass, entry, lambda: agent)
    for kind in (Kind.UNREACHABLE, Kind.NO_TOOLS, Kind.NO_STREAMING):
        reports.tell(ServerTrouble(kind, "no *answer*"))


async def _host_trouble(hass: HomeAssistant) -> None:
    registry = hass.data[DATA_RUNTIME].hosts.registry
    for trouble in Trouble:
        registry.trouble("nas", trouble)


type Cause = Callable[[HomeAssistant], Any]


def _issue(hass: HomeAssistant, key: str) -> ir.IssueEntry:
    (issue,) = (
        each
        for each in ir.async_get(hass).issues.values()
        if each.translation_key == key
    )
    return issue


async def _fix(
    hass: HomeAssistant,
    client: ClientSessionGenerator,
    key: str,
    *answers: dict[str, Any],
) -> Any:
    """Go through the flow of an issue as the frontend does; its texts must be there."""
    await hass.async_block_till_done()
    http, shown = await client(), None
    url = "/api/repairs/issues/fix"
    begin = {"handler": "homeagent", "issue_id": _issue(hass, key).issue_id}
    for answer in (begin, *answers):
        response = await http.post(url, json=answer)
        shown = await response.json()
        assert response.status == HTTPStatus.OK, shown
        url = f"/api/repairs/issues/fix/{shown['flow_id']}"
        place = f"issues.{key}.fix_flow"
        if shown["type"] in {"form", "menu"}:
            place = f"{place}.step.{shown['step_id']}"
            texts = {f"{place}.title", f"{place}.description"}
            texts |= {
                f"{place}.menu_options.{option}"
                for option in shown.get("menu_options", ())
            }
        else:
            reason = shown.get("reason")
            texts = {f"{place}.abort.{reason}"} if reason else set()
        assert texts <= ENGLISH.keys() & CHINESE.keys(), texts
    await hass.async_block_till_done()
    return shown


@pytest.mark.parametrize(
    ("key", "cause", "kind", "step"),
    [
        ("damaged_sequence", _damage, OPTIONS, "editor"),
        ("sequence_proposed", _propose, OPTIONS, "proposal"),
        ("broken_sentences", _unfit_sentence, OPTIONS, "editor"),
        ("damaged_access_rule", _nothing, SUBENTRY, None),
        ("agent_unreachable", _no_server, SUBENTRY, None),
        ("agent_no_tools", _no_server, SUBENTRY, None),
        ("agent_no_streaming", _no_server, SUBENTRY, None),
        ("host_wrong_key", _host_trouble, SUBENTRY, "reconfigure"),
        ("host_duplicate", _host_trouble, SUBENTRY, "reconfigure"),
    ],
)
async def test_editor_opens(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    key: str,
    cause: Cause,
    kind: str,
    step: str | None,
) -> None:
    """The issue is explained, its editor is open, and it stays until it is mended."""
    await cause(hass)
    explained = await _fix(hass, hass_client, key)
    assert explained["step_id"] == "confirm"
    assert set(explained["description_placeholders"]) == set(
        _issue(hass, key).translation_placeholders or {}
    )
    ended = await _fix(hass, hass_client, key, {})
    assert (ended["type"], ended["reason"]) == ("abort", "opened")
    assert _open_step(hass, kind, ended["next_flow"], step)
    assert _issue(hass, key).is_fixable


def _open_step(
    hass: HomeAssistant, kind: str, opened: list[str], step: str | None
) -> bool:
    """Whether that flow is open, at a step, and of an entry that exists."""
    managers: dict[str, Any] = {
        OPTIONS: hass.config_entries.options,
        SUBENTRY: hass.config_entries.subentries,
        CONFIG: hass.config_entries.flow,
    }
    found_kind, flow_id = opened
    flow = managers[kind].async_get(flow_id)
    assert found_kind == kind
    return bool(flow["step_id"]) if step is None else flow["step_id"] == step


async def test_tool_that_vanished(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    freezer: FrozenDateTimeFactory,
) -> None:
    """A sequence whose tool is gone opens in its editor, which says what is wrong."""
    hass.services.async_remove("test", "here")
    for seconds in (61, 61, 601):
        freezer.tick(timedelta(seconds=seconds))
        async_fire_time_changed(hass)
        await hass.async_block_till_done()
    ended = await _fix(hass, hass_client, "broken_sequence", {})
    assert _open_step(hass, OPTIONS, ended["next_flow"], "editor")
    flow = hass.config_entries.options.async_get(ended["next_flow"][1])
    assert flow["handler"] == entry_named(hass, "Uses").entry_id


async def test_outdated_waiter(
    hass: HomeAssistant, hass_client: ClientSessionGenerator
) -> None:
    """It tells whether the newer one has come; the issue goes when it has."""
    key, registry = "host_waiter_outdated", hass.data[DATA_RUNTIME].hosts.registry
    await _host_trouble(hass)
    shown = await _fix(hass, hass_client, key, {})
    assert shown["errors"] == {"base": "not_yet"}
    registry.judge_version("nas", [99], 1)
    assert key not in _keys(hass)
    url = f"/api/repairs/issues/fix/{shown['flow_id']}"
    ended = await (await (await hass_client()).post(url, json={})).json()
    assert ended["type"] == "create_entry"


async def test_renamed(
    hass: HomeAssistant, hass_client: ClientSessionGenerator
) -> None:
    """There is nothing to mend: it goes away once it was read."""
    await _rename(hass)
    ended = await _fix(hass, hass_client, "sequence_renamed", {})
    assert ended["type"] == "create_entry"
    assert "sequence_renamed" not in _keys(hass)


async def test_not_renamed(
    hass: HomeAssistant, hass_client: ClientSessionGenerator
) -> None:
    """It asks for another name."""
    await _rename_badly(hass)
    ended = await _fix(hass, hass_client, "sequence_not_renamed", {})
    assert _open_step(hass, CONFIG, ended["next_flow"], "new_name")
    assert "sequence_not_renamed" not in _keys(hass)


def _keys(hass: HomeAssistant) -> set[str | None]:
    return {each.translation_key for each in ir.async_get(hass).issues.values()}


async def test_called_sequence_that_is_disabled(
    hass: HomeAssistant, hass_client: ClientSessionGenerator
) -> None:
    """Either side can be mended: a caller is opened, or the sequence is enabled."""
    await _disable(hass)
    key = "called_sequence_disabled"
    to_caller = {"next_step_id": "confirm"}
    ended = await _fix(hass, hass_client, key, to_caller, {"caller": "Two"})
    flow = hass.config_entries.options.async_get(ended["next_flow"][1])
    assert flow["handler"] == entry_named(hass, "Two").entry_id
    ended = await _fix(hass, hass_client, key, {"next_step_id": "enable"})
    assert ended["type"] == "create_entry"
    assert entry_named(hass, "One").disabled_by is None
    assert key not in _keys(hass)


async def test_called_sequence_that_is_deleted(
    hass: HomeAssistant, hass_client: ClientSessionGenerator, hass_admin_user: User
) -> None:
    """The person chooses which of the callers to open."""
    await async_make(hass, hass_admin_user, "Three", CALLS)
    await _remove(hass)
    key = "called_sequence_removed"
    asked = await _fix(hass, hass_client, key)
    (field,) = asked["data_schema"]
    assert set(field["selector"]["select"]["options"]) == {"Two", "Three"}
    ended = await _fix(hass, hass_client, key, {"caller": "Three"})
    flow = hass.config_entries.options.async_get(ended["next_flow"][1])
    assert flow["handler"] == entry_named(hass, "Three").entry_id


async def test_gone_meanwhile(
    hass: HomeAssistant, hass_client: ClientSessionGenerator
) -> None:
    """An issue whose rule was deleted while its flow is open says so."""
    issue = _issue(hass, "damaged_access_rule")
    http = await hass_client()
    url = "/api/repairs/issues/fix"
    begin = {"handler": "homeagent", "issue_id": issue.issue_id}
    shown = await (await http.post(url, json=begin)).json()
    entry, rule = _subentry_of(hass, "access_rule")
    hass.config_entries.async_remove_subentry(entry, rule.subentry_id)
    ended = await (await http.post(f"{url}/{shown['flow_id']}", json={})).json()
    assert (ended["type"], ended["reason"]) == ("abort", "gone")


async def test_every_issue_with_a_flow_is_fixable(hass: HomeAssistant) -> None:
    """And the others are told only; what is raised here covers all that there are."""
    for cause in (_damage, _propose, _unfit_sentence, _no_server, _host_trouble):
        await cause(hass)
    await hass.async_block_till_done()
    for issue in ir.async_get(hass).issues.values():
        place = f"issues.{issue.translation_key}"
        has_flow = any(key.startswith(f"{place}.fix_flow.") for key in ENGLISH)
        assert issue.is_fixable == has_flow, issue.translation_key
        assert (f"{place}.description" in ENGLISH) != has_flow


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("[a](http://b)", r"\[a\]\(http\:\/\/b\)"),
        ("one\ntwo_", "- one\n- two\\_"),
    ],
)
def test_texts_of_others_are_no_markup(text: str, shown: str) -> None:
    assert told({"x": text}) == {"x": shown}
