"""Where a group uses references: every one with its JSON path.

Pure; below the checks. Also which arguments are literal.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .condition_references import references_of
from .model import ABSENT, Argument, Group, Reference, Template, ToolEntry
from .problems import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One reference; `entry` is the index of the entry, None in the group's `when`."""

    reference: Reference
    path: Path
    entry: int | None = None


def uses_of(group: Group, path: Path) -> Iterator[Use]:
    """Yield the references of a group, in the order in which they stand."""
    if group.when is not None:
        for reference in references_of(group.when):
            yield Use(reference=reference, path=(*path, "when"))
    for index, entry in enumerate(group.tools):
        for reference, place in _of_entry(entry, (*path, "tools", index, "args")):
            yield Use(reference=reference, path=place, entry=index)


def _of_entry(entry: ToolEntry, path: Path) -> Iterator[tuple[Reference, Path]]:
    if entry.when is not None:
        yield from ((each, (*path, "when")) for each in references_of(entry.when))
    yield from _of_argument(entry.args, path)


def _of_argument(argument: Argument, path: Path) -> Iterator[tuple[Reference, Path]]:
    match argument:
        case Reference():
            yield argument, path
        case Template(parts=parts):
            yield from ((part, path) for part in parts if isinstance(part, Reference))
        case Mapping():
            for key, inner in argument.items():
                yield from _of_argument(inner, (*path, key))
        case tuple():
            for index, inner in enumerate(argument):
                yield from _of_argument(inner, (*path, index))
        case _:
            return


def literal(argument: Argument) -> object:
    """Return an argument as plain JSON; absent if any reference stands in it."""
    match argument:
        case Reference() | Template():
            return ABSENT
        case Mapping():
            members = {key: literal(inner) for key, inner in argument.items()}
            return _all_literal(members, members.values())
        case tuple():
            elements = [literal(inner) for inner in argument]
            return _all_literal(elements, elements)
        case scalar:
            return scalar


def _all_literal(value: object, parts: Iterable[object]) -> object:
    return ABSENT if any(part is ABSENT for part in parts) else value
