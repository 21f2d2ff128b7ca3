"""Every repair issue that has an editor opens it, as a person would have it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
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
from homeassistant.util import dt as dt_util
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
from custom_components.homeagent.sequence.codec import dump, load
from custom_components.homeagent.tools.access_rules import default_subentries
from custom_components.homeagent.tools.mending import told

from .home import async_set_up
from .hosts.waiters import subentry
from .sequence_home import PLAIN, async_make, entry_named
from .test_metadata import CHINESE, ENGLISH, PLACEHOLDER

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


def _hosts(hass: HomeAssistant) -> Any:
    return hass.data[DATA_RUNTIME].hosts.registry


async def _host_comes_back(hass: HomeAssistant) -> None:
    """The host was given a new key, and comes with it."""
    for trouble in (Trouble.WRONG_KEY, Trouble.DUPLICATE):
        _hosts(hass)._events.trouble_over("nas", trouble)


async def _same_versions(hass: HomeAssistant) -> None:
    _hosts(hass).judge_version("nas", [1], 1)


async def _server_works(hass: HomeAssistant) -> None:
    entry, agent = _subentry_of(hass, "conversation")
    ServerReports(hass, entry, lambda: agent).tell(None)


async def _other_server(hass: HomeAssistant) -> None:
    entry, agent = _subentry_of(hass, "conversation")
    data = {**agent.data, "url": "http://localhost:2/v1"}
    hass.config_entries.async_update_subentry(entry, agent, data=data)


async def _write_anew(hass: HomeAssistant) -> None:
    entries, bad = hass.config_entries, entry_named(hass, "Bad")
    stored = dict(entry_named(hass, "One").options["sequence"])
    whole = load(stored)
    options = {"sequence": dump(replace(whole, name="Bad"))}
    entries.async_update_entry(bad, options=options)
    await entries.async_reload(bad.entry_id)


async def _reject(hass: HomeAssistant) -> None:
    await hass.config_entries.async_remove(entry_named(hass, "New").entry_id)


async def _fit_sentence(hass: HomeAssistant) -> None:
    one = entry_named(hass, "One")
    options = {**one.options, "sentences": ["run one"]}
    hass.config_entries.async_update_entry(one, options=options)


async def _save_rule(hass: HomeAssistant) -> None:
    entry, damaged = _subentry_of(hass, "access_rule")
    whole = default_subentries("en")[0]["data"]
    hass.config_entries.async_update_subentry(entry, damaged, data=whole)


async def _read(hass: HomeAssistant, key: str) -> None:
    flows = hass.data["repairs"]["flow_manager"]
    issue_id = _issue(hass, key).issue_id
    flow = await flows.async_init("homeagent", data={"issue_id": issue_id})
    await flows.async_configure(flow["flow_id"], {})


async def _enable(hass: HomeAssistant) -> None:
    one = entry_named(hass, "One")
    await hass.config_entries.async_set_disabled_by(one.entry_id, None)


async def _create_again(hass: HomeAssistant) -> None:
    (user,) = (each for each in await hass.auth.async_get_users() if each.is_admin)
    await async_make(hass, user, "One", PLAIN)


async def _tool_goes(hass: HomeAssistant) -> None:
    hass.services.async_remove("test", "here")
    await _ten_minutes(hass)


async def _tool_comes(hass: HomeAssistant) -> None:
    hass.services.async_register("test", "here", lambda call: None)
    await _ten_minutes(hass)


async def _ten_minutes(hass: HomeAssistant) -> None:
    """Let as much time pass as a sequence may be broken without a word."""
    for minutes in (1, 2, 13):
        later = dt_util.utcnow() + timedelta(minutes=minutes, seconds=5)
        async_fire_time_changed(hass, later)
        await hass.async_block_till_done()


MATTERS: dict[str, tuple[Cause, Cause]] = {
    "damaged_sequence": (_damage, _write_anew),
    "sequence_proposed": (_propose, _reject),
    "broken_sentences": (_unfit_sentence, _fit_sentence),
    "broken_sequence": (_tool_goes, _tool_comes),
    "sequence_renamed": (_rename, partial(_read, key="sequence_renamed")),
    "sequence_not_renamed": (
        _rename_badly,
        partial(_read, key="sequence_not_renamed"),
    ),
    "called_sequence_disabled": (_disable, _enable),
    "called_sequence_removed": (_remove, _create_again),
    "damaged_access_rule": (_nothing, _save_rule),
    "agent_unreachable": (_no_server, _server_works),
    "agent_no_tools": (_no_server, _server_works),
    "agent_no_streaming": (_no_server, _other_server),
    "host_wrong_key": (_host_trouble, _host_comes_back),
    "host_duplicate": (_host_trouble, _host_comes_back),
    "host_waiter_outdated": (_host_trouble, _same_versions),
    "host_homeagent_outdated": (_host_trouble, _same_versions),
}
"""What raises each issue that has texts, and what mends it."""


def _issue(hass: HomeAssistant, key: str) -> ir.IssueEntry:
    (issue,) = (
        each
        for each in ir.async_get(hass).issues.values()
        if each.translation_key == key
    )
    return issue


@pytest.mark.parametrize(
    "key", sorted({key.split(".")[1] for key in ENGLISH if key.startswith("issues.")})
)
async def test_comes_and_goes(hass: HomeAssistant, key: str) -> None:
    """Every issue that has texts is raised, complete, and gone once it is mended."""
    cause, mend = MATTERS[key]
    await cause(hass)
    await hass.async_block_till_done()
    issue = _issue(hass, key)
    for language in (ENGLISH, CHINESE):
        place = f"issues.{key}."
        texts = {k: v for k, v in language.items() if k.startswith(place)}
        assert issue.is_fixable == any(".fix_flow." in each for each in texts)
        assert (f"{place}description" in texts) != issue.is_fixable
        named = {name for text in texts.values() for name in PLACEHOLDER.findall(text)}
        assert named <= set(issue.translation_placeholders or {})
    await mend(hass)
    await hass.async_block_till_done()
    assert key not in _keys(hass)


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
    assert _what_is_open(hass, *ended["next_flow"]) == _issue(hass, key).data


def _what_is_open(hass: HomeAssistant, kind: str, flow_id: str) -> dict[str, Any]:
    """Return the entry that a flow edits, and the part of it."""
    if kind == OPTIONS:
        return {"entry_id": hass.config_entries.options.async_get(flow_id)["handler"]}
    flow = hass.config_entries.subentries.async_get(flow_id)
    return {
        "entry_id": flow["handler"][0],
        "subentry_id": flow["context"]["subentry_id"],
    }


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
