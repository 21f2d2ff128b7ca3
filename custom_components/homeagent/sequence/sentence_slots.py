"""From what was heard in a sentence's slots to the inputs of a run.

Pure; beside the sentences' syntax. Recognition takes whatever is said for a slot, so the
choices of an input are compared here; what does not fit never runs anything.
"""

from collections.abc import Mapping
import unicodedata

from ..kernel.errors import ToolError
from ..kernel.json_text import encode_json, same_json
from ..kernel.json_values import to_json_value
from ..kernel.records import record
from .fitting import fit
from .model import Parameter, SlotType

_YES = frozenset({"开", "开启", "打开", "是"})
_NO = frozenset({"关", "关闭", "否"})
"""Said for a boolean, beside the words that the kernel takes."""

_ACCENTS = range(0x0300, 0x0370)
"""Marks above and below letters; those of other scripts make other letters."""


@record
class NotUnderstood:
    """What was heard for an input, and what can be said there: choices, or a type."""

    key: str
    heard: str
    type: SlotType
    choices: tuple[str, ...] = ()


def read_slots(
    inputs: Mapping[str, Parameter], heard: Mapping[str, str]
) -> dict[str, object] | NotUnderstood:
    """Return the inputs that were said, or the first that cannot be understood."""
    values: dict[str, object] = {}
    for key, text in heard.items():
        parameter = inputs.get(key)
        if parameter is None:
            # The sequence was edited, and the sentence is not checked anew yet.
            return NotUnderstood(key=key, heard=text, type=SlotType.ANY)
        value = _value(key, parameter, text.strip())
        if isinstance(value, NotUnderstood):
            return value
        values[key] = value
    return values


def _value(key: str, parameter: Parameter, text: str) -> object | NotUnderstood:
    if parameter.enum is not None:
        return _choice(key, parameter, parameter.enum, text)
    if parameter.type is SlotType.BOOLEAN and text in _YES | _NO:
        return text in _YES
    value = fit(text, parameter.type, key)
    if isinstance(value, ToolError):
        return NotUnderstood(key=key, heard=text, type=parameter.type)
    return value


def _choice(
    key: str, parameter: Parameter, enum: tuple[object, ...], text: str
) -> object | NotUnderstood:
    """Return the one choice that was said; two that sound alike are none."""
    choices = [to_json_value(value) for value in enum]
    fitted = fit(text, parameter.type, key)
    for choice in choices:
        if same_json(choice, fitted):
            return choice
    like = spoken_form(text)
    matching = [choice for choice in choices if spoken_form(shown(choice)) == like]
    if like and len(matching) == 1:
        return matching[0]
    said = tuple(shown(choice) for choice in choices)
    return NotUnderstood(key=key, heard=text, type=parameter.type, choices=said)


def shown(choice: object) -> str:
    """Return a choice as a text."""
    return choice if isinstance(choice, str) else encode_json(choice)


def spoken_form(text: str) -> str:
    """Return what texts share that sound alike: no case, accents, punctuation, spaces.

    Between digits and before a number they count: -5 is not 5, and 1.5 is not 15.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if ord(char) not in _ACCENTS)
    kept = (
        char
        for index, char in enumerate(plain)
        if not _is_silent(char) or _belongs_to_number(plain, index)
    )
    return unicodedata.normalize("NFC", "".join(kept))


def _is_silent(char: str) -> bool:
    return unicodedata.category(char)[0] in "PSZC"


def _belongs_to_number(text: str, index: int) -> bool:
    before = text[index - 1] if index else " "
    after = text[index + 1 : index + 2]
    if not after.isdigit():
        return False
    return before.isdigit() or (before.isspace() and not text[index].isspace())
