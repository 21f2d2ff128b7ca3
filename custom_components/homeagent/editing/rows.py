"""The rows of a group's tool list and the entries of its `tools`: one in the other.

Above `action_rows`; pure. A row has either what the visual action editor made, or a
tool's name and arguments; the other fields are those of an entry.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from ..kernel.json_text import NotJsonError, decode_json, encode_json
from .action_rows import Entry, actions_of_entry, entry_of_actions
from .faults import Fault, FormFault

type Row = dict[str, object]
type Named = Callable[[str], str]

SUMMARY_LENGTH: Final = 80
"""Characters of an entry's summary; a longer one ends in `…`."""


def rows_of(entries: Iterable[Entry], is_action: Callable[[str], bool]) -> list[Row]:
    """Return the row of each entry, in the form that can express it."""
    return [_row(entry, is_action) for entry in entries]


def _row(entry: Entry, is_action: Callable[[str], bool]) -> Row:
    row: Row = {}
    actions = actions_of_entry(entry, is_action)
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
        row["fallback"] = encode_json(entry["fallback"])
    if entry.get("unsafe_serial"):
        row["unsafe_serial"] = True
    return row


def summary_of(entry: Entry, named: Named = str) -> str:
    """Return an entry in a few words: its tool, and what its arguments name.

    `named` gives the name of what has an id, such as an entity.
    """
    args = entry.get("args")
    leaves = list(_leaves(args, named)) if isinstance(args, Mapping) else []
    words = " · ".join(filter(None, [str(entry.get("tool", "")), ", ".join(leaves)]))
    return words if len(words) <= SUMMARY_LENGTH else words[: SUMMARY_LENGTH - 1] + "…"


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


def entries_of(rows: object) -> tuple[list[Entry], list[Fault]]:
    """Return the entry of each row, and what is wrong with rows; all at once.

    The entry of a faulty row is empty: the places of the others stay what they are.
    """
    entries: list[Entry] = []
    faults: list[Fault] = []
    for index, row in enumerate(rows if isinstance(rows, list) else []):
        try:
            entries.append(_entry(row if isinstance(row, Mapping) else {}))
        except FormFault as error:
            fault = error.fault
            faults.append(
                Fault(word=fault.word, placeholders=fault.placeholders, row=index)
            )
            entries.append({})
    return entries, faults


def _entry(row: Mapping[str, object]) -> Entry:
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
        entry["fallback"] = json_value(text, "fallback")
    if row.get("unsafe_serial") is True:
        entry["unsafe_serial"] = True
    return entry


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def _args(args: object) -> dict[str, object]:
    if args is None or args in ("", {}):
        return {}
    if not isinstance(args, Mapping):
        raise FormFault("row_args_no_object")
    return {"args": args}


def json_value(text: str, field: str) -> object:
    """Return the value of a JSON text in a field of a row.

    Raises:
        FormFault: it is no JSON.
    """
    try:
        return decode_json(text)
    except NotJsonError as error:
        raise FormFault("row_no_json", field=field, why=error.problem) from error
