"""The arguments of a call as a model sent them: a text, mostly JSON (plan 1c).

In the kernel, above `contract`. What can be read becomes a dict; what cannot becomes
`UnparsedArguments` (`__arg_error`), which no gate lets pass, with its cause and what to
do. Nothing here raises.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .argument_repair import ends_too_early, quote_units
from .contract import UnparsedArguments
from .errors import Reason, ToolError
from .json_text import NotJsonError, decode_json, encode_json
from .json_values import key_text, well_formed
from .schema_problems import found
from .words import say

CUT_OFF = frozenset({"length", "max_tokens", "MAX_TOKENS", "max_output_tokens"})
"""What servers say when a reply ended at the token limit."""

SEND_LESS = (
    "send fewer or shorter arguments, or split the work over several calls; do not send"
    " the same again"
)
SEND_OBJECT = (
    'send one JSON object with keys and texts in double quotes: {"key": "value"}'
)

AROUND = 30
"""Characters before and after a fault that its error shows."""


def parse_arguments(
    raw: object, *, finish_reason: str | None = None, cut_off_hint: str = ""
) -> dict[str, object] | UnparsedArguments:
    """Return the arguments as a dict, or the error of reason `arguments`.

    `raw` is what came: a JSON text, an object that some servers send in its place, or
    None. Blank is `{}`; the JSON text of a JSON text is read, too. The only repair is
    that of `argument_repair`. `finish_reason` tells why the reply ended and so cut off
    from malformed; `cut_off_hint` is the tool's own advice for the first.
    """
    if isinstance(raw, bytes | bytearray):
        raw = bytes(raw).decode(errors="replace")
    if raw is None:
        return {}
    if type(raw) is dict and all(type(key) is str for key in raw):
        return raw.copy()
    if isinstance(raw, Mapping):
        return {key_text(key): value for key, value in raw.items()}
    if not isinstance(raw, str):
        return _no_object(raw)
    try:
        value = _read(raw)
    except NotJsonError as error:
        if finish_reason in CUT_OFF and ends_too_early(raw):
            return _cut_off(raw, cut_off_hint)
        return _malformed(raw, error)
    return value if isinstance(value, dict) else _no_object(value)


def arguments_look_dropped(raw: object) -> bool:
    """Return whether arguments seem to have got lost on their way from the model.

    Judged by the raw text: blank or unreadable is lost; what is JSON is not, `{}` least
    of all (tools without parameters are called so).
    """
    if raw is None:
        return True
    if isinstance(raw, bytes | bytearray):
        raw = bytes(raw).decode(errors="replace")
    if not isinstance(raw, str):
        return False
    if not raw.strip():
        return True
    try:
        inner = decode_json(raw)
        return isinstance(inner, str) and not inner.strip()
    except NotJsonError:
        return isinstance(parse_arguments(raw), UnparsedArguments)


def arrived_empty(problems: Sequence[ToolError]) -> tuple[ToolError, ...]:
    """Return a call's problems with the remark that its arguments arrived empty.

    For a call whose arguments look dropped; only `required` problems get the remark.
    """
    return tuple(
        replace(problem, detail=say("arrived_empty"))
        if problem.reason is Reason.REQUIRED
        else problem
        for problem in problems
    )


def _read(text: str) -> object:
    """Return what a text holds; blank is an object without keys."""
    if not text.strip():
        return {}
    value = _decoded(text)
    if isinstance(value, str):
        return _decoded(value) if value.strip() else {}
    return value


def _decoded(text: str) -> object:
    try:
        return decode_json(text)
    except NotJsonError as error:
        repaired = quote_units(text)
        if repaired is None:
            raise
        try:
            return decode_json(repaired)
        except NotJsonError:
            raise error from None


def _cut_off(raw: str, hint: str) -> UnparsedArguments:
    return _unparsed(
        f"the arguments were cut off after {len(raw)} characters: the reply reached the"
        f" token limit (they end with {_shown(raw[-AROUND:])})",
        hint or SEND_LESS,
    )


def _malformed(raw: str, error: NotJsonError) -> UnparsedArguments:
    at = error.position
    before, after = raw[max(at - AROUND, 0) : at], raw[at : at + AROUND]
    early = "; they end before they are complete" if ends_too_early(raw) else ""
    return _unparsed(
        f"the arguments are no valid JSON: {error.problem} at character {at + 1}, after"
        f" {_shown(before)}, before {_shown(after)}{early}",
        SEND_OBJECT,
    )


def _no_object(value: object) -> UnparsedArguments:
    return _unparsed(f"the arguments are no JSON object: {found(value)}", SEND_OBJECT)


def _shown(text: str) -> str:
    return encode_json(well_formed(text))


def _unparsed(detail: str, hint: str) -> UnparsedArguments:
    error = ToolError(reason=Reason.ARGUMENTS, detail=detail, hint=hint)
    return UnparsedArguments(error=error)
