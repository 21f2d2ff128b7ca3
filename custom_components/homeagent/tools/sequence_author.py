"""From what somebody wrote to a checked sequence, or to all that is wrong with it.

Binds the pure checks to the tools and sequences of this home. Used by the tools that make
sequences and by the flows in the UI; stores nothing.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence as Many
from dataclasses import dataclass, replace
import json

from ..editing.cut_off import cut_off
from ..kernel.contract import Caller, Entrance, Tool, ToolRegistry
from ..kernel.errors import Reason, ToolError
from ..sequence.checks import check_group, check_moment, check_parsed
from ..sequence.document import Parsed, parse_sequence, read_sequence
from ..sequence.findings import Findings
from ..sequence.json_source import read_json
from ..sequence.lookups import SequenceLookup
from ..sequence.model import Group, Sequence
from ..sequence.problems import Problem
from ..sequence.sources import Source
from ..sequence.writer import to_document
from .sequence_sight import Sight

type Aside = Callable[[Callable[[], Parsed]], Awaitable[Parsed]]

_REASONS = {
    "cycle": Reason.CYCLE,
    "depth": Reason.DEPTH,
    "forbidden": Reason.FORBIDDEN,
}

_GONE = frozenset({"unknown_tool", "unknown_sequence", "unknown_foreign_group"})
"""Warnings of what may come back, and is broken if it does not."""

_IN_ORDER = "same_ordering_key"
"""The warning that a group will run in order although it need not."""

_NOBODY = Caller(entrance=Entrance.SYSTEM)
"""Ordering keys of literal arguments do not depend on who asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A sequence if there is no error, and what was found."""

    sequence: Sequence | None
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ToolInfo:
    """A tool as the checks see it."""

    tool: Tool

    @property
    def parallel_safe(self) -> bool:
        return self.tool.definition.parallel_safe

    @property
    def parameters(self) -> Mapping[str, object] | None:
        return self.tool.definition.parameters or None

    def ordering_keys(self, arguments: Mapping[str, object]) -> Collection[str] | None:
        checked = self.tool.check(arguments)
        if checked.problems:
            return ()
        return self.tool.facts(checked.arguments, _NOBODY).keys


class SequenceAuthor:
    """Reads and checks against the home as it is now."""

    def __init__(
        self,
        *,
        registry: ToolRegistry,
        library: SequenceLookup,
        aside: Aside,
        own_buttons: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """Take the tools, the sequences, and the buttons that run sequences.

        `aside` runs the reading of texts, which may be long, beside the event loop.
        """
        self._aside = aside
        self._own_buttons = own_buttons
        self._registry = registry
        self._library = library

    def seen(self, sight: Sight) -> SequenceAuthor:
        """Return an author that knows of these tools and sequences only."""
        return SequenceAuthor(
            registry=sight.tools,
            library=sight.sequences,
            aside=self._aside,
            own_buttons=self._own_buttons,
        )

    async def from_text(self, text: str | bytes, *, name: str | None = None) -> Draft:
        """Read the text form; with a name the text needs none, and must agree."""
        return self._checked(await self._aside(lambda: parse_sequence(text, name=name)))

    async def from_groups(
        self,
        name: str,
        description: object,
        groups: object,
        before: Sequence | None = None,
    ) -> Draft:
        """Read the argument form; the groups are added to those of `before`."""
        data: dict[str, object] = {"name": name, "groups": groups}
        if before is not None:
            data["description"] = before.description
            # Nothing to add is told like a sequence of nothing, not taken for a success.
            new = _items(groups)
            data["groups"] = [*_documents(before), *new] if new else []
        if description is not None:
            data["description"] = description
        return self._checked(await self._aside(lambda: read_sequence(data)))

    async def from_groups_text(
        self,
        name: str,
        description: object,
        groups: str,
        before: Sequence | None = None,
    ) -> Draft:
        """Read groups that came as JSON text, as strictly as a whole text."""
        groups = groups if groups.strip() else "[]"
        alone = await self._aside(lambda: _alone(groups))
        if alone.errors:
            return Draft(sequence=None, errors=alone.errors, warnings=())
        if before is not None:
            inner = groups.strip().removeprefix("[")
            if inner.strip() != "]":
                old = json.dumps(_documents(before), ensure_ascii=False)
                groups = f"{old.removesuffix(']')}, {inner}"
            description = before.description if description is None else description
        told = json.dumps("" if description is None else description)
        return await self.from_text(
            f'{{"description": {told}, "groups": {groups}}}', name=name
        )

    def broken(self, sequence: Sequence) -> tuple[Problem, ...]:
        """Return what keeps a stored sequence from running as it stands, now."""
        report = check_moment(sequence, self, self._library, self._own_buttons())
        gone = [problem for problem in report.warnings if problem.code in _GONE]
        return (*report.errors, *gone)

    def as_it_runs(self, sequence: Sequence) -> Sequence:
        """Return it with `parallel` off where two calls act on one thing.

        Only what the text itself says counts; the report tells the rest.
        """
        groups = tuple(map(self._as_it_runs, sequence.groups))
        return replace(sequence, groups=groups)

    def _as_it_runs(self, group: Group) -> Group:
        if not group.parallel or len(group.tools) < 2:
            return group
        report = check_group(group, self, self._library)
        codes = {problem.code for problem in report.warnings}
        return replace(group, parallel=_IN_ORDER not in codes)

    def _checked(self, parsed: Parsed) -> Draft:
        report = check_parsed(parsed, self, self._library, self._own_buttons())
        return Draft(
            sequence=None if report.errors else parsed.sequence,
            errors=report.errors,
            warnings=report.warnings,
        )

    def find(self, name: str) -> _ToolInfo | None:
        """Look a tool up for the checks."""
        tool = self._registry.find(name)
        return None if tool is None else _ToolInfo(tool=tool)


def _alone(groups: str) -> Parsed:
    """Return what keeps the text of groups from being JSON, with places in it.

    Within the text of a whole sequence it would be told of what stands around it.
    """
    findings = Findings()
    read_json(Source(groups), findings)
    cut = cut_off(groups)
    end = "" if cut is None else f"; {cut.missing} is missing at the end of the text"
    errors = tuple(
        replace(
            problem,
            path=f"groups{problem.path}",
            message=f"{problem.message} (line {problem.line}, column {problem.column} "
            f"of groups){end}",
        )
        for problem in findings.errors.in_order()
    )
    return Parsed(sequence=None, errors=errors, warnings=())


def _documents(sequence: Sequence) -> list[object]:
    groups = to_document(sequence)["groups"]
    return list(groups) if isinstance(groups, list) else []


def _items(groups: object) -> Many[object]:
    return groups if isinstance(groups, list) else [groups]


def problem_error(problem: Problem) -> ToolError:
    """Return a problem of a sequence's text as an error of the call that brought it."""
    at = "" if problem.position is None else f" (character {problem.position} of tools)"
    return ToolError(
        reason=_REASONS.get(problem.code, Reason.VALUE),
        field=problem.path or None,
        detail=f"{problem.message}{at}",
        hint=problem.hint,
    )
