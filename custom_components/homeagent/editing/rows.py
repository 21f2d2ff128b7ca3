"""The rows of a group's tool list and the entries of its `tools`: one in the other.

Above `action_rows`; pure. A row has either what the visual action editor made, or a
tool's name and arguments; the other fields are those of an entry. `summary` is for the
list only, and never read.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence as Many
from dataclasses import dataclass, field
from typing import Final

from ..kernel.json_text import encode_json
from .action_rows import (
    TARGET_KEYS,
    Entry,
    KnownActions,
    actions_of_entry,
    entry_of_actions,
)
from .faults import Fault, FormFault
from .typed_values import YesNo, loose_text_of, loose_value_of

type Row = dict[str, object]
type Named = Callable[[str], str]

SUMMARY_LENGTH: Final = 80
"""Characters of an entry's summary; a longer one ends in `…`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """What showing rows takes: the actions there are, and words of the person.

    `named` gives the name of what has an id, `yes_no` are the words for true and false.
    """

    actions: KnownActions
    named: Named = str
    yes_no: YesNo = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """The types of the outputs that calls write to, by their keys."""

    kinds: Mapping[str, str] = field(default_factory=dict)

    def kind(self, key: object) -> str:
        """Return how a fallback for an output is typed: a list or a text takes all."""
        kind = self.kinds.get(key, "any") if isinstance(key, str) else "any"
        return "any" if kind in {"string", "array"} else kind


def rows_of(entries: Iterable[Entry], showing: Showing, slots: Slots) -> list[Row]:
    """Return the row of each entry, in the form that can express it."""
    return [_row(entry, showing, slots) for entry in entries]


def _row(entry: Entry, showing: Showing, slots: Slots) -> Row:
    row: Row = {}
    actions = actions_of_entry(entry, showing.actions)
    if actions is not None:
        row["action"] = actions
    else:
        row["tool"] = entry.get("tool", "")
        if entry.get("args"):
            row["args"] = entry["args"]
    for key in ("as", "select"):
        if key in entry:
            row[key] = entry[key]
    if "fallback" in entry:
        kind = slots.kind(entry.get("as"))
        row["fallback"] = loose_text_of(entry["fallback"], kind, showing.yes_no)
    if entry.get("unsafe_serial"):
        row["unsafe_serial"] = True
    if summary := _arguments(entry, showing.named, visual=actions is not None):
        row["summary"] = summary
    return row


def _arguments(entry: Entry, named: Named, *, visual: bool) -> str:
    """Return the arguments in words; the editor's list shows the target by itself.

    The target comes last: calls of one group often differ in the others only.
    """
    args = entry.get("args")
    if not isinstance(args, Mapping):
        return ""
    targets = [key for key in args if key in {"target", *TARGET_KEYS}]
    others = {key: value for key, value in args.items() if key not in targets}
    told = list(_pairs(others, named))
    if not visual:
        told += [leaf for key in targets for leaf in _leaves({key: args[key]}, named)]
    return _shortened(", ".join(told))


def _pairs(members: Mapping[str, object], named: Named) -> Iterable[str]:
    for key, value in members.items():
        if isinstance(value, Mapping) and value:
            yield from _pairs(value, named)
        elif leaves := list(_leaves({key: value}, named)):
            yield f"{key}: {', '.join(leaves)}"


def _shortened(words: str) -> str:
    return words if len(words) <= SUMMARY_LENGTH else words[: SUMMARY_LENGTH - 1] + "…"


def summary_of(entry: Entry, named: Named = str) -> str:
    """Return an entry in a few words: its tool, and what its arguments name.

    `named` gives the name of what has an id, such as an entity.
    """
    args = entry.get("args")
    leaves = list(_leaves(args, named)) if isinstance(args, Mapping) else []
    words = " · ".join(filter(None, [str(entry.get("tool", "")), ", ".join(leaves)]))
    return _shortened(words)


def _leaves(value: object, named: Named) -> Iterable[str]:
    match value:
        case Mapping():
            for key, inner in value.items():
                known = isinstance(inner, Mapping) or str(key).endswith("_id")
                yield from _leaves(inner, named if known else str)
        case list() | tuple():
            for inner in value:
                yield from _leaves(inner, named)
        case str():
            yield named(value)
        case _:
            yield encode_json(value)


def entries_of(rows: object, slots: Slots) -> tuple[list[Entry], list[Fault]]:
    """Return the entry of each row, and what is wrong with rows; all at once.

    The entry of a faulty row is empty: the places of the others stay what they are.
    """
    entries: list[Entry] = []
    faults: list[Fault] = []
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        try:
            entries.append(_entry(row if isinstance(row, Mapping) else {}, slots))
        except FormFault as error:
            fault = error.fault
            faults.append(
                Fault(word=fault.word, placeholders=fault.placeholders, row=index)
            )
            entries.append({})
    return entries, faults


def _entry(row: Mapping[str, object], slots: Slots) -> Entry:
    entry = entry_of_actions(row.get("action"))
    tool, args = _text(row, "tool"), row.get("args")
    if entry is not None and (tool or args):
        raise FormFault("row_both")
    if entry is None:
        if not tool:
            raise FormFault("row_empty")
        entry = {"tool": tool} | _args(args)
    for key in ("as", "select"):
        if text := _text(row, key):
            entry[key] = text
    if text := _text(row, "fallback"):
        kind = slots.kind(entry.get("as"))
        entry["fallback"] = loose_value_of(text, kind, "row_field_fallback")
    if row.get("unsafe_serial") is True:
        entry["unsafe_serial"] = True
    return entry


def spelled_as_before(
    entries: Iterable[Entry], before: Many[Entry], actions: KnownActions
) -> list[Entry]:
    """Return the entries with arguments spelled as they were, where they say the same.

    The action editor knows one spelling of a target; a call that nobody changed keeps
    its own.
    """
    known = [(_through_editor(each, actions), each) for each in before]
    return [
        _spelled(entry, [*known[index : index + 1], *known])
        for index, entry in enumerate(entries)
    ]


def _spelled(entry: Entry, known: Iterable[tuple[str, Entry]]) -> Entry:
    said = _said(entry)
    same = next((old for shown, old in known if said and shown == said), None)
    return entry if same is None else {**entry, "args": same["args"]}


def _said(entry: Entry) -> str:
    """Return what is called with which arguments; one target is as good as a list."""
    args = entry.get("args")
    target = args.get("target") if isinstance(args, Mapping) else None
    if isinstance(args, Mapping) and isinstance(target, Mapping):
        listed = {
            key: [value] if isinstance(value, str) else value
            for key, value in target.items()
        }
        args = {**args, "target": listed}
    try:
        return encode_json([entry.get("tool"), args])
    except TypeError, ValueError, RecursionError:
        # What a browser sends may be no JSON to us; it is judged elsewhere.
        return ""


def _through_editor(entry: Entry, actions: KnownActions) -> str:
    """Return what the editor gives for an entry that it shows; nothing for another."""
    try:
        read = entry_of_actions(actions_of_entry(entry, actions))
    except FormFault:
        return ""
    return "" if read is None or "args" not in entry else _said(read)


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def _args(args: object) -> dict[str, object]:
    if args is None or args in ("", {}):
        return {}
    if not isinstance(args, Mapping):
        raise FormFault("row_args_no_object")
    return {"args": args}
