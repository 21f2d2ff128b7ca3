"""The editor and a sequence as a whole: rename, copy, delete, run, others' changes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
import json
import re
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.kernel.contract import Caller, Entrance, ToolCall
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.sequence_entry import is_draft
from custom_components.homeagent.tools.sequence_proposing import Proposals

from .editing_person import Editor, add, add_draft, add_pasted, call_row
from .home import async_act, async_set_up

type Connect = Callable[[], Awaitable[Any]]
type Post = Callable[[str, dict[str, object]], Awaitable[dict[str, Any]]]

SWITCH = {"tool": "input_boolean.turn_on", "args": {"entity_id": "input_boolean.hall"}}
ONE = json.dumps({"groups": [{"name": "g", "tools": [SWITCH]}]})


def calling(*targets: str) -> str:
    """Return the text of a sequence that calls these."""
    tools = [{"tool": "seq_call", "args": {"target": each}} for each in targets]
    return json.dumps({"groups": [{"name": "g", "tools": tools, "parallel": False}]})


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A home with four switches, and its administrator."""
    await async_set_up(hass)


def names(hass: HomeAssistant) -> list[str]:
    """Return the names of the sequences that can run."""
    return sorted(hass.data[DATA_RUNTIME].library.names())


async def test_rename_rewrites_callers_once_that_is_confirmed(
    hass: HomeAssistant,
) -> None:
    """Also in changes that were not saved; nobody needs an issue for it."""
    one = await add_pasted(hass, "One", ONE)
    two = await add_pasted(hass, "Two", calling("#One"))
    await two.choose("groups", "add_group")
    tools = [{"tool": "seq_call", "args": {"target": "#one/g"}}]
    await two.submit({"name": "h", "tools": tools})
    await one.choose("rename")
    await one.submit({"name": "TWO"})
    assert "already" in one.errors()["name"]
    await one.submit({"name": "a/b"})
    assert "/" in one.errors()["name"]
    shown = await one.submit({"name": "Eins"})
    assert (shown["step_id"], one.told("callers")) == ("confirm_rename", "- Two")
    assert names(hass) == ["One", "Two"]
    await one.choose("do_rename")
    assert names(hass) == ["Eins", "Two"]
    assert one.told("name") == "Eins"
    kept = json.dumps(two.entry.options["draft"])
    assert ("#Eins" in kept, "#Eins/g" in kept, "ne/g" in kept) == (True, True, False)
    assert not ir.async_get(hass).issues


async def test_reconfiguring_renames(hass: HomeAssistant) -> None:
    """Entries of both kinds; who calls a sequence is shown first."""
    one = await add_pasted(hass, "One", ONE)
    await add_pasted(hass, "Two", calling("#One"))
    flows = hass.config_entries.flow
    context: Any = {"source": "reconfigure", "entry_id": one.entry.entry_id}
    shown: Any = await flows.async_init("homeagent", context=context)
    shown = await flows.async_configure(shown["flow_id"], {"name": "two"})
    assert shown["errors"] == {"name": "at_name"}
    shown = await flows.async_configure(shown["flow_id"], {"name": "Eins"})
    assert shown["step_id"] == "confirm_new_name"
    chosen = {"next_step_id": "do_new_name"}
    shown = await flows.async_configure(shown["flow_id"], chosen)
    assert shown["reason"] == "reconfigure_successful"
    assert names(hass) == ["Eins", "Two"]
    kernel = await flows.async_init("homeagent", context={"source": "user"})
    await flows.async_configure(kernel["flow_id"], {"next_step_id": "kernel"})
    made: Any = await flows.async_configure(kernel["flow_id"], {})
    context = {"source": "reconfigure", "entry_id": made["result"].entry_id}
    shown = await flows.async_init("homeagent", context=context)
    shown = await flows.async_configure(shown["flow_id"], {"name": " "})
    assert shown["errors"] == {"name": "at_name"}
    shown = await flows.async_configure(shown["flow_id"], {"name": "Butler"})
    assert shown["reason"] == "reconfigure_successful"
    assert made["result"].title == "Butler"


async def test_duplicate(hass: HomeAssistant) -> None:
    """A free name is offered; what is not saved yet becomes a draft."""
    editor = await add_pasted(hass, "One", ONE)
    await editor.choose("duplicate")
    assert editor.values() == {"name": "One 2"}
    await editor.submit({"name": "one"})
    assert "already" in editor.errors()["name"]
    done = await editor.submit({"name": "Copy"})
    assert done["reason"] == "duplicated"
    assert names(hass) == ["Copy", "One"]
    editor = await Editor.open(hass, editor.entry)
    await editor.choose("groups", "add_group")
    await editor.submit({"name": "h", "tools": [call_row("porch")]})
    await editor.choose("groups", "editor", "duplicate")
    await editor.submit({"name": "Draft"})
    assert names(hass) == ["Copy", "One"]
    entries = hass.config_entries.async_entries("homeagent")
    assert [entry.title for entry in entries if is_draft(entry)] == ["Draft"]


async def test_delete_names_the_callers(hass: HomeAssistant) -> None:
    """It is asked first."""
    one = await add_pasted(hass, "One", ONE)
    await add_pasted(hass, "Two", calling("#One"))
    await one.choose("delete")
    assert "- Two" in one.told("callers")
    await one.choose("editor", "delete")
    done = await one.choose("do_delete")
    await hass.async_block_till_done()
    assert done["reason"] == "deleted"
    assert names(hass) == ["Two"]


async def test_what_others_did_meanwhile_is_told(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """A version that would be replaced, a group that others call, a name taken."""
    one = await add_pasted(hass, "One", ONE)
    await add_pasted(hass, "Two", calling("#One/g"))
    await one.choose("groups", "group_0", "edit_group")
    await one.submit({"name": "other"})
    data = {"name": "One", "groups": json.loads(ONE)["groups"], "replace": True}
    data["description"] = "changed"
    await async_act(hass, "seq_create", data, user=hass_admin_user)
    await one.choose("groups", "editor", "check")
    assert "changed by somebody else" in one.told("problems")
    assert "Two calls the group g" in one.told("problems")
    assert one.shown["menu_options"] == ["save_anyway", "editor"]


async def test_tool_that_is_gone_is_told_when_the_editor_opens(
    hass: HomeAssistant,
) -> None:
    """The checks that depend on the moment are made again."""
    editor = await add_pasted(hass, "One", ONE)
    assert editor.told("problems") == ""
    hass.services.async_remove("input_boolean", "turn_on")
    again = await Editor.open(hass, editor.entry)
    assert "input_boolean.turn_on" in again.told("problems")


async def test_damaged_sequence_is_mended_in_the_editor(hass: HomeAssistant) -> None:
    """It opens with nothing, and what is saved runs."""
    editor = await add_pasted(hass, "One", ONE)
    entry = editor.entry
    await hass.config_entries.async_unload(entry.entry_id)
    hass.config_entries.async_update_entry(entry, options={"sequence": {}})
    await hass.config_entries.async_setup(entry.entry_id)
    assert names(hass) == []
    again = await Editor.open(hass, entry)
    await again.choose("json")
    await again.submit({"document": ONE})
    await again.choose("save")
    await hass.async_block_till_done()
    assert names(hass) == ["One"]


@pytest.mark.parametrize("template", ["good_night", "wake_up", "warn_if_open"])
async def test_template_can_be_saved(hass: HomeAssistant, template: str) -> None:
    """It is a draft first; nothing is wrong with it, whatever the home has."""
    for domain in ("light", "cover", "climate", "media_player"):
        assert await async_setup_component(hass, domain, {})
    made = await add(hass, "template", {"template": template})
    assert is_draft(made["result"])
    editor = await Editor.open(hass, made["result"])
    await editor.choose("check")
    assert (editor.told("problems"), editor.shown["menu_options"][0]) == ("", "save")
    await editor.choose("save")
    assert names(hass) == [made["title"]]


async def _propose(
    hass: HomeAssistant, user: User, name: str, **more: object
) -> dict[str, Any]:
    """Create a sequence as a model does."""
    runtime = hass.data[DATA_RUNTIME]
    caller = Caller(entrance=Entrance.CONVERSATION, user_id=user.id)
    groups = json.loads(ONE)["groups"]
    arguments = {"name": name, "groups": groups, **more}
    call = ToolCall(tool="seq_create", arguments=arguments)
    tool = runtime.registry.find("seq_create")
    assert tool is not None
    (result,) = (await runtime.call(caller, [call])).results
    value = result.value
    return value if isinstance(value, dict) else {"error": result.text}


@pytest.fixture(name="kernel")
async def kernel_fixture(hass: HomeAssistant) -> None:
    """The HomeAgent entry, with its default rules."""
    flows = hass.config_entries.flow
    flow = await flows.async_init("homeagent", context={"source": "user"})
    for answer in ({"next_step_id": "kernel"}, {}):
        await flows.async_configure(flow["flow_id"], answer)


async def test_proposal_is_confirmed_with_one_click(
    hass: HomeAssistant, hass_admin_user: User, kernel: None
) -> None:
    """Until then it is a draft: nothing of it can run, and an issue tells of it."""
    told = await _propose(hass, hass_admin_user, "Idea")
    assert (told["success"], told["draft"]) == (True, True)
    assert "administrator" in told["note"]
    assert names(hass) == []
    again = await _propose(hass, hass_admin_user, "Idea")
    assert "Give replace: true" in str(again["error"])
    assert (await _propose(hass, hass_admin_user, "Idea", replace=True))["draft"]
    (issue,) = ir.async_get(hass).issues.values()
    assert issue.translation_key == "sequence_proposed"
    (entry,) = filter(is_draft, hass.config_entries.async_entries("homeagent"))
    editor = await Editor.open(hass, entry)
    assert editor.shown["step_id"] == "proposal"
    assert "conversation" in editor.told("who")
    assert "input_boolean.turn_on" in editor.told("plan")
    await editor.choose("accept")
    assert names(hass) == ["Idea"]
    assert not ir.async_get(hass).issues


async def test_proposed_change_leaves_the_sequence_as_it_is(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """It can be rejected; a person's own changes are never replaced by one."""
    editor = await add_pasted(hass, "One", ONE)
    runtime = hass.data[DATA_RUNTIME]
    proposals = Proposals(runtime.entries)
    before = runtime.library.find("One")
    assert before is not None
    caller = Caller(entrance=Entrance.MCP, user_id=hass_admin_user.id)
    changed = replace(before, description="new")
    assert (await proposals.make(caller, changed, before))["draft"]
    assert runtime.library.find("One") == before
    editor = await Editor.open(hass, editor.entry)
    assert (editor.shown["step_id"], len(ir.async_get(hass).issues)) == ("proposal", 1)
    await editor.choose("discard", "do_discard")
    assert not ir.async_get(hass).issues
    assert proposals.problem("One", before, {}) is None
    await editor.choose("groups", "add_group")
    await editor.submit({"name": "mine", "tools": [call_row("porch")]})
    refused = proposals.problem("One", before, {"replace": True})
    assert refused is not None
    assert "working on One" in refused.detail


@pytest.fixture(name="post")
async def post_fixture(hass: HomeAssistant, hass_client: Connect) -> Post:
    """The options flow as a signed-in administrator's browser uses it."""
    assert await async_setup_component(hass, "config", {})
    client = await hass_client()

    async def post(path: str, body: dict[str, object]) -> dict[str, Any]:
        answer = await client.post(
            f"/api/config/config_entries/options/{path}", json=body
        )
        told: dict[str, Any] = await answer.json()
        return told

    return post


RUNS = json.dumps(
    {
        "groups": [
            {
                "name": "g",
                "in": {"who": {"type": "string", "description": "Which"}},
                "out": {"x": "any"},
                "tools": [
                    {
                        "tool": "input_boolean.turn_on",
                        "args": {"entity_id": "input_boolean.$args.who"},
                        "as": "x",
                    }
                ],
            }
        ]
    }
)


async def _run(post: Post, hass: HomeAssistant, flow: str, **values: object) -> Any:
    shown = await post(f"flow/{flow}", dict(values))
    while shown["type"] == "progress":
        await hass.async_block_till_done()
        shown = await post(f"flow/{flow}", {})
    return shown


async def test_run_now(hass: HomeAssistant, post: Post) -> None:
    """Inputs as a form, a fault of one at its field, the report with the values."""
    entry = (await add_pasted(hass, "One", RUNS)).entry
    shown = await post("flow", {"handler": entry.entry_id})
    flow = shown["flow_id"]
    shown = await post(f"flow/{flow}", {"next_step_id": "run"})
    assert [field["name"] for field in shown["data_schema"]] == ["who"]
    assert "Which" in shown["description_placeholders"]["inputs"]
    shown = await _run(post, hass, flow, who="hall")
    assert (shown["type"], shown["step_id"]) == ("menu", "ran")
    assert "Done in" in shown["description_placeholders"]["report"].replace("\\", "")
    assert hass.states.get("input_boolean.hall").state == "on"  # type: ignore[union-attr]
    await post(f"flow/{flow}", {"next_step_id": "run_again"})
    shown = await _run(post, hass, flow, who="nowhere")
    assert "Failed" in shown["description_placeholders"]["report"]


LIMITS = json.dumps(
    {
        "groups": [
            {
                "name": "g",
                "in": {
                    "room": {"type": "string", "enum": ["hall", "study"]},
                    "count": {"type": "integer", "required": False},
                    "rooms": {"type": "array", "required": False},
                },
                "when": "$args.room || exists($args.count) || exists($args.rooms)",
                "tools": [SWITCH],
            },
            {
                "name": "h",
                "tools": [
                    {"tool": "test.fails", "unsafe_serial": True},
                    {"tool": "test.gone", "unsafe_serial": True},
                ],
                "parallel": False,
            },
        ]
    }
)


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
async def test_report_is_for_people(
    hass: HomeAssistant, post: Post, language: str
) -> None:
    """Faults at their inputs, then the report, in the language of the home.

    Of Home Assistant's own words only the frame is translated; hints for models are not
    told, and calls count from 1.
    """
    hass.config.language = language

    async def fails(call: object) -> None:
        raise HomeAssistantError("Lamp is on fire")

    for action in ("fails", "gone"):
        hass.services.async_register("test", action, fails)
    entry = (await add_pasted(hass, "One", LIMITS)).entry
    flow = (await post("flow", {"handler": entry.entry_id}))["flow_id"]
    await post(f"flow/{flow}", {"next_step_id": "run"})
    shown = await _run(post, hass, flow, room="hall", count=2.5, rooms="a")
    english = language == "en"

    assert shown["errors"] == {
        "count": "This should be a whole number; found the number 2.5."
        if english
        else "需要整数，得到的是数字 2.5。"
    }
    shown = await _run(post, hass, flow, room="hall")
    report = re.sub(r"\\([!-~])", r"\1", shown["description_placeholders"]["report"])
    assert (
        [
            "**g**: Done",
            "- 1. input_boolean.turn_on: Done",
            "**h**: Failed",
            "- In order: the group is set so",
            "- 1. test.fails: Failed",
            "  - It failed. It says: “Lamp is on fire”",
            "- 2. test.gone: Not run",
        ]
        if english
        else [
            "**g**：完成",
            "- 1. input_boolean.turn_on：完成",
            "**h**：失败",
            "- 依次进行：该组就是这样设置的",
            "- 1. test.fails：失败",
            "  - 执行失败。原文：“Lamp is on fire”",
            "- 2. test.gone：未运行",
        ]
    ) == [line for line in report.splitlines() if line and line[0] != ">"]


async def test_lists_are_written_with_commas(hass: HomeAssistant, post: Post) -> None:
    """Nobody has to know YAML; what cannot be read is told at its field, and stays."""
    heard = []

    async def hear(call: ServiceCall) -> None:
        heard.append(call.data)

    hass.services.async_register("test", "hear", hear)
    declared = {
        "rooms": {"type": "array", "default": ["hall", 2], "description": "Where"},
        "levels": {"type": "object", "default": {}},
    }
    args = {"rooms": "$args.rooms", "levels": "$args.levels"}
    tool = {"tool": "test.hear", "args": args}
    groups = [{"name": "g", "in": declared, "tools": [tool]}]
    entry = (await add_pasted(hass, "One", json.dumps({"groups": groups}))).entry
    flow = (await post("flow", {"handler": entry.entry_id}))["flow_id"]
    shown = await post(f"flow/{flow}", {"next_step_id": "run"})
    field = shown["data_schema"][0]
    assert field["description"] == {"suggested_value": "hall, 2"}
    assert "Where · Several are" in shown["description_placeholders"]["inputs"]
    shown = await _run(post, hass, flow, rooms="a,, b", levels="lamp: 5")
    assert list(shown["errors"]) == ["rooms"]
    assert "kitchen, hall" in shown["errors"]["rooms"]
    typed = [each["description"]["suggested_value"] for each in shown["data_schema"]]
    assert typed == ["a,, b", "lamp: 5"]
    await _run(post, hass, flow, rooms="a, b, 3", levels="lamp: 5")
    await post(f"flow/{flow}", {"next_step_id": "run_again"})
    await _run(post, hass, flow, rooms="light.one", levels=" ")
    assert heard == [
        {"rooms": ["a", "b", 3], "levels": {"lamp": 5}},
        {"rooms": ["light.one"], "levels": {}},
    ]


@dataclass
class Slow:
    """A sequence whose one call ends when it may, and its open editor."""

    entry: ConfigEntry
    flow: str
    gate: asyncio.Event
    begun: int = 0
    ended: int = 0


async def _open_slow(hass: HomeAssistant, post: Post) -> Slow:
    async def call(_: ServiceCall) -> None:
        slow.begun += 1
        await slow.gate.wait()
        slow.ended += 1

    hass.services.async_register("test", "slow", call)
    groups = [{"name": "g", "tools": [{"tool": "test.slow"}]}]
    entry = (await add_pasted(hass, "Slow", json.dumps({"groups": groups}))).entry
    shown = await post("flow", {"handler": entry.entry_id})
    slow = Slow(entry=entry, flow=f"flow/{shown['flow_id']}", gate=asyncio.Event())
    return slow


async def test_run_goes_on_when_the_editor_is_closed(
    hass: HomeAssistant, post: Post, hass_client: Connect
) -> None:
    """Nothing is stopped half-way by closing a dialog."""
    slow = await _open_slow(hass, post)
    assert (await post(slow.flow, {"next_step_id": "run"}))["type"] == "progress"
    client = await hass_client()
    path = f"/api/config/config_entries/options/{slow.flow}"
    assert (await client.delete(path)).status == 200
    assert slow.ended == 0
    slow.gate.set()
    await hass.async_block_till_done(wait_background_tasks=True)
    assert slow.ended == 1


async def test_run_is_waited_for(hass: HomeAssistant, post: Post) -> None:
    """Progress until it ends; then the report, and it can be run again."""
    slow = await _open_slow(hass, post)
    flow, entry = slow.flow, slow.entry
    assert (await post(flow, {"next_step_id": "run"}))["type"] == "progress"
    assert (await post(flow, {}))["type"] == "progress"
    slow.gate.set()
    await hass.async_block_till_done(wait_background_tasks=True)
    shown = await post(flow, {})
    assert "Done in" in shown["description_placeholders"]["report"]
    await hass.config_entries.async_unload(entry.entry_id)
    options = {**entry.options, "sequence": {"damaged": True}}
    hass.config_entries.async_update_entry(entry, options=options)
    shown = await post(flow, {"next_step_id": "run_again"})
    assert shown["step_id"] == "editor"


@pytest.mark.parametrize("at_once", [True, False])
async def test_one_answer_is_one_run(
    hass: HomeAssistant, post: Post, at_once: bool
) -> None:
    """Somebody presses twice; a run that ends soon is no progress that comes and goes."""
    slow = await _open_slow(hass, post)
    run: dict[str, object] = {"next_step_id": "run"}
    twice = [asyncio.ensure_future(post(slow.flow, run)) for _ in range(2)]
    if at_once:
        slow.gate.set()
    first, _ = await asyncio.gather(*twice)
    assert first["type"] == ("menu" if at_once else "progress")
    slow.gate.set()
    await hass.async_block_till_done(wait_background_tasks=True)
    shown = await post(slow.flow, {})
    assert shown["step_id"] == "ran"
    assert (slow.begun, slow.ended) == (1, 1)


async def test_run_shows_what_inputs_are_otherwise(
    hass: HomeAssistant, post: Post
) -> None:
    """A default stands in its field, and may be changed."""
    data = json.loads(RUNS)
    data["groups"][0]["in"]["who"] = {"type": "string", "default": "hall"}
    entry = (await add_pasted(hass, "One", json.dumps(data))).entry
    shown = await post("flow", {"handler": entry.entry_id})
    shown = await post(f"flow/{shown['flow_id']}", {"next_step_id": "run"})
    (field,) = shown["data_schema"]
    assert field["optional"]
    assert field["description"] == {"suggested_value": "hall"}


async def test_refused_run_says_where_that_is_changed(hass: HomeAssistant) -> None:
    """Nobody in particular, as without a request, may run nothing."""
    editor = await add_pasted(hass, "One", ONE)
    await editor.choose("run")
    while editor.shown["type"] == "progress":
        await hass.async_block_till_done()
        flows = hass.config_entries.options
        editor.shown = await flows.async_configure(editor.shown["flow_id"], None)
    assert "Devices & services → HomeAgent → access rules" in editor.told("report")


async def test_words_are_those_of_the_person(
    hass: HomeAssistant, hass_client: Connect
) -> None:
    """The browser's language, until somebody chose one in the frontend."""
    assert await async_setup_component(hass, "config", {})
    entry = (await add_draft(hass, "Draft")).entry
    client = await hass_client()
    told = []
    for language in ("zh-CN,zh;q=0.9", "de", "en-GB"):
        answer = await client.post(
            "/api/config/config_entries/options/flow",
            json={"handler": entry.entry_id},
            headers={"Accept-Language": language},
        )
        told.append((await answer.json())["description_placeholders"]["state"])
    assert told == ["还没有要做的事", "Nothing to do yet", "Nothing to do yet"]


async def test_live_line(hass: HomeAssistant, hass_ws_client: Connect) -> None:
    """What is typed at the moment, in one line."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    client = await hass_ws_client()
    message = {
        "type": "homeagent/start_preview",
        "flow_id": editor.shown["flow_id"],
        "flow_type": "options_flow",
    }
    for rows, line in (
        ([], "no calls yet; nothing has to be filled in"),
        (
            [call_row("hall")] * 2,
            "2 calls in order; nothing has to be filled in",
        ),
        (
            [{"tool": 7, "args": [1]}, {}],
            "2 calls at the same time; nothing has to be filled in",
        ),
    ):
        typed = {"name": "g", "tools": rows}
        await client.send_json_auto_id({**message, "user_input": typed})
        assert (await client.receive_json())["success"]
        event = (await client.receive_json())["event"]
        assert event["state"] == line
        assert event["attributes"]["friendly_name"] == "What it will do"
    await editor.leave()
    await client.send_json_auto_id({**message, "user_input": {}})
    assert (await client.receive_json())["success"] is False
    assert editor.shown["type"] is FlowResultType.FORM
