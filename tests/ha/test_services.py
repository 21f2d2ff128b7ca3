"""The actions: create, run, list, delete, call tools; and who may."""

import json
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
import pytest

from custom_components.homeagent.tools import sequence_entries

from .home import async_act, async_set_up

SWITCHES = [
    {
        "name": "switches",
        "in": {"room": {"type": "string", "default": "input_boolean.hall"}},
        "tools": (
            '{"tool":"input_boolean.turn_on","args":{"entity_id":"input_boolean.kitchen"}} ;'
            '{"tool":"input_boolean.turn_on","args":{"entity_id":"$args.room"}} ;'
        ),
    },
    {
        "name": "note",
        "tools": (
            '{"tool":"persistent_notification.create","args":{"message":"done; good"}} ;'
        ),
    },
]


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant, hass_admin_user: User) -> None:
    await async_set_up(hass)


async def test_create_then_run(hass: HomeAssistant, hass_admin_user: User) -> None:
    """The argument form works from the first call to the last effect."""
    made = await async_act(
        hass,
        "seq_create",
        {"name": "Evening", "groups": SWITCHES},
        user=hass_admin_user,
    )
    assert (made["success"], made["groups"], made["tools"]) == (True, 2, 3)
    (entry,) = hass.config_entries.async_entries("homeagent")
    assert (entry.title, entry.data["kind"]) == ("Evening", "sequence")

    run = await async_act(hass, "seq_run", {"name": "Evening"}, user=hass_admin_user)
    assert run["status"] == "ok", run
    assert [group["name"] for group in run["groups"]] == ["switches", "note"]
    assert run["groups"][0]["parallel"] is True
    assert hass.states.is_state("input_boolean.kitchen", "on")
    assert hass.states.is_state("input_boolean.hall", "on")


async def test_one_target_twice_runs_in_order_and_says_why(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Two calls on one entity: the group falls back to order at run time."""
    await async_act(
        hass,
        "seq_create",
        {"name": "Evening", "groups": SWITCHES},
        user=hass_admin_user,
    )
    run = await async_act(
        hass,
        "seq_run",
        {"name": "Evening", "args": {"room": "input_boolean.kitchen"}},
        user=hass_admin_user,
    )
    group = run["groups"][0]
    assert group["parallel"] is False
    assert "entity:input_boolean.kitchen" in group["parallel_why"]


@pytest.mark.parametrize(
    ("groups", "says"),
    [
        ([{"name": "g", "tools": '{"tool":"t.a"}'}], ";"),
        ([{"name": "g", "tools": '{"tool":"t.a"} ;', "paralell": True}], "parallel"),
        (
            [{"name": "g", "tools": '{"tool":"seq_run","args":{"name":"x"}} ;'}],
            "seq_run",
        ),
        ([], "group"),
        ('[{"name": "g"', "column 2 of groups); }] is missing at the end"),
        ('[{"name": "g"}]]', "column 16 of groups"),
        (" ", "groups is empty"),
    ],
)
async def test_bad_sequence_is_refused_and_nothing_stored(
    hass: HomeAssistant,
    hass_admin_user: User,
    groups: list[dict[str, Any]] | str,
    says: str,
) -> None:
    """The response tells every problem; without a response it raises."""
    data = {"name": "Bad", "groups": groups}
    told = await async_act(hass, "seq_create", data, user=hass_admin_user)
    assert told["success"] is False
    assert says in str(told["error"])
    assert hass.config_entries.async_entries("homeagent") == []
    with pytest.raises(ServiceValidationError, match="seq_create"):
        await hass.services.async_call(
            "homeagent",
            "seq_create",
            data,
            blocking=True,
            context=Context(user_id=hass_admin_user.id),
        )


async def test_existing_name_needs_replace_or_append(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Names are unique whatever their case; nothing is replaced silently."""

    async def create(name: str, groups: object, **more: object) -> Any:
        data = {"name": name, "groups": groups, **more}
        return await async_act(hass, "seq_create", data, user=hass_admin_user)

    assert (await create("Evening", SWITCHES[:1]))["success"]
    refused = await create("EVENING", SWITCHES[1:])
    assert refused["success"] is False
    assert "replace" in refused["error"]["hint"]
    assert (await create("Evening", SWITCHES[1:], append=True))["groups"] == 2
    nothings: tuple[object, ...] = ([], "", "[]", " [ ] ")
    for nothing in nothings:
        refused = await create("Evening", nothing, append=True)
        assert refused["success"] is False, nothing
        assert "groups is empty" in refused["error"]["detail"], nothing
    assert (await create("Evening", SWITCHES[1:], replace=True))["groups"] == 1
    assert len(hass.config_entries.async_entries("homeagent")) == 1
    listed = await async_act(hass, "seq_list", user=hass_admin_user)
    (one,) = listed["sequences"]
    assert [group["name"] for group in one["groups"]] == ["note"]


async def test_room_is_limited(
    hass: HomeAssistant, hass_admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both by number and by size; what there is goes on."""

    async def create(name: str, **more: object) -> Any:
        data = {"name": name, "groups": SWITCHES, **more}
        return await async_act(hass, "seq_create", data, user=hass_admin_user)

    assert (await create("One"))["success"]
    monkeypatch.setattr(sequence_entries, "MOST", 1)
    assert "no more" in str((await create("Two"))["error"])
    monkeypatch.setattr(sequence_entries, "MOST", 2)
    monkeypatch.setattr(sequence_entries, "MOST_BYTES", 2000)
    assert "room for" in str((await create("Two"))["error"])
    assert (await create("One", replace=True))["success"]
    assert len(hass.config_entries.async_entries("homeagent")) == 1


async def test_delete(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A sequence that others call is deleted only by force."""

    async def act(action: str, **data: object) -> Any:
        return await async_act(hass, action, data, user=hass_admin_user)

    caller = [
        {"name": "g", "tools": '{"tool":"seq_call","args":{"target":"#Evening"}} ;'}
    ]
    await act("seq_create", name="Evening", groups=SWITCHES)
    await act("seq_create", name="Caller", groups=caller)
    refused = await act("seq_delete", name="Evening")
    assert refused["success"] is False
    assert "Caller" in str(refused["error"])
    assert (await act("seq_delete", name="Evening", force=True))["success"]
    gone = await act("seq_run", name="Evening")
    assert gone["success"] is False
    unknown = await act("seq_delete", name="Evening")
    assert unknown["success"] is False


def _write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tool = {
        "tool": "input_boolean.turn_on",
        "args": {"entity_id": "input_boolean.porch"},
    }
    group = {"name": "g", "tools": f"{json.dumps(tool)} ;"}
    text = json.dumps({"name": "Evening", "groups": [group]})
    path.write_text(text, encoding="utf-8")


@pytest.mark.own_folder
async def test_file_form(
    hass: HomeAssistant, hass_config_dir: str, hass_admin_user: User
) -> None:
    """A file of the sequences folder gives the same sequence; others are refused."""
    folder = Path(hass.config.path("homeagent", "sequences"))
    await hass.async_add_executor_job(_write, folder / "evening.json")
    made = await async_act(
        hass,
        "seq_create",
        {"name": "Evening", "file": "evening.json"},
        user=hass_admin_user,
    )
    assert made["success"], made
    run = await async_act(hass, "seq_run", {"name": "Evening"}, user=hass_admin_user)
    assert run["status"] == "ok"
    assert hass.states.is_state("input_boolean.porch", "on")
    for file in ("../secrets.yaml", "/etc/passwd", "gone.json", "a\0b", ""):
        refused = await async_act(
            hass, "seq_create", {"name": "X", "file": file}, user=hass_admin_user
        )
        assert refused["success"] is False, file


async def test_call_tools(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A batch in, results out; every call fires its event without its arguments."""
    events: list[Event] = []

    @callback
    def listen(event: Event) -> None:
        events.append(event)

    hass.bus.async_listen("homeagent_tool_call", listen)
    names = ("kitchen", "bedroom", "hall")
    calls = [
        {
            "tool": "input_boolean.turn_on",
            "arguments": {"entity_id": f"input_boolean.{name}"},
        }
        for name in names
    ]
    done = await async_act(hass, "call_tools", {"calls": calls}, user=hass_admin_user)
    await hass.async_block_till_done()
    assert (done["success"], done["parallel"]) == (True, True)
    assert all(hass.states.is_state(f"input_boolean.{name}", "on") for name in names)
    assert [event.data["index"] for event in events] == [0, 1, 2]
    assert {event.data["tool"] for event in events} == {"input_boolean.turn_on"}
    assert "kitchen" not in str([event.data for event in events])


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"calls": []},
        {"calls": "x"},
        {"calls": [1]},
        {"calls": [{}]},
        {"calls": [{"tool": "a.b", "args": {}}]},
        {"calls": [{"tool": "a.b"}], "more": 1},
        {"calls": [{"tool": "a" * 201}]},
        {"calls": [{"tool": "a.b"}] * 201},
    ],
)
async def test_malformed_call_tools(
    hass: HomeAssistant, hass_admin_user: User, data: dict[str, object]
) -> None:
    """What is no list of calls is refused before anything runs."""
    with pytest.raises(ServiceValidationError):
        await async_act(hass, "call_tools", data, user=hass_admin_user)


async def test_who_may(
    hass: HomeAssistant, hass_admin_user: User, hass_read_only_user: User
) -> None:
    """Administrators and automations; nobody else, and they learn nothing."""
    call = {
        "calls": [
            {
                "tool": "input_boolean.turn_on",
                "arguments": {"entity_id": "input_boolean.porch"},
            }
        ]
    }
    unknown = {"calls": [{"tool": "no.such"}]}
    automation = Context()
    hass.bus.async_fire(
        "automation_triggered",
        {"name": "a", "entity_id": "automation.a"},
        context=automation,
    )
    for user, context in ((hass_read_only_user, None), (None, Context())):
        refused = await async_act(hass, "call_tools", call, user=user, context=context)
        nothing = await async_act(
            hass, "call_tools", unknown, user=user, context=context
        )
        errors = [told["results"][0]["error"] for told in (refused, nothing)]
        assert errors[0] == errors[1]
        assert errors[0]["reason"] == "unauthorized"
    assert hass.states.is_state("input_boolean.porch", "off")
    allowed = await async_act(hass, "call_tools", call, context=automation)
    assert allowed["success"]
    assert hass.states.is_state("input_boolean.porch", "on")


async def test_failure_without_response_raises(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """An automation that asks for no response learns of the failure."""
    bad = [
        {
            "name": "g",
            "tools": '{"tool":"light.turn_on","args":{"entity_id":"light.no"}} ;',
        }
    ]
    await async_act(
        hass, "seq_create", {"name": "Bad", "groups": bad}, user=hass_admin_user
    )
    with pytest.raises(HomeAssistantError):
        await hass.services.async_call(
            "homeagent",
            "seq_run",
            {"name": "Bad"},
            blocking=True,
            context=Context(user_id=hass_admin_user.id),
        )


async def test_stored_sequence_survives_a_reload(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """The AST of the entry is what runs; unloading takes the sequence away."""
    await async_act(
        hass,
        "seq_create",
        {"name": "Evening", "groups": SWITCHES},
        user=hass_admin_user,
    )
    (entry,) = hass.config_entries.async_entries("homeagent")
    assert await hass.config_entries.async_unload(entry.entry_id)
    gone = await async_act(hass, "seq_run", {"name": "Evening"}, user=hass_admin_user)
    assert gone["success"] is False
    assert await hass.config_entries.async_setup(entry.entry_id)
    run = await async_act(hass, "seq_run", {"name": "Evening"}, user=hass_admin_user)
    assert run["status"] == "ok"


async def test_help(hass: HomeAssistant, hass_admin_user: User) -> None:
    """The guide comes as text."""
    told = await async_act(hass, "seq_help", user=hass_admin_user)
    assert "every tool" in str(told["guide"])
