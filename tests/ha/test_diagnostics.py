"""Diagnostics: useful to those who help, and nothing in them that somebody wrote.

In every place where a person, a model or a host can put something lies a text that
begins with `planted`, or a number: none of them may be in the file that is downloaded.
"""

import base64
from http import HTTPStatus
import json
import re
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry, ConfigSubentryData
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.const import CONF_DRAFT, CONF_SEQUENCE
from custom_components.homeagent.kernel.contract import Caller, Entrance, ToolCall
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.host_records import host_data

from .home import async_act, async_set_up
from .sequence_home import async_make
from .test_metadata import MANIFEST

KEY = bytes(range(7, 39))
NUMBER = 918273645
SECRETS = re.compile(
    rf"planted\w*|{NUMBER}|{re.escape(base64.b64encode(KEY).decode())}"
)

TOOLS = (
    '{"tool":"script.planted_script","args":{"planted_field":"planted argument",'
    f'"pin":{NUMBER},"in_it":{{"planted key":["planted item"]}}}}}} ;'
    '{"tool":"input_boolean.turn_on","args":{"entity_id":"input_boolean.planted"},'
    '"unsafe_serial":true} ;'
    '{"tool":"planted.gone","as":"planted_out","select":"planted_step",'
    '"fallback":"planted fallback"} ;'
)
GROUPS: list[dict[str, Any]] = [
    {
        "name": "planted group",
        "description": "planted about the group",
        "parallel": False,
        "in": {
            "planted_in": {
                "type": "string",
                "default": "planted default",
                "description": "planted about the input",
                "enum": ["planted default", "planted choice"],
            },
            "planted_password": {"type": "string", "default": "planted password"},
        },
        "out": {"planted_out": "any"},
        "when": '$args.planted_in != "planted literal"',
        "on_error": "continue",
        "missing": "degrade",
        "tools": TOOLS.replace('"script.', '"script.').replace(
            '"pin"', '"unused":"planted ${args.planted_in}","pin"'
        ),
    }
]
DRAFT = {
    "description": "planted description",
    "groups": [{"name": "planted", "tools": []}],
    "sentences": ["planted sentence"],
    "text": '{"planted": true',
    "proposed": {"entrance": "conversation", "user_id": "planted-user"},
}


def _subentry(kind: str, title: str, data: dict[str, Any]) -> ConfigSubentryData:
    return ConfigSubentryData(
        data=data, subentry_type=kind, title=f"planted {title}", unique_id=None
    )


def _homeagent(user: User) -> MockConfigEntry:
    """Return the HomeAgent entry: rules, an agent and a host."""
    rule = {"through": ["direct"], "how": "allow", "enabled": True}
    everything = {
        "who": ["administrators", "automations"],
        "through": ["direct", "automation"],
        "what": ["everything"],
        "where": ["everywhere"],
    }
    agent = {
        "url": "https://planted:planted@planted.example:4711/planted?key=planted",
        "api_key": "planted key",
        "model": "planted model",
        "prompt": "planted prompt",
    }
    return MockConfigEntry(
        domain="homeagent",
        title="planted title",
        unique_id="kernel",
        minor_version=2,
        data={"kind": "kernel"},
        options={
            "prompt": "planted prompt",
            "tools_added": ["script.planted_script"],
            "parallel_safe": ["script.planted_script"],
            "ask_first": ["input_boolean.turn_off"],
            "runs_kept": 50,
        },
        subentries_data=[
            _subentry("access_rule", "rule", rule | everything),
            _subentry(
                "access_rule",
                "narrow rule",
                {
                    **rule,
                    "users": [user.id],
                    "areas": ["planted_area"],
                    "what": ["reading"],
                    "tools": ["script.planted_*"],
                },
            ),
            _subentry("access_rule", "damaged rule", {"planted": "planted"}),
            _subentry("conversation", "agent", agent),
            _subentry("host", "host", host_data("host1", KEY)),
        ],
    )


async def _fails(action: ServiceCall) -> None:
    raise HomeAssistantError("planted in an error")


@pytest.fixture
async def homeagent(hass: HomeAssistant, hass_admin_user: User) -> ConfigEntry:
    """A home full of secrets, in which things have run and failed."""
    script = {"alias": "planted alias", "sequence": [{"action": "test.fails"}]}
    hass.services.async_register("test", "fails", _fails)
    scripts = {"script": {"planted_script": script}}
    assert await async_setup_component(hass, "script", scripts)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    ar.async_get(hass).async_create("planted area")
    user = await hass.auth.async_create_user("planted user")
    entry: ConfigEntry = _homeagent(user)
    entry.add_to_hass(hass)  # type: ignore[attr-defined]
    await async_set_up(hass)
    for name, stored in (
        ("draft", {CONF_DRAFT: DRAFT}),
        ("damaged", {CONF_SEQUENCE: {"sequence": "planted", "planted": NUMBER}}),
    ):
        other = MockConfigEntry(
            domain="homeagent",
            title=f"planted {name}",
            unique_id=name,
            minor_version=2,
            data={"kind": "sequence"},
            options=stored,
        )
        other.add_to_hass(hass)
        await hass.config_entries.async_setup(other.entry_id)
    made: ConfigEntry = await async_make(
        hass,
        hass_admin_user,
        "planted name",
        GROUPS,
        description="planted description",
    )
    hass.config_entries.async_update_entry(
        made, options={**made.options, "sentences": ["planted sentence"]}
    )
    await _run_things(hass, hass_admin_user)
    return entry


async def _run_things(hass: HomeAssistant, user: User) -> None:
    ran = await async_act(hass, "seq_run", {"name": "planted name"}, user=user)
    assert ran.get("status") == "partial", ran
    calls = [
        {"tool": "planted.nowhere", "arguments": {"planted": "planted", "n": NUMBER}},
        {"tool": "input_boolean.turn_on", "arguments": {"entity_id": "planted.x"}},
    ]
    await async_act(hass, "call_tools", {"calls": calls}, user=user)
    runtime = hass.data[DATA_RUNTIME]
    caller = Caller(
        entrance=Entrance.DIRECT, user_id=user.id, context=Context(user_id=user.id)
    )
    asked = ToolCall(
        tool="input_boolean.turn_off", arguments={"entity_id": "input_boolean.hall"}
    )
    await runtime.call(caller, [asked])
    host = runtime.hosts.registry.get("host1")
    assert host is not None
    host.about = {
        "hostname": "planted host",
        "config_file": "/planted/file",
        "commands": ["planted command"],
        "implementations": {"planted command": "planted"},
        "system": "Debian 12",
    }
    host.metrics = {"cpu": 3.5, "disks": [{"mount": "/planted", "used": 5}]}


def _entries(hass: HomeAssistant) -> dict[str, ConfigEntry]:
    entries = hass.config_entries.async_entries("homeagent")
    return {entry.title.removeprefix("planted "): entry for entry in entries}


async def _download(
    hass: HomeAssistant, client: ClientSessionGenerator, path: str
) -> dict[str, Any]:
    """Return what stands in the file that a person downloads, all of it searched."""
    assert await async_setup_component(hass, "diagnostics", {})
    await hass.async_block_till_done()
    response = await (await client()).get(f"/api/diagnostics/config_entry/{path}")
    text = await response.text()
    assert response.status == HTTPStatus.OK, text
    assert SECRETS.findall(text) == []
    data: dict[str, Any] = json.loads(text)["data"]
    return data


async def test_homeagent(
    hass: HomeAssistant, homeagent: ConfigEntry, hass_client: ClientSessionGenerator
) -> None:
    """The HomeAgent entry: what there is of everything, and its kinds."""
    told = await _download(hass, hass_client, homeagent.entry_id)
    assert told["version"] == MANIFEST["version"]
    assert told["sequences"] == {
        "loaded": 1,
        "damaged": 1,
        "drafts": 1,
        "disabled": 0,
    }
    assert [rule["damaged"] for rule in told["rules"]] == [False, False, True]
    (agent,) = told["agents"]
    assert agent["has_key"]
    assert agent["server"] == {
        "readable": True,
        "encrypted": True,
        "port": 4711,
        "local": False,
    }
    (host,) = told["hosts"]
    assert (host["connected"], host["keys"]) == (False, 1)
    assert host["about"]["system"] == "Debian 12"
    assert host["about"]["commands"] == {"array of": 1}
    assert told["requests_waiting"] == 1
    assert told["history"]["runs_ended"] == {"partial": 1}
    assert {"damaged_access_rule", "damaged_sequence"} <= set(told["issues"])


async def test_sequence(
    hass: HomeAssistant, homeagent: ConfigEntry, hass_client: ClientSessionGenerator
) -> None:
    """A sequence: its structure, and how its last runs ended."""
    entry = _entries(hass)["name"]
    told = await _download(hass, hass_client, entry.entry_id)
    assert (told["loaded"], told["damaged"], told["sentences"]) == (True, False, 1)
    (group,) = told["sequence"]["groups"]
    assert [tool["tool"] for tool in group["tools"]] == [
        "script.…",
        "input_boolean.turn_on",
        "…",
    ]
    assert group["tools"][0]["args"] == [
        "text",
        "text with references",
        "number",
        {"object of": 1},
    ]
    (run,) = told["last_runs"]
    assert (run["status"], run["entrance"], run["calls"]) == ("partial", "direct", 3)
    assert run["failed"] == {"failed": 1, "not_found": 1, "value": 1}


async def test_log_holds_no_key(
    hass: HomeAssistant, homeagent: ConfigEntry, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor a prompt or a password, whatever ran and whatever failed."""
    ours = [
        record.getMessage()
        for record in (*caplog.get_records("setup"), *caplog.records)
        if record.name.startswith("custom_components.homeagent")
    ]
    assert ours
    kept = f"planted (key|prompt|password)|{base64.b64encode(KEY).decode()}"
    assert [text for text in ours if re.search(kept, text)] == []


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("draft", {"draft": True, "damaged": False, "sequence": None}),
        ("damaged", {"draft": False, "damaged": True, "sequence": None}),
    ],
)
async def test_sequence_that_cannot_run(
    hass: HomeAssistant,
    homeagent: ConfigEntry,
    hass_client: ClientSessionGenerator,
    name: str,
    facts: dict[str, object],
) -> None:
    """Drafts and damaged ones tell what they are."""
    told = await _download(hass, hass_client, _entries(hass)[name].entry_id)
    assert {key: told[key] for key in facts} == facts


async def test_devices(
    hass: HomeAssistant, homeagent: ConfigEntry, hass_client: ClientSessionGenerator
) -> None:
    """A device's file tells of its sequence, host or agent."""
    devices = dr.async_get(hass)
    told: list[str] = []
    for entry in (homeagent, _entries(hass)["name"]):
        for device in dr.async_entries_for_config_entry(devices, entry.entry_id):
            path = f"{entry.entry_id}/device/{device.id}"
            data = await _download(hass, hass_client, path)
            told += [
                kind for kind in ("agent", "host", "sequence", "rules") if kind in data
            ]
    assert sorted(told) == ["agent", "host", "rules", "sequence"]
