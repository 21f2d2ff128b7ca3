"""From what was heard in a sentence's slots to the inputs of a run.

Pure; beside the sentences' syntax. Recognition takes whatever is said for a slot, so the
choices of an input are compared here; what does not fit never runs anything. The words
of numbers are looked up in files: no work for the event loop.
"""

from collections.abc import Mapping

from ..kernel.errors import ToolError
from ..kernel.json_text import encode_json, same_json
from ..kernel.json_values import to_json_value
from ..kernel.records import record
from .fitting import fit
from .model import Parameter, SlotType
from .number_words import read_number
from .spoken_form import ENDS, spoken_form

_YES = frozenset({"开", "开启", "打开", "是"})
_NO = frozenset({"关", "关闭", "否"})
"""Said for a boolean, beside the words that the kernel takes."""

_NUMBERS = frozenset({SlotType.INTEGER, SlotType.NUMBER})


@record
class NotUnderstood:
    """What was heard for an input, and what can be said there: choices, or a type."""

    key: str
    heard: str
    type: SlotType
    choices: tuple[str, ...] = ()


def read_slots(
    inputs: Mapping[str, Parameter],
    heard: Mapping[str, str],
    language: str | None = None,
) -> dict[str, object] | NotUnderstood:
    """Return the inputs that were said, or the first that cannot be understood.

    `language` is the speaker's, in which numbers may be words.
    """
    values: dict[str, object] = {}
    for key, text in heard.items():
        parameter = inputs.get(key)
        if parameter is None:
            # The sequence was edited, and the sentence is not checked anew yet.
            return NotUnderstood(key=key, heard=text, type=SlotType.ANY)
        value = _value(key, parameter, text.strip(), language)
        if isinstance(value, NotUnderstood):
            return value
        values[key] = value
    return values


def _value(
    key: str, parameter: Parameter, text: str, language: str | None
) -> object | NotUnderstood:
    value = _fitted(key, parameter.type, text, language)
    if parameter.enum is not None:
        return _choice(key, parameter, parameter.enum, text, value)
    if isinstance(value, ToolError):
        return NotUnderstood(key=key, heard=text, type=parameter.type)
    return value


def _fitted(
    key: str, type_: SlotType, text: str, language: str | None
) -> object | ToolError:
    """Return what was said as the type wants it, with what people say for it."""
    if type_ is SlotType.BOOLEAN:
        said = text.strip(ENDS)
        return said in _YES if said in _YES | _NO else fit(said, type_, key)
    value = fit(text, type_, key)
    if type_ not in _NUMBERS or not isinstance(value, ToolError):
        return value
    number = read_number(text, language)
    return value if number is None else fit(number, type_, key)


def _choice(
    key: str,
    parameter: Parameter,
    enum: tuple[object, ...],
    text: str,
    fitted: object,
) -> object | NotUnderstood:
    """Return the one choice that was said; two that sound alike are none."""
    choices = [to_json_value(value) for value in enum]
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
