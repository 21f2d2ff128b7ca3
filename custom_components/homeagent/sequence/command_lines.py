"""Command lines among arguments, and where a value may stand in one (page 2 §2.1).

Below substitution and the checks; imports the kernel's contract and the AST. A value is
put in as one quoted word. Inside of quotes its own quotes would end the author's, so a
reference may stand only where the shell reads plain words.
"""

from collections.abc import Iterable, Iterator, Mapping
import re
from typing import Final

from ..kernel.contract import COMMAND_LINE_FORMAT, JsonSchema
from .model import Argument, Reference, Template
from .problems import Path

OPEN: Final[JsonSchema] = {}
"""The schema of what nothing is said of."""

_BRANCHES: Final = frozenset({"anyOf", "oneOf", "allOf"})

# What the shell does not read as plain words, each from its first character to its last.
# A form that could end in several ways encloses the rest of the text.
_ENCLOSED: Final = re.compile(
    r"""
      \\ .?                                        # the next character as it is
    | \$ '.*                                       # quotes that not all shells know
    | ' [^']* (?: ' | \Z )
    | " (?: \\. | [^"\\`$] | \$ (?![({])
          | \$\( [^"'`\\()$]* \) | \$\{ [^"'`\\{}$]* \} )* (?: " | .* )
    | ` (?: [^`\\"']* ` | .* )
    | (?<! [^\s;&|()<>] ) \# .*                    # a comment
    | (?<! < ) << (?! < ) .*                       # a text that follows
    | \$ \{ (?: [^}"'`\\${]* \} | .* )
    | \$? \(\( (?: [^()"'`\\$]* \)\) | .* )        # a calculation
    | \$ \[ (?: [^]"'`\\$]* \] | .* )
    """,
    re.DOTALL | re.VERBOSE,
)


def enclosed_references(template: Template) -> tuple[Reference, ...]:
    """Return the references of a command line at whose place no plain word can stand."""
    text = ""
    places: list[tuple[int, Reference]] = []
    for part in template.parts:
        if isinstance(part, Reference):
            places.append((len(text), part))
        # A reference is a word, and any word is read alike where words are plain.
        text += part if isinstance(part, str) else "x"
    spans = [match.span() for match in _ENCLOSED.finditer(text)]
    return tuple(
        reference
        for at, reference in places
        # A dollar makes another kind of quotes of those that follow it.
        if text[at - 1 : at] == "$" or any(start < at < end for start, end in spans)
    )


def command_lines(
    argument: Argument, schema: JsonSchema, path: Path
) -> Iterator[tuple[Path, Template]]:
    """Go through the texts with references that a schema marks as command lines."""
    match argument:
        case Template():
            if is_command_line(schema):
                yield path, argument
        case Mapping():
            for name, inner in argument.items():
                yield from command_lines(
                    inner, property_of(schema, name), (*path, name)
                )
        case tuple():
            items = items_of(schema)
            for index, inner in enumerate(argument):
                yield from command_lines(inner, items, (*path, index))
        case _:
            return


def is_command_line(schema: JsonSchema) -> bool:
    """Whether a schema, or a branch of it, marks a command line."""
    if schema.get("format") == COMMAND_LINE_FORMAT:
        return True
    return not _BRANCHES.isdisjoint(schema) and any(
        is_command_line(branch) for branch in _branches(schema)
    )


def _branches(schema: JsonSchema) -> Iterable[JsonSchema]:
    for key in _BRANCHES:
        branches = schema.get(key)
        if isinstance(branches, list | tuple):
            yield from (each for each in branches if isinstance(each, Mapping))


def property_of(schema: JsonSchema, name: str) -> JsonSchema:
    """Return the schema of a property; open where nothing is said of it."""
    properties = schema.get("properties")
    found = properties.get(name) if isinstance(properties, Mapping) else None
    if found is None:
        found = schema.get("additionalProperties")
    return found if isinstance(found, Mapping) else OPEN


def items_of(schema: JsonSchema) -> JsonSchema:
    """Return the schema of an array's elements; open where nothing is said of it."""
    found = schema.get("items")
    return found if isinstance(found, Mapping) else OPEN
