"""What an agent says of a call that failed, in the speaker's language."""

import pytest

from custom_components.homeagent.agent.describing import Names, failure_words
from custom_components.homeagent.agent.ending import done_words
from custom_components.homeagent.kernel.contract import ToolCall, ToolResult
from custom_components.homeagent.kernel.door_errors import unconfirmed
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.words import say as kernel_say
from custom_components.homeagent.tools.said_words import say


@pytest.mark.parametrize(
    ("error", "english", "chinese"),
    [
        (None, "", ""),
        (ToolError(reason=Reason.BUSY), "busy", "正忙"),
        (
            ToolError(reason=Reason.FAILED, detail="Lamp is on fire."),
            "Lamp is on fire",
            "Lamp is on fire",
        ),
        (
            unconfirmed("lock.open"),
            "lock.open runs only after a person agreed",
            "需要有人先同意",
        ),
    ],
)
def test_failure(error: ToolError | None, english: str, chinese: str) -> None:
    """What others say is told as it came, our own words in the language."""
    result = ToolResult(call_id="1", tool="x", error=error)
    assert failure_words(result, "en") == english
    assert failure_words(result, "zh-Hans") == chinese


REACHED = say("entities_unavailable", entities="light.hall")
CALL = ToolCall(tool="light.turn_on", arguments={})
NAMES = Names(tool=lambda name: "Turn on", thing=lambda kind, key: key)


@pytest.mark.parametrize(
    ("warnings", "english", "chinese"),
    [
        ((), "Done: Turn on.", "已完成：Turn on。"),
        (
            (REACHED,),
            "Please note: Turn on: unavailable: light.hall.",
            "请注意：Turn on: 不可用：light.hall。",
        ),
        (
            (kernel_say("left_out"), "Lamp is hot"),
            ("Please note: Turn on: one entity is left out: not allowed; Lamp is hot."),
            "请注意：Turn on: 有一部分没有执行; Lamp is hot。",
        ),
    ],
)
def test_what_was_done_in_part(
    warnings: tuple[str, ...], english: str, chinese: str
) -> None:
    """What a call did not reach is never told as done."""
    done = [(CALL, ToolResult(call_id="1", tool=CALL.tool, warnings=warnings))]
    assert done_words(done, NAMES, "en") == english
    assert done_words(done, NAMES, "zh-Hans") == chinese


def test_what_still_runs_is_not_done() -> None:
    """A run of a sequence that takes long answers that it has begun."""
    begun = {"run_id": "1", "sequence": "Long", "status": "running"}
    done = [(CALL, ToolResult(call_id="1", tool="seq_run", value=begun))]
    assert done_words(done, NAMES, "en") == ("Please note: Turn on: still running.")
    assert done_words(done, NAMES, "zh") == "请注意：Turn on: 仍在运行。"
