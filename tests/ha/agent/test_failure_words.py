"""What an agent says of a call that failed, in the speaker's language."""

import pytest

from custom_components.homeagent.agent.describing import failure_words
from custom_components.homeagent.kernel.contract import ToolResult
from custom_components.homeagent.kernel.door_errors import unconfirmed
from custom_components.homeagent.kernel.errors import Reason, ToolError


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
