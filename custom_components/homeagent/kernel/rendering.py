"""Results as text for a model (§5.2).

Low in the kernel, above `json_values` and `errors`; never imports `contract`, which
renders by it.
"""

from collections.abc import Callable, Sequence
import re

from .errors import ToolError
from .json_text import encode_json
from .json_values import to_json_value, well_formed

__all__ = [
    "LIMIT",
    "Encode",
    "cut",
    "render_error",
    "render_result",
    "render_value",
    "to_json_value",
]

type Encode = Callable[[object], str]
"""A port: writes plain JSON values as compact JSON text, key order and non-ASCII kept.

It raises TypeError, ValueError or RecursionError for everything else, also for NaN and
infinities; what it raises for is first brought into its JSON form.
"""

_MANY_DIGITS = re.compile(r"\d{19}")
"""Where an integer may stand that has more than 64 bits, and so another JSON form."""

LIMIT = 32 * 1024
"""Bytes of UTF-8 that a text for a model may have."""

GET_THE_REST = (
    "to get the rest, ask for less at a time: narrow the arguments or name single parts"
)


def render_value(value: object, *, encode: Encode = encode_json) -> str:
    """Return a value as text: null as nothing, text as it is, the rest as JSON.

    Total: what JSON does not know is rendered by the table in `json_values`.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return well_formed(str.__str__(value))
    try:
        text = encode(value)
        if _MANY_DIGITS.search(text) is None:
            return well_formed(text)
    except TypeError, ValueError, RecursionError:
        pass
    form = to_json_value(value)
    if form is None:
        return ""
    return form if isinstance(form, str) else encode_json(form)


def render_error(error: ToolError) -> str:
    """Return the compact JSON of an error, empty fields left out (§4.1)."""
    return render_value(error.as_dict())


def render_result(
    value: object,
    error: ToolError | None = None,
    *,
    said: str | None = None,
    warnings: Sequence[str] = (),
    limit: int = LIMIT,
) -> str:
    """Return what a model reads of one call, cut where it is too long.

    An error comes first; `said` is what the tool says in the place of its value.
    Warnings stand below in lines of their own, with an error inside its JSON.
    """
    if error is not None:
        told = error.as_dict() | ({"warnings": list(warnings)} if warnings else {})
        return cut(render_value(told), limit)
    text = render_value(value) if said is None else well_formed(said)
    lines = [text] if text or not warnings else []
    return cut("\n".join([*lines, *(f"Warning: {each}" for each in warnings)]), limit)


def cut(text: str, limit: int = LIMIT, *, rest: str = GET_THE_REST) -> str:
    """Return the text, or its beginning and a marker that says how much is missing.

    `limit` counts bytes of UTF-8 and includes the marker; no character is split. `rest`
    tells how to get what was left out.
    """
    text = well_formed(text)
    if len(text) * 4 <= limit:
        return text
    data = text.encode()
    if len(data) <= limit:
        return text
    # The longest marker there can be decides, so that the shown number stays right.
    room = limit - len(_marker(len(data), len(data), rest).encode())
    kept = data[: max(room, 0)].decode(errors="ignore")
    return kept + _marker(len(data) - len(kept.encode()), len(data), rest)


def _marker(missing: int, total: int, rest: str) -> str:
    return f"\n[cut: {missing} of {total} bytes are left out; {rest}]"
