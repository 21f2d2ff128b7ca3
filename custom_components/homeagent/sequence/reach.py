"""What a call by name reaches: every tool call that it may lead to (page 1 §1.3).

Below the engine; imports the kernel and the engine's pure parts. Arguments are passed
through, conditions are judged where they can be; only what depends on results that are
not there yet stays unknown. Nothing here runs anything.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from ..kernel.contract import Caller, CallFacts, Tool
from ..kernel.errors import ToolError
from ..kernel.records import record
from .calls import find_callee
from .conditions import evaluate
from .failures import ConditionFailed
from .model import (
    CALL_TOOLS,
    Both,
    Comparison,
    Condition,
    Constant,
    Either,
    Exists,
    Group,
    Not,
    Reference,
    ToolEntry,
)
from .ports import SequenceStore, ToolLookup
from .preflight import NO_INPUTS, check_inputs
from .scope import Place, enter, scope_of
from .substitution import references_in, substitute
from .values import Scope

type Values = Mapping[str, object]

MOST_REACHED: Final = 2000
"""Calls that a look ahead goes through; what reaches more counts as not safe."""


@record
class Reached:
    """One call that may be made.

    `arguments` are None where they depend on results. `certain` is false where a
    condition that cannot be judged yet stands before it.
    """

    entry: ToolEntry
    tool: Tool | None
    arguments: dict[str, object] | None
    certain: bool


@record
class _Descent:
    """A call by name on the way; `args` is None where they depend on results."""

    target: object
    args: object
    place: Place | None
    certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Looks ahead, with the tools and sequences that there are now."""

    tools: ToolLookup
    sequences: SequenceStore

    def of_group(self, group: Group, values: Values, place: Place) -> Iterator[Reached]:
        """Go through what a group with these inputs reaches; `place` is its sequence's."""
        yield from self._walk(self._group(group, values, place, certain=True))

    def of_target(
        self, target: object, args: object, place: Place | None
    ) -> Iterator[Reached]:
        """Go through what a call reaches; nothing for one that will fail."""
        descent = _Descent(target=target, args=args, place=place)
        yield from self._walk(self._descend(descent))

    def _walk(self, first: Iterator[Reached | _Descent]) -> Iterator[Reached]:
        """Walk depth first, without recursion: calls may be nested deeply."""
        stack = [first]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
            elif isinstance(step, _Descent):
                stack.append(self._descend(step))
            else:
                yield step

    def _descend(self, descent: _Descent) -> Iterator[Reached | _Descent]:
        callee = find_callee(descent.target, descent.place, self.sequences)
        if isinstance(callee, ToolError):
            return
        inside = enter(callee, descent.place)
        if isinstance(inside, ToolError):
            return
        inputs: Mapping[str, Values] | None = None
        if descent.args is not None:
            args = descent.args if isinstance(descent.args, Mapping) else NO_INPUTS
            flight = check_inputs(callee, args)
            if flight.errors:
                return
            inputs = flight.inputs
        for group in callee.groups:
            if callee.runs(group):
                values = None if inputs is None else inputs[group.name]
                yield from self._group(group, values, inside, certain=descent.certain)

    def _group(
        self, group: Group, values: Values | None, outside: Place, *, certain: bool
    ) -> Iterator[Reached | _Descent]:
        wanted = _holds(group.when, values)
        if wanted is False:
            return
        for entry in group.tools:
            needed = _holds(entry.when, values)
            if needed is not False:
                sure = bool(certain and wanted and needed)
                yield from self._entry(group, entry, values, outside, certain=sure)

    def _entry(
        self,
        group: Group,
        entry: ToolEntry,
        values: Values | None,
        outside: Place,
        *,
        certain: bool,
    ) -> Iterator[Reached | _Descent]:
        tool = self.tools.find(entry.tool)
        arguments = _arguments(entry, values, tool)
        if isinstance(arguments, ToolError):
            return
        yield Reached(entry=entry, tool=tool, arguments=arguments, certain=certain)
        if entry.tool not in CALL_TOOLS:
            return
        target: object = entry.args.get("target")
        args: object = None
        if arguments is not None:
            target, args = arguments.get("target"), arguments.get("args", NO_INPUTS)
        place = outside.inside(group)
        yield _Descent(target=target, args=args, place=place, certain=certain)

    def facts(self, target: object, args: object, caller: Caller) -> CallFacts:
        """Return safety and ordering keys of a call by name: those of all it reaches.

        A tool that does not exist now does nothing: inside a run it takes nothing from
        the safety; to those outside it counts as not safe, as in any batch.
        """
        scope = scope_of(caller)
        place = None if scope is None else scope.place
        keys: set[str] | None = set()
        for count, reached in enumerate(self.of_target(target, args, place)):
            if reached.entry.tool in CALL_TOOLS:
                continue
            facts = _facts(reached, caller, inside=scope is not None)
            if not facts.parallel_safe or count >= MOST_REACHED:
                return CallFacts(parallel_safe=False, keys=None)
            keys = None if keys is None or facts.keys is None else keys | facts.keys
        return CallFacts(
            parallel_safe=True, keys=None if keys is None else frozenset(keys)
        )

    def declared_safe(self, entry: ToolEntry, place: Place) -> bool:
        """Whether nothing that an entry reaches is known and declared not safe."""
        if entry.tool not in CALL_TOOLS:
            tool = self.tools.find(entry.tool)
            return tool is None or tool.definition.parallel_safe
        reached = self.of_target(entry.args.get("target"), None, place)
        return all(
            each.tool is None
            or each.entry.tool in CALL_TOOLS
            or each.tool.definition.parallel_safe
            for each in islice(reached, MOST_REACHED)
        )


def _facts(reached: Reached, caller: Caller, *, inside: bool) -> CallFacts:
    tool = reached.tool
    if tool is None:
        return CallFacts(parallel_safe=inside)
    if not tool.definition.parallel_safe:
        return CallFacts(parallel_safe=False)
    if reached.arguments is None:
        return CallFacts(parallel_safe=True, keys=None)
    checked = tool.check(reached.arguments)
    if checked.problems:
        return CallFacts(parallel_safe=True)  # it will be refused and do nothing
    return tool.facts(checked.arguments, caller)


def _holds(condition: Condition | None, values: Values | None) -> bool | None:
    """Return whether a condition holds, None where results decide; an error ends it."""
    if condition is None:
        return True
    roots = set(_roots(condition))
    if "out" in roots or (values is None and roots):
        return None
    try:
        return evaluate(condition, Scope(args=values or NO_INPUTS))
    except ConditionFailed:
        return False


def _roots(condition: Condition) -> Iterator[str]:
    """Return the roots of all references in a condition."""
    match condition:
        case Reference(root=root) | Exists(reference=Reference(root=root)):
            yield root
        case Comparison(left=left, right=right) | Both(left=left, right=right):
            yield from _roots(left)
            yield from _roots(right)
        case Either(left=left, right=right):
            yield from _roots(left)
            yield from _roots(right)
        case Not(operand=operand):
            yield from _roots(operand)
        case Constant():
            return


def _arguments(
    entry: ToolEntry, values: Values | None, tool: Tool | None
) -> dict[str, object] | ToolError | None:
    """Return an entry's arguments, None where they depend on results."""
    roots = {reference.root for reference in references_in(entry.args)}
    if "out" in roots or (values is None and roots):
        return None
    schema = {} if tool is None else tool.definition.parameters
    return substitute(entry.args, Scope(args=values or NO_INPUTS), schema)
