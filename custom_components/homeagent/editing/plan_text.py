"""What a sequence will do, for the person who edits it: one line, and the whole plan.

Above `wording`; pure. What the tools declare may still make a group run in order; that
is known when it runs, and the report says why.
"""

from collections.abc import Iterator
import json
from typing import Final
from unicodedata import east_asian_width

from ..kernel.json_values import to_json_value
from ..sequence.condition_text import format_condition
from ..sequence.durations import format_duration
from ..sequence.model import (
    ABSENT,
    CALL_TOOLS,
    Group,
    Missing,
    OnError,
    Parameter,
    Sequence,
    ToolEntry,
)
from ..sequence.problems import SHOWN, show
from ..sequence.signature import missing_inputs, run_inputs
from ..sequence.writer import group_document
from .action_rows import KnownActions, actions_of_entry
from .group_form import GroupDocument
from .markdown import code_block, escaped
from .rows import Named, summary_of
from .typed_values import text_of
from .wording import Wording

MOST_GROUPS: Final = 5
"""Groups that the one line tells of; it says how many more there are."""

COLUMNS: Final = 38
"""Columns of text in a menu on a phone."""


def state_line(sequence: Sequence, wording: Wording) -> str:
    """Return the line: `3 calls at the same time, then 1 call; 2 inputs needed`."""
    groups = [group for group in sequence.groups if not group.call_only]
    told = [_calls(group, wording) for group in groups[:MOST_GROUPS]]
    if (more := len(groups) - MOST_GROUPS) > 0:
        told.append(wording.count("more_groups", more))
    if not told:
        return wording("no_groups")
    needed = len(missing_inputs(sequence))
    inputs = wording.count("inputs_needed", needed) if needed else wording("no_inputs")
    return wording("state", calls=wording.join("then", told), inputs=inputs)


def _calls(group: Group, wording: Wording) -> str:
    count = len(group.tools)
    if count < 2:
        return wording("one_call" if count else "no_calls")
    key = "calls_at_once" if group.parallel else "calls_in_order"
    return wording(key, count=str(count))


def plan_markdown(sequence: Sequence, wording: Wording, named: Named = str) -> str:
    """Return the whole plan: the inputs, then each group with its calls.

    `named` gives the names of what the calls act on.
    """
    blocks = []
    if inputs := run_inputs(sequence):
        lines = [_input(key, each, wording) for key, each in inputs.items()]
        blocks.append("\n".join([f"**{escaped(wording('inputs'))}**", *lines]))
    blocks += [
        group_markdown(group, index + 1, wording, named)
        for index, group in enumerate(sequence.groups)
    ]
    return "\n\n".join(blocks)


def group_line(group: Group, index: int, wording: Wording) -> str:
    """Return a group as one line of plain text: its number, its name, its calls.

    The name is shortened so that the line fits on a phone, where menus would cut it.
    """
    calls = wording("only_called") if group.call_only else _calls(group, wording)
    number = str(index + 1)
    room = COLUMNS - _width(wording("group_line", number=number, name="", calls=calls))
    name = _shortened(group.name, room)
    return wording("group_line", number=number, name=name, calls=calls)


def full_name(group: Group, index: int, wording: Wording) -> str:
    """Return the name of a group if its line has not all of it; nothing otherwise."""
    return "" if group.name in group_line(group, index, wording) else group.name


def _width(text: str) -> int:
    """Return columns: a Chinese character takes two."""
    return sum(1 + (east_asian_width(char) in "WF") for char in text)


def _shortened(text: str, columns: int) -> str:
    if _width(text) <= columns:
        return text
    while text and _width(text) >= columns:
        text = text[:-1]
    return f"{text}…"


def group_markdown(
    group: Group, number: int, wording: Wording, named: Named = str
) -> str:
    """Return a group's part of the plan."""
    return "\n".join(_group(group, number, wording, named))


def understood(group: GroupDocument, actions: KnownActions, wording: Wording) -> str:
    """Return the entries that people typed as tool and arguments, as they were read.

    Home Assistant's editor for them takes YAML, which is easily read otherwise.
    """
    tools = group.get("tools")
    entries = tools if isinstance(tools, list) else []
    typed = [
        json.dumps(entry, ensure_ascii=False, indent=2)
        for entry in entries
        if actions_of_entry(entry, actions) is None
    ]
    if not typed:
        return ""
    return f"{wording('understood')}\n\n{code_block('\n'.join(typed), 'json')}"


def _input(key: str, parameter: Parameter, wording: Wording) -> str:
    if parameter.default is not ABSENT:
        must = wording("input_default", value=_default(parameter, wording))
    else:
        must = wording("input_needed" if parameter.required else "input_optional")
    kind = wording(f"type_{parameter.type}")
    about = f": {parameter.description}" if parameter.description else ""
    what = wording.join("joined", [kind, must])
    return f"- {escaped(f'{key} ({what}){about}')}"


def _default(parameter: Parameter, wording: Wording) -> str:
    """Return a default as it stands in the form, and a text in quotes."""
    if isinstance(parameter.default, str):
        return show(parameter.default)
    value, yes_no = to_json_value(parameter.default), (wording("yes"), wording("no"))
    text = text_of(value, str(parameter.type), yes_no)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _group(group: Group, number: int, wording: Wording, named: Named) -> Iterator[str]:
    name = escaped(group.name)
    title = f"**{number}\\. {name}**"
    limit = wording("at_most", time=format_duration(group.timeout))
    how = wording.join("joined", [_calls(group, wording), limit])
    yield f"{title} {escaped(f'({how})')}"
    if group.call_only:
        yield f"- {escaped(wording('only_called'))}"
    if group.when is not None:
        condition = format_condition(group.when)
        yield f"- {escaped(wording('only_if', condition=condition))}"
    yield from (f"- {escaped(text)}" for text in _failing(group, wording))
    documents = group_document(group, as_text=False)["tools"]
    assert isinstance(documents, list)
    for entry, document in zip(group.tools, documents, strict=True):
        yield f"- {escaped(_entry(entry, summary_of(document, named), wording))}"


def _failing(group: Group, wording: Wording) -> Iterator[str]:
    """Tell what is not as it is by default."""
    if group.on_error is OnError.CONTINUE:
        yield wording("goes_on")
    if group.on_error is OnError.RETRY:
        yield wording.count("tries_again", group.retries)
    if group.missing is not Missing.FAIL:
        yield wording(f"missing_{group.missing}")


def _entry(entry: ToolEntry, summary: str, wording: Wording) -> str:
    slot = f" → {entry.as_}" if entry.as_ is not None else ""
    if entry.tool in CALL_TOOLS and entry.when is not None:
        condition = format_condition(entry.when)
        only = wording("only_if", condition=condition)
        return wording.join("joined", [f"{summary}{slot}", only])
    return f"{summary}{slot}"
