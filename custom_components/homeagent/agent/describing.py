"""A call in a few words that a person understands.

Pure; names of entities and tools come in through a port. For questions before a call
and for what was done; made of the call itself, never of a model's words.
"""

from collections.abc import Callable, Mapping, Sequence

from ..kernel.contract import Arguments, ToolCall, ToolResult, UnparsedArguments
from ..kernel.json_values import to_json_value
from ..kernel.phrases import Phrase
from ..kernel.records import record
from ..kernel.rendering import render_value
from ..sequence.spoken import Speech
from .words import ENGLISH, language_of, say

_LEFT_OUT = frozenset(
    "left_out left_out_many entities_absent entities_foreign targets_missing".split()
)
"""Codes of warnings by which a part of a call was not done."""

LONGEST_VALUE = 80
"""Characters of one argument that are told."""

_TARGETS = ("entity_id", "device_id", "area_id", "floor_id", "label_id")


@record
class Names:
    """Ports: the title of a tool, and the name of what an id stands for."""

    tool: Callable[[str], str]
    thing: Callable[[str, str], str]


def describe(call: ToolCall, names: Names) -> str:
    """Return `title (what it acts on; other arguments)`."""
    arguments = call.arguments
    tool = call.tool
    if isinstance(arguments, UnparsedArguments):
        return names.tool(tool)
    inner = arguments.get("tool")
    if tool == "tool_call" and isinstance(inner, str):
        inside = arguments.get("arguments")
        tool, arguments = inner, inside if isinstance(inside, Mapping) else {}
    told = _told(arguments, names)
    return f"{names.tool(tool)} ({'; '.join(told)})" if told else names.tool(tool)


def _told(arguments: Arguments, names: Names) -> list[str]:
    told: list[str] = []
    target = arguments.get("target")
    flat = {**target, **arguments} if isinstance(target, Mapping) else dict(arguments)
    flat.pop("target", None)
    for key in _TARGETS:
        if key in flat:
            ids = flat.pop(key)
            each = ids if isinstance(ids, list | tuple) else [ids]
            told.append(", ".join(names.thing(key, str(one)) for one in each))
    told += [f"{key}: {_value(value)}" for key, value in flat.items()]
    return told


def _value(value: object) -> str:
    text = render_value(to_json_value(value))
    if len(text) <= LONGEST_VALUE:
        return text
    return text[: LONGEST_VALUE - 1] + "…"


def failure_words(result: ToolResult, language: str) -> str:
    """Return what a person should know of a call that failed.

    What others say is told as it came. Our own words are English: in another language
    they are told in short.
    """
    error = result.error
    if error is None:
        return ""
    ours = isinstance(error.detail, Phrase) and language_of(language) != ENGLISH
    if ours or not error.detail:
        return Speech(language).reason(error.reason)
    return error.detail.rstrip(".")


def warning_words(result: ToolResult, language: str) -> str:
    """Return what a person should know of a call that succeeded, "" for nothing."""
    told = dict.fromkeys(_warning(each, language) for each in result.warnings)
    value = result.value
    if isinstance(value, Mapping) and value.get("status") == "running":
        told[say("still_running", language)] = None
    return "; ".join(told)


def _warning(text: str, language: str) -> str:
    if language_of(language) == ENGLISH or not isinstance(text, Phrase):
        return text.rstrip(".")
    if text.code == "entities_unavailable":
        return say("unavailable", language, **text.named)
    return say("in_part" if text.code in _LEFT_OUT else "remark", language)


@record
class Sum:
    """What succeeded, with and without warnings, and what did not, in words."""

    succeeded: list[str]
    noted: list[str]
    failed: list[str]


def sum_up(
    done: Sequence[tuple[ToolCall, ToolResult]], names: Names, language: str
) -> Sum:
    """Return what came of the calls, each of them once."""
    succeeded: dict[str, None] = {}
    noted: dict[str, None] = {}
    failed: dict[str, None] = {}
    for call, result in done:
        words = describe(call, names)
        if not result.success:
            failed[f"{words}: {failure_words(result, language)}"] = None
        elif note := warning_words(result, language):
            noted[f"{words}: {note}"] = None
        else:
            succeeded[words] = None
    return Sum(succeeded=list(succeeded), noted=list(noted), failed=list(failed))
