"""What no sequence may contain, under every name (page 3 §3.4)."""

import pytest

from custom_components.homeagent.sequence.forbidden import is_forbidden

from .texts import check, codes, one_group

OWN = [
    "seq_run",
    "seq_create",
    "seq_delete",
    "call_tools",
    "answer_request",
    "tool_call",
]


@pytest.mark.parametrize(
    "tool",
    [
        *(
            f"{prefix}{name}"
            for name in OWN
            for prefix in ("", "homeagent.", "homeagent__")
        ),
        *("homeagent__homeagent__seq_run", "HomeAgent.SEQ_RUN", " seq_run "),
        *("homeagent.run_morning", "homeagent__run_morning", "homeagent.run_a__b"),
        *("conversation.process", "conversation__process", "ai_task.generate_data"),
        *("homeassistant.restart", "homeassistant.stop", "HOMEASSISTANT__restart"),
        *("homeassistant.reload_all", "homeassistant.reload_core_config"),
        *("hassio.host_reboot", "hassio__addon_stop", "homeagent__hassio.x"),
        *("script.reload", "shell_command.reload", "homeagent__script__reload"),
    ],
)
def test_forbidden(tool: str) -> None:
    """Every name of a forbidden tool is refused, whatever its arguments."""
    assert is_forbidden(tool, {})
    if tool == tool.strip():
        entry = f'{{"tool":"{tool}"}} ;'
        assert codes(check(one_group(entry)).errors) == ["forbidden"]


@pytest.mark.parametrize(
    "tool",
    [
        *("seq_call", "seq_when_call", "seq_list", "seq_help", "light.turn_on"),
        *("notify.phone", "tts.speak", "assist_satellite.announce", "button.press"),
        *("homeassistant.turn_on", "homeassistant.update_entity", "host_run", "reload"),
        *("other.seq_run", "other__call_tools", "run_morning", "script.run_morning"),
        *("", ".", "__", "homeagent.", "homeagent__"),
    ],
)
def test_allowed(tool: str) -> None:
    """Messages to people and everything else are allowed here."""
    assert is_forbidden(tool, {}) is None


def test_what_to_write_instead() -> None:
    """The error of the most frequent one says what is right."""
    (problem,) = check(one_group('{"tool":"homeagent.seq_run"} ;')).errors
    assert "homeagent.seq_run" in problem.message
    assert "seq_call with #name" in problem.hint


BUTTONS = ["button.morning"]


@pytest.mark.parametrize(
    ("args", "keys", "refused"),
    [
        ({"entity_id": "button.morning"}, None, True),
        ({"entity_id": "button.bell, Button.Morning"}, None, True),
        ({"entity_id": ["button.bell", "button.morning"]}, None, True),
        ({"target": {"entity_id": "button.morning"}}, None, True),
        ({"entity_id": "all"}, None, True),
        ({"target": {"area_id": "hall"}}, {"entity:button.morning"}, True),
        ({"target": {"area_id": "hall"}}, {"entity:button.bell"}, False),
        ({"entity_id": "button.bell"}, None, False),
        ({"entity_id": 5, "target": "x"}, None, False),
    ],
)
@pytest.mark.parametrize("tool", ["button.press", "button__press"])
def test_own_buttons(
    tool: str, args: dict[str, object], keys: set[str] | None, refused: bool
) -> None:
    """A press of a button that runs a sequence is the run of a sequence."""
    found = is_forbidden(tool, args, own_buttons=BUTTONS, keys=keys)
    assert (found is not None) is refused
    assert is_forbidden(tool, args, own_buttons=(), keys=keys) is None
