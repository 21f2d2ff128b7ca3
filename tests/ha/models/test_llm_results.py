"""What came of a call, as data that every integration can send."""

from datetime import UTC, datetime
import json
from typing import Any

import pytest

from custom_components.homeagent.kernel.contract import Attachment, ToolResult
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.tools.llm_results import llm_result

TIME = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
FAILED = ToolError(reason=Reason.FAILED, field="a", detail="it broke", hint="mend it")


def made(**more: Any) -> ToolResult:
    """Return a result."""
    return ToolResult(call_id="c", tool="t", **more)


@pytest.mark.parametrize(
    ("result", "data"),
    [
        (made(), {"result": None}),
        (made(value={"a": [1, True]}), {"result": {"a": [1, True]}}),
        (made(value=TIME), {"result": "2026-01-02T03:04:00+00:00"}),
        (
            made(value={"s": {2, 1}, "n": float("nan")}),
            {"result": {"s": [1, 2], "n": "NaN"}},
        ),
        (made(value=object()), {"result": {"object": "object"}}),
        (made(value=b"\xff"), {"result": "data:application/octet-stream;base64,/w=="}),
        (made(value={"x": 1}, said="in words"), {"result": "in words"}),
        (made(value=1, warnings=("mind",)), {"result": 1, "warnings": ["mind"]}),
        (
            made(error=FAILED),
            {"error": "it broke", "field": "a", "reason": "failed", "hint": "mend it"},
        ),
        (
            made(error=ToolError(reason=Reason.BUSY), value=[1], warnings=("mind",)),
            {"error": "busy", "reason": "busy", "value": [1], "warnings": ["mind"]},
        ),
        (
            made(error=ToolError(reason=Reason.TYPE, detail="d", also=(FAILED,))),
            {
                "error": "d",
                "reason": "type",
                "also": [
                    {
                        "field": "a",
                        "reason": "failed",
                        "detail": "it broke",
                        "hint": "mend it",
                    }
                ],
            },
        ),
    ],
)
def test_data(result: ToolResult, data: dict[str, object]) -> None:
    """Plain JSON, no Python, an error's words where models look for them."""
    told = llm_result(result)
    assert told.data == data
    assert told.error is (result.error is not None)
    assert json.loads(json.dumps(told.data)) == data


def test_pictures_are_not_hidden() -> None:
    """A client that can take texts only is told that there was a picture."""
    picture = Attachment(mime_type="image/jpeg", data=b"x")
    told = llm_result(made(value="taken", attachments=(picture,)))
    assert "image/jpeg" in str(told.data["left_out"])


@pytest.mark.parametrize(
    "result",
    [
        made(value="x" * 300_000),
        made(value={"rows": ["y" * 1000] * 300}),
        made(error=ToolError(reason=Reason.FAILED, detail="z" * 300_000)),
    ],
)
def test_flood_is_cut_with_a_marker(result: ToolResult) -> None:
    """A result of 260 KB would fill the model's context."""
    text = json.dumps(llm_result(result).data)
    assert len(text) < 100_000
    assert "[cut:" in text
