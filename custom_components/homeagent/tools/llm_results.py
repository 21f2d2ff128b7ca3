"""What came of a call, as other integrations send it to their models.

Most send the data only and not whether it failed, some with plain `json.dumps`: so the
data is plain JSON, bounded, and says in words what went wrong.
"""

from typing import Final

from homeassistant.helpers.llm import ToolResult as LLMResult

from ..kernel.contract import ToolResult
from ..kernel.errors import Reason, ToolError
from ..kernel.json_text import encode_json
from ..kernel.json_values import Json, to_json_value, well_formed
from ..kernel.rendering import LIMIT, cut, render_value

_INTERNAL: Final = ToolError(
    reason=Reason.INTERNAL,
    detail="the tool hit a bug; Home Assistant's log has the details",
    hint="Do not repeat the call; tell the person that it failed.",
)


def llm_result(result: ToolResult) -> LLMResult:
    """Return the result: `{"result": …}`, or `{"error": text, "reason": …, …}`.

    A failed call that keeps a value, such as the report of a run, tells it under
    `value`. Texts and values over 32 KiB are cut with a marker.
    """
    if result.error is None:
        data: dict[str, Json] = {"result": _told(result.value, result.said)}
    else:
        data = _error(result.error)
        if result.value is not None or result.said is not None:
            data["value"] = _told(result.value, result.said)
    if result.warnings:
        data["warnings"] = [cut(well_formed(one)) for one in result.warnings]
    if result.attachments:
        data["left_out"] = [_left_out(one.mime_type) for one in result.attachments]
    return LLMResult(data, error=not result.success)


def internal_failure() -> LLMResult:
    """Return the result of a call that ended in a bug of ours."""
    return LLMResult(_error(_INTERNAL), error=True)


def _error(error: ToolError) -> dict[str, Json]:
    """Return the error's JSON, its detail as `error`: that is the text models look for."""
    told = error.as_dict()
    told.pop("detail", None)
    plain = to_json_value({"error": error.detail or error.reason.value, **told})
    assert isinstance(plain, dict)
    if len(encode_json(plain)) > LIMIT:
        return {"error": cut(encode_json(plain)), "reason": error.reason.value}
    return plain


def _told(value: object, said: str | None) -> Json:
    if said is not None:
        return cut(well_formed(said))
    plain = to_json_value(value)
    text = render_value(plain)
    # A marker in the middle of JSON would be none: what is too long becomes text.
    return plain if len(text.encode()) <= LIMIT else cut(text)


def _left_out(mime_type: str) -> str:
    return f"{mime_type}: this way only texts can be told"
