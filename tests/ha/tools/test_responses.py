"""What Home Assistant's actions answer of a result."""

from typing import cast

from custom_components.homeagent.kernel.batch import BatchResult
from custom_components.homeagent.kernel.contract import ToolResult
from custom_components.homeagent.sequence.outputs import RunValue
from custom_components.homeagent.tools.responses import batch_response, value_response


def result(value: object) -> ToolResult:
    """Return a successful result."""
    return ToolResult(call_id="1", tool="t", value=value)


def test_run_is_answered_as_a_plain_object() -> None:
    """It is JSON already; only its own type goes no further."""
    run = RunValue({"out": {"g": {"x": [1]}}})
    batch = BatchResult(id="b", parallel=False, why="", results=(result(run),))
    [told] = cast(list[dict[str, object]], batch_response(batch)["results"])
    for answer in (value_response(result(run)), told["value"]):
        assert answer == run
        assert type(answer) is dict


def test_any_other_value_is_brought_into_its_json_form() -> None:
    """Also one that an `after` hook put in the place of a run's report."""
    assert value_response(result({"out": {1}})) == {"out": [1]}
    assert value_response(result({2})) == {"value": [2]}
