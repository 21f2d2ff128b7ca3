"""Home Assistant's errors as the kernel's, mapped once (page 1 §1.2, §4.2).

Exceptions that are not Home Assistant's own are bugs and not mapped: the door calls them
`internal`. No text of an error decides anything, and none carries a secret on.
"""

from collections.abc import Iterable, Mapping
import re

from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceNotFound,
    ServiceValidationError,
    Unauthorized,
)
import probatio

from ..kernel.errors import Reason, ToolError, combine
from .quoting import LONGEST_QUOTE, quoted
from .said_words import say

type ForeseenError = HomeAssistantError | probatio.Invalid

FORESEEN = (HomeAssistantError, probatio.Invalid)

LONGEST_TEXT = 2000
"""Characters of an error's own words that are passed on, besides what is missing."""

_SECRET = re.compile(
    r"(^|_)(code|pin|password|passcode|passphrase|token|secret|api_key|authorization)$"
)
_OBJECT = re.compile(
    r"<(?:[^<>]* at 0x[0-9a-fA-F]+|(?:state|event|entity|servicecall|class)\b[^<>]*)>",
    re.IGNORECASE,
)
_SHORTEST_SECRET = 3
_HIDDEN = "***"


def action_error(
    error: ForeseenError, name: str, arguments: Mapping[str, object]
) -> ToolError:
    """Return what one of Home Assistant's errors means for the call that raised it."""
    if isinstance(error, probatio.Invalid):
        return combine([_invalid(one, arguments) for one in _single(error)])
    if isinstance(error, Unauthorized):
        return ToolError(
            reason=Reason.UNAUTHORIZED,
            detail=say("action_not_for_user", action=name),
            hint="Ask an administrator of this home for access.",
        )
    if isinstance(error, ServiceValidationError):
        # A running action that misses another one is a ServiceValidationError, too.
        missed = isinstance(error, ServiceNotFound)
        reason = Reason.FAILED if missed else Reason.VALUE
    else:
        reason = Reason.FAILED
    hint = "Change the arguments as the text says."
    if reason is Reason.FAILED:
        hint = "Tell the person what went wrong; check the state before trying again."
    return ToolError(
        reason=reason,
        detail=_words(str(error), arguments) or say("no_reason"),
        hint=hint,
    )


def not_found(name: str) -> ToolError:
    """Return the error of an action that went away after the call was prepared."""
    return ToolError(
        reason=Reason.NOT_FOUND,
        detail=say("no_action", action=name),
        hint="Check that its integration is loaded, or look for another action "
        "(tool tool_search).",
    )


def _single(error: probatio.Invalid) -> Iterable[probatio.Invalid]:
    if isinstance(error, probatio.MultipleInvalid) and error.errors:
        return list(error.errors)
    return [error]


def _invalid(error: probatio.Invalid, arguments: Mapping[str, object]) -> ToolError:
    missing = isinstance(error, probatio.RequiredFieldInvalid)
    return ToolError(
        reason=Reason.REQUIRED if missing else Reason.VALUE,
        field=_path(error.path),
        detail=_words(error.msg or "", arguments) or say("argument_not_valid"),
        hint="Give this argument."
        if missing
        else "Give a value that the action takes.",
    )


def _path(path: Iterable[object]) -> str | None:
    steps = [str(getattr(step, "schema", step)) for step in path]
    return quoted(".".join(steps)) or None


def _words(text: str, arguments: Mapping[str, object]) -> str:
    """Return an error's words without secrets and without Python's inner names."""
    text = " ".join(_OBJECT.sub("an object", text).split())
    for secret in sorted(_secrets(arguments), key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    for long in sorted(_long_texts(arguments), key=len, reverse=True):
        # Home Assistant repeats ids in lower case, too.
        pattern = re.compile(re.escape(long), re.IGNORECASE)
        text = pattern.sub(lambda found: quoted(found[0]), text)
    if len(text) > LONGEST_TEXT:
        left = len(text) - LONGEST_TEXT
        text = f"{text[:LONGEST_TEXT]}… ({left} more characters)"
    return text


def _secrets(value: object, inside: bool = False) -> set[str]:
    """Return all texts under names that stand for secrets."""
    if isinstance(value, Mapping):
        return {
            secret
            for key, each in value.items()
            for secret in _secrets(
                each, inside or bool(_SECRET.search(str(key).casefold()))
            )
        }
    if isinstance(value, list | tuple):
        return {secret for each in value for secret in _secrets(each, inside)}
    if not inside or isinstance(value, bool) or not isinstance(value, str | int):
        return set()
    text = str(value)
    return {text} if len(text) >= _SHORTEST_SECRET else set()


def _long_texts(value: object) -> set[str]:
    """Return all argument texts that are too long to be repeated, as errors have them.

    With blanks made one, as they are or as Python quotes them.
    """
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):
        return {text for each in value for text in _long_texts(each)}
    if not isinstance(value, str) or len(value) <= LONGEST_QUOTE:
        return set()
    forms = (" ".join(form.split()) for form in (value, repr(value)[1:-1]))
    return {form for form in forms if len(form) > LONGEST_QUOTE}
