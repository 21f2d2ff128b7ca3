"""Whether what a tool returned is a failure (§4.2): one rule on every path.

Low in the kernel, above `errors`.
"""

from collections.abc import Mapping

from .errors import Reason, ToolError
from .json_values import to_json_value
from .rendering import cut, render_value
from .words import say

LONGEST_DETAIL = 4096
"""Bytes of a tool's own words that an error repeats; its value keeps them all."""


def judge(value: object) -> ToolError | None:
    """Return the error that a returned value stands for, or None for a success.

    A failure is a `ToolError`, an exception, a mapping with `isError: true`, or a
    mapping whose `error` is a text that is not blank or any other value that is not
    null, false, 0 or empty. Texts, numbers, lists and all other mappings are successes,
    whatever is written in them.
    """
    if isinstance(value, ToolError):
        return value
    if isinstance(value, BaseException):
        return ToolError(
            reason=Reason.INTERNAL,
            detail=say("returned_exception", kind=type(value).__name__),
            hint="Do not repeat the call; tell the person that it failed.",
        )
    told = value
    if not isinstance(told, dict):
        if not isinstance(value, Mapping):
            return None
        # A mapping of an unknown class may raise where a dict cannot.
        told = to_json_value(value)
    if not isinstance(told, dict):
        return None
    error = told.get("error")
    if _says_something(error):
        return _failed(render_value(error))
    if told.get("isError") is True:
        return _failed(_words(told))
    return None


def _says_something(error: object) -> bool:
    if error is None:
        return False
    if isinstance(error, str):
        return bool(error.strip())
    if isinstance(error, int | float):
        return error != 0
    if isinstance(error, dict | list | tuple | set | frozenset | bytes):
        return len(error) > 0
    return True


def _words(value: Mapping[str, object]) -> str:
    """Return the texts of an MCP result's content, or the result as it is."""
    content = value.get("content")
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    said = [text for text in texts if isinstance(text, str) and text.strip()]
    return "\n".join(said) if said else render_value(value)


def _failed(detail: str) -> ToolError:
    return ToolError(
        reason=Reason.FAILED,
        detail=cut(detail, LONGEST_DETAIL, rest="the result's value has all of it"),
        hint="The tool itself reported this: change what it objects to, or tell the"
        " person.",
    )
