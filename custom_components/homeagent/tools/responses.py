"""What came of a call, in the forms that Home Assistant's actions answer with.

Between the kernel's results and the actions in `services`.
"""

from typing import cast

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.util.json import JsonObjectType, JsonValueType

from ..const import DOMAIN
from ..editing.error_text import together
from ..editing.report_text import failed_lines
from ..editing.run_text import run_text
from ..editing.wording import Wording
from ..kernel.batch import BatchResult
from ..kernel.contract import ToolResult
from ..kernel.errors import Reason, ToolError
from ..kernel.json_values import well_formed
from ..kernel.phrases import Phrase
from ..kernel.rendering import to_json_value
from ..sequence.outputs import RunValue
from ..sequence.report import RunReport
from .people_words import home_wording

_CALLERS_FAULT = frozenset(
    {
        Reason.REQUIRED,
        Reason.TYPE,
        Reason.VALUE,
        Reason.ARGUMENTS,
        Reason.UNAUTHORIZED,
        Reason.UNCONFIRMED,
        Reason.NOT_FOUND,
        Reason.FORBIDDEN,
        Reason.CYCLE,
        Reason.DEPTH,
    }
)


def value_response(result: ToolResult, wording: Wording) -> JsonObjectType:
    """Return the response of an action that is an alias of one tool.

    An object answers as it is, another value under `value`; a failure without an object
    of its own answers `{"success": false, "error": {…}}`. Every failure, and
    every run whose report is still kept, has a `text` for people, in the home's language:
    automations put it into notifications. A run out of the history has the one it had.
    """
    value = _json_value(result)
    run = result.nested if isinstance(result.value, RunValue) else None
    if isinstance(run, RunReport) and isinstance(value, dict):
        value["text"] = well_formed(run_text(run, wording))
    if result.error is None:
        return value if isinstance(value, dict) else {"value": value}
    if not isinstance(value, dict):
        value = {"success": False, "error": to_json_value(result.error.as_dict())}
    if "text" not in value:
        value["text"] = well_formed(f"{result.tool}: {_told(result, wording)}")
    return value


def answer(
    hass: HomeAssistant, result: ToolResult, *, wanted: bool
) -> JsonObjectType | None:
    """Return the response if one is `wanted`; else a failed call raises."""
    if wanted:
        return value_response(result, home_wording(hass))
    if not result.success:
        raise action_error(hass, result)
    return None


def result_response(result: ToolResult) -> JsonObjectType:
    """Return one result of a batch, as `homeagent.call_tools` answers it."""
    return {
        "id": well_formed(result.call_id),
        "tool": well_formed(result.tool),
        "success": result.success,
        "value": _json_value(result),
        "error": None
        if result.error is None
        else to_json_value(result.error.as_dict()),
        "warnings": [well_formed(warning) for warning in result.warnings],
        "text": result.text,
        "duration": result.duration,
    }


def _json_value(result: ToolResult) -> JsonValueType:
    """Return the value of a call in its JSON form."""
    if isinstance(result.value, RunValue):
        return cast(JsonObjectType, dict(result.value))
    return to_json_value(result.value)


def batch_response(batch: BatchResult) -> JsonObjectType:
    """Return a whole batch, as `homeagent.call_tools` answers it."""
    return {
        "batch_id": batch.id,
        "success": all(result.success for result in batch.results),
        "parallel": batch.parallel,
        "why": well_formed(batch.why),
        "results": [result_response(result) for result in batch.results],
    }


def action_error(hass: HomeAssistant, result: ToolResult) -> HomeAssistantError:
    """Return the translated exception for a failed call nobody asked a response of.

    People read it: the frame in their own language, what it holds in the home's.
    """
    error = result.error
    if error is None:
        raise ValueError("the call did not fail")
    wording = home_wording(hass)
    run = result.nested if isinstance(result.nested, RunReport) else None
    lines = list(failed_lines(result, wording))
    placeholders = {
        "tool": well_formed(result.tool if run is None else run.sequence),
        "field": well_formed(error.field or ""),
        "text": well_formed(together(lines, wording)) if lines else "",
    }
    faulty = error.reason in _CALLERS_FAULT
    kind = ServiceValidationError if faulty else HomeAssistantError
    return kind(
        translation_domain=DOMAIN,
        translation_key=f"tool_{error.reason.value}",
        translation_placeholders=placeholders,
    )


def _told(result: ToolResult, wording: Wording) -> str:
    """Return why a call failed: a phrase in the home's language, others as they are."""
    error = result.error
    if error is None or isinstance(error.detail, Phrase):
        return together(failed_lines(result, wording), wording)
    return _sentences(error)


def _sentences(error: ToolError) -> str:
    """Return what went wrong and what to do, for all problems."""
    parts = (
        part.strip()
        for problem in (error, *error.also)
        for part in (problem.detail, problem.hint)
    )
    return " ".join(
        part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part
    )
