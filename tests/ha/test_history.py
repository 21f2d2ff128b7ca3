"""The history: what is kept, without secrets, within bounds, across restarts."""

import json
from typing import Any, cast

from homeassistant.auth.models import User
from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import HomeAssistant
from homeassistant.helpers.json import json_bytes
from hypothesis import given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import flush_store  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import (
    Caller,
    Entrance,
    ToolCall,
    ToolResult,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.journal import CallRecord
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.storage import KEY
from custom_components.homeagent.tools import history as history_module
from custom_components.homeagent.tools.history_entries import shorten
from custom_components.homeagent.tools.responses import batch_response

from .home import async_act, async_set_up

GROUPS = [
    {
        "name": "g",
        "in": {"password": "string", "text": "string"},
        "out": {"token": "any"},
        "tools": (
            '{"tool":"persistent_notification.create",'
            '"args":{"message":"$args.text"},"as":"token"} ;'
        ),
    }
]
SLOW = [
    {"name": "g", "timeout": "1h", "tools": '{"tool":"wait","args":{"seconds":600}} ;'}
]


async def _make(hass: HomeAssistant, user: User, name: str, groups: object) -> None:
    made = await async_act(
        hass, "seq_create", {"name": name, "groups": groups}, user=user
    )
    assert made["success"], made


async def _stored(hass: HomeAssistant, hass_storage: dict[str, Any]) -> dict[str, Any]:
    store = hass.data[DATA_RUNTIME].store
    store.changed()
    await flush_store(store._store)
    data = hass_storage[KEY]["data"]
    assert isinstance(data, dict)
    return data


async def test_run_is_kept_without_its_secrets(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """Arguments, calls and values are there; what is named a secret is not."""
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "S", GROUPS)
    args = {"password": "hunter2", "text": "hello"}
    run = await async_act(
        hass, "seq_run", {"name": "S", "args": args}, user=hass_admin_user
    )
    (kept,) = (await _stored(hass, hass_storage))["runs"]
    assert kept["run_id"] == run["run_id"]
    assert kept["args"] == {"password": "**redacted**", "text": "hello"}
    assert kept["report"]["status"] == "ok"
    assert [call["arguments"] for call in kept["calls"]] == [{"message": "hello"}]
    assert "hunter2" not in json.dumps(hass_storage[KEY])


async def test_secrets_are_not_repeated_elsewhere(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """Neither by an error that names it, nor by text that could not be read."""
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "S", GROUPS)
    calls = [
        {
            "tool": "input_boolean.turn_on",
            "arguments": {"entity_id": "input_boolean.hunter2", "password": "hunter2"},
        },
        {"tool": "input_boolean.turn_on", "arguments": '{"code": "hunter2", x'},
        {"tool": "x" * 150, "arguments": {"accessToken": "hunter2"}},
    ]
    done = await async_act(hass, "call_tools", {"calls": calls}, user=hass_admin_user)
    assert not done["success"]
    assert "hunter2" not in json.dumps(await _stored(hass, hass_storage))


async def test_refused_calls_push_nothing_out(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    hass_admin_user: User,
    hass_read_only_user: User,
) -> None:
    """Whoever may do nothing can neither fill the file nor the bus."""
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "S", GROUPS)
    args = {"password": "x", "text": "t"}
    await async_act(hass, "seq_run", {"name": "S", "args": args}, user=hass_admin_user)
    large = {"calls": [{"tool": "no.such", "arguments": {"x": "y" * 1_500_000}}]}
    for _ in range(4):
        await async_act(hass, "call_tools", large, user=hass_read_only_user)
    data = await _stored(hass, hass_storage)
    assert len(data["runs"]) == 1
    assert len(json.dumps(data)) < 200_000


async def test_result_can_be_asked_for_after_a_restart(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """What was stored answers; what went on then was cancelled."""
    report = {"run_id": "r1", "sequence": "S", "status": "ok", "success": True}
    caller = {"entrance": "direct", "user_id": hass_admin_user.id, "device_id": None}
    entry = {"sequence": "S", "time": "2026-11-01", "caller": caller, "calls": []}
    hass_storage[KEY] = {
        "version": 1,
        "minor_version": 1,
        "key": KEY,
        "data": {
            "runs": [
                {**entry, "run_id": "r1", "report": report},
                {**entry, "run_id": "r2", "report": None},
                {"nonsense": 1},
            ],
            "batches": [],
        },
    }
    await async_set_up(hass)
    told = [
        await async_act(hass, "seq_run", {"run_id": run_id}, user=hass_admin_user)
        for run_id in ("r1", "r2", "r3")
    ]
    assert told[0] == report
    assert (told[1]["status"], told[1]["success"]) == ("cancelled", False)
    assert told[2]["error"]["reason"] == "value"


async def test_run_under_way_at_the_end_is_recorded_as_cancelled(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """Home Assistant's end cancels it in order."""
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "Slow", SLOW)
    started = await async_act(
        hass, "seq_run", {"name": "Slow", "wait": False}, user=hass_admin_user
    )
    assert started["status"] == "running"
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
    await hass.async_block_till_done()
    (kept,) = (await _stored(hass, hass_storage))["runs"]
    assert (kept["run_id"], kept["report"]["status"]) == (
        started["run_id"],
        "cancelled",
    )


async def test_history_is_bounded(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    hass_admin_user: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So many runs of each sequence, and so many bytes, the newest."""
    monkeypatch.setattr(history_module, "MOST_RUNS", 3)
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "S", GROUPS)
    for number in range(5):
        args = {"password": "x", "text": f"t{number}"}
        await async_act(
            hass, "seq_run", {"name": "S", "args": args}, user=hass_admin_user
        )
    data = await _stored(hass, hass_storage)
    assert [run["args"]["text"] for run in data["runs"]] == ["t2", "t3", "t4"]
    sizes = [len(json.dumps(entry)) for entry in data["batches"]]
    monkeypatch.setattr(history_module, "MOST_BYTES_OF_BATCHES", sum(sizes) - 1)
    smaller = await _stored(hass, hass_storage)
    assert smaller["runs"] == data["runs"]
    assert smaller["batches"] == data["batches"][1:]
    monkeypatch.setattr(history_module, "MOST_BYTES_OF_RUNS", 10)
    smaller = await _stored(hass, hass_storage)
    assert smaller["runs"] == []
    assert smaller["batches"] == data["batches"][1:]


async def test_removing_the_last_entry_removes_the_file(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """Nothing of ours is left behind."""
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "S", GROUPS)
    await _stored(hass, hass_storage)
    (entry,) = hass.config_entries.async_entries("homeagent")
    await hass.config_entries.async_remove(entry.entry_id)
    assert KEY not in hass_storage


async def test_added_again_without_a_restart(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """The history goes on after the last entry was removed and another one added."""
    await async_set_up(hass)
    await _make(hass, hass_admin_user, "S", GROUPS)
    (entry,) = hass.config_entries.async_entries("homeagent")
    await hass.config_entries.async_remove(entry.entry_id)
    await _make(hass, hass_admin_user, "T", GROUPS)
    args = {"password": "x", "text": "t"}
    await async_act(hass, "seq_run", {"name": "T", "args": args}, user=hass_admin_user)
    data = await _stored(hass, hass_storage)
    assert [run["sequence"] for run in data["runs"]] == ["T"]


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except TypeError, ValueError:
        return False
    return True


TEXTS = st.text(st.characters(), max_size=6)  # half surrogate pairs, too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(TEXTS | st.integers(), inner, max_size=3)
        | st.builds(json.dumps, inner.filter(_is_json))
    ),
    max_leaves=8,
)
NAMES = TEXTS | st.none() | st.integers() | st.lists(TEXTS, max_size=2)


def _record(tool: object, arguments: object, value: object, words: str) -> CallRecord:
    failed = ToolError(reason=Reason.FAILED, field=words, detail=words, hint=words)
    return CallRecord(
        batch_id="b",
        index=0,
        caller=Caller(entrance=Entrance.DIRECT, user_id=words),
        call=ToolCall(tool=tool, arguments=arguments),  # type: ignore[arg-type]
        result=ToolResult(
            call_id=words,
            tool=tool,  # type: ignore[arg-type]
            value=value,
            error=failed if words else None,
            warnings=(words,),
        ),
        parallel=False,
        why=f"{tool} is not parallel safe",
    )


async def test_whatever_was_called_can_be_written(hass: HomeAssistant) -> None:
    """One call must not keep all others from being stored; nothing of it is lost."""
    await async_set_up(hass)
    history = hass.data[DATA_RUNTIME].history

    @settings(max_examples=200, deadline=None, database=None)
    @given(NAMES, st.dictionaries(TEXTS, VALUES, max_size=3) | VALUES, VALUES, TEXTS)
    def kept(tool: object, arguments: object, value: object, words: str) -> None:
        history.batch_ended([_record(tool, arguments, value, words)])
        exported = history.export()
        assert json.loads(json_bytes(exported)) == exported
        (told,) = cast(list[dict[str, Any]], exported["batches"][-1]["calls"])
        assert told["tool"] == shorten(tool)
        assert told["success"] is not bool(words)
        if isinstance(arguments, dict):
            assert len(told["arguments"]) == len(arguments)
        history.keep(runs=None, batches=0)
        history.keep(runs=None, batches=5)

    kept()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (2**64, str(2**64)),
        (-(2**63) - 1, str(-(2**63) - 1)),
        (2**64 - 1, 2**64 - 1),
        ("\ud800", "\ufffd"),
        (dict.fromkeys(["\ud800", "\udfff"], 1), {"\ufffd": 1, "\ufffd (2)": 1}),
    ],
)
async def test_what_no_file_can_hold_is_kept_as_text(
    hass: HomeAssistant, given: object, kept: object
) -> None:
    """Through the door, and in the answer as well."""
    await async_set_up(hass)
    runtime = hass.data[DATA_RUNTIME]
    call = ToolCall(tool="\ud800", arguments={"x": given})
    batch = await runtime.call(Caller(entrance=Entrance.DIRECT), [call])
    (entry,) = json.loads(json_bytes(runtime.history.export()))["batches"]
    assert entry["calls"][0]["arguments"] == {"x": kept}
    json_bytes(batch_response(batch))
    batch.results[0].text.encode()
