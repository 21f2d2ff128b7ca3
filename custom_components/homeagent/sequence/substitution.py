"""References in arguments become values, in one pass (page 2 §2.1).

Below the engine; imports the kernel and the language's values. Substituted text is never
scanned again. In a parameter that its tool's schema marks as a command line each
interpolated value is quoted as one shell word: a command cannot come from a value. Where
no plain word can stand, inside of quotes, a reference is an error.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
import shlex

from ..kernel.contract import JsonSchema
from ..kernel.errors import Reason, ToolError, combine
from ..kernel.rendering import render_value
from .command_lines import (
    OPEN,
    enclosed_references,
    is_command_line,
    items_of,
    property_of,
)
from .failures import Unresolved
from .model import Argument, Reference, Template
from .reference_syntax import format_reference
from .run_words import say
from .values import Scope, look_up


def substitute(
    arguments: Mapping[str, Argument], scope: Scope, schema: JsonSchema = OPEN
) -> dict[str, object] | ToolError:
    """Return the arguments with values in the place of references.

    `schema` is that of the tool as it is now. An error names every reference that leads
    nowhere. No container of the result is shared with the scope or the AST.
    """
    work = _Substitution(scope=scope)
    values = {
        name: work.value(argument, property_of(schema, name), name)
        for name, argument in arguments.items()
    }
    return combine(work.problems) if work.problems else values


@dataclass(slots=True, kw_only=True)
class _Substitution:
    """One pass; `problems` gathers what leads nowhere."""

    scope: Scope
    problems: list[ToolError] = field(default_factory=list)

    def value(self, argument: Argument, schema: JsonSchema, path: str) -> object:
        match argument:
            case Reference():
                found = self._look_up(argument, path)
                return own_copy(found) if schema is OPEN else _quoted(found, schema)
            case None | bool() | int() | float() | str():
                return argument
            case Template():
                return self._text(argument, path, quote=is_command_line(schema))
            case Mapping():
                return {
                    name: self.value(inner, property_of(schema, name), f"{path}.{name}")
                    for name, inner in argument.items()
                }
            case _:
                items = items_of(schema)
                return [
                    self.value(inner, items, f"{path}[{index}]")
                    for index, inner in enumerate(argument)
                ]

    def _text(self, template: Template, path: str, *, quote: bool) -> str:
        parts: list[str] = []
        if quote:
            self.problems += [
                enclosed_error(each, path) for each in enclosed_references(template)
            ]
        for part in template.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            text = render_value(self._look_up(part, path))
            parts.append(shlex.quote(text) if quote else text)
        return "".join(parts)

    def _look_up(self, reference: Reference, path: str) -> object:
        found = look_up(reference, self.scope)
        if isinstance(found, Unresolved):
            self.problems.append(unresolved_error(found, path))
            return None
        return found


def unresolved_error(unresolved: Unresolved, path: str) -> ToolError:
    """Return the error of a reference that leads nowhere at run time."""
    return ToolError(
        reason=Reason(unresolved.reason),
        field=path,
        detail=say(
            "leads_nowhere", reference=unresolved.reference, why=unresolved.detail
        ),
        hint="Give the run what the reference needs, or correct the reference.",
    )


def enclosed_error(reference: Reference, path: str) -> ToolError:
    """Return the error of a reference inside of the quotes of a command line."""
    return ToolError(
        reason=Reason.VALUE,
        field=path,
        detail=say("reference_quoted", reference=format_reference(reference)),
        hint="Leave out the quotes around the reference: its value becomes one word "
        "by itself.",
    )


def own_copy(value: object) -> object:
    """Return a JSON value that shares no container with the given one."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {key: own_copy(inner) for key, inner in value.items()}
        case list() | tuple():
            return [own_copy(inner) for inner in value]
        case _:
            return value


def references_in(argument: Argument) -> Iterable[Reference]:
    """Return all references in an argument."""
    match argument:
        case Reference():
            yield argument
        case Template():
            yield from (part for part in argument.parts if isinstance(part, Reference))
        case Mapping():
            for inner in argument.values():
                yield from references_in(inner)
        case tuple():
            for inner in argument:
                yield from references_in(inner)
        case _:
            return


def _quoted(value: object, schema: JsonSchema) -> object:
    """Return a copy of a value in which each command line is one shell word."""
    if is_command_line(schema):
        return shlex.quote(render_value(value))
    match value:
        case Mapping():
            return {
                key: _quoted(inner, property_of(schema, str(key)))
                for key, inner in value.items()
            }
        case list() | tuple():
            items = items_of(schema)
            return [_quoted(inner, items) for inner in value]
        case _:
            return value
