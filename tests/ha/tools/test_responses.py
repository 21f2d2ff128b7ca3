"""What Home Assistant's actions answer of a result."""

from dataclasses import replace
from typing import cast

import pytest

from custom_components.homeagent.kernel.batch import BatchResult
from custom_components.homeagent.kernel.contract import ToolResult
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.outputs import RunValue
from custom_components.homeagent.tools.responses import batch_response, value_response
from tests.core.editing.words import EN


def result(value: object) -> ToolResult:
    """Return a successful result."""
    return ToolResult(call_id="1", tool="t", value=value)


def test_run_is_answered_as_a_plain_object() -> None:
    """It is JSON already; only its own type goes no further."""
    run = RunValue({"out": {"g": {"x": [1]}}})
    batch = BatchResult(id="b", parallel=False, why="", results=(result(run),))
    [told] = cast(list[dict[str, object]], batch_response(batch)["results"])
    for answer in (value_response(result(run), EN), told["value"]):
        assert answer == run
        assert type(answer) is dict


def test_any_other_value_is_brought_into_its_json_form() -> None:
    """Also one that an `after` hook put in the place of a run's report."""
    assert value_response(result({"out": {1}}), EN) == {"out": [1]}
    assert value_response(result({2}), EN) == {"value": [2]}


@pytest.mark.parametrize(
    ("detail", "hint", "text"),
    [
        ("it is gone", "Did you mean b?", "t: it is gone. Did you mean b?"),
        ("it is gone.", "", "t: it is gone."),
        ("", "Look.", "t: Look."),
    ],
)
def test_failure_is_told_in_sentences(detail: str, hint: str, text: str) -> None:
    """What others said of it, each part with one mark at its end."""
    error = ToolError(reason=Reason.FAILED, detail=detail, hint=hint)
    told = value_response(replace(result(None), error=error), EN)
    assert told["text"] == text
