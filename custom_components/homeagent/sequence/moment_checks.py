"""What the tools of the moment say of a group (page 2 §2.2, checks 4, 7, 11, 14).

Part of the static checks; pure, tools are behind a port. Run again when tools change.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from ..kernel.contract import JsonSchema
from ..kernel.errors import ToolError
from ..kernel.phrases import Phrase
from ..kernel.schema_problems import join
from ..kernel.validation import Checker, compile_schema
from .command_lines import command_lines, enclosed_references, property_of
from .findings import Findings
from .forbidden import is_forbidden
from .lookups import ToolInfo, ToolLookup
from .model import ABSENT, CALL_TOOLS, Group, ToolEntry
from .problems import Path, show
from .reached_tools import Safeties, Safety
from .reference_syntax import format_reference
from .run_words import say
from .usage import literal
from .writer import entry_text

SHOWN_ENTRY: Final = 200
"""Characters of an entry that a hint shows in full; a longer one without arguments."""


class MomentChecks:
    """The checks of one run over a sequence; each tool is looked up once."""

    def __init__(
        self,
        tools: ToolLookup,
        safeties: Safeties,
        findings: Findings,
        own_buttons: Collection[str] = (),
    ) -> None:
        self._tools = tools
        self._safeties = safeties
        self._findings = findings
        self._own_buttons = own_buttons
        self._found: dict[str, ToolInfo | None] = {}
        self._checkers: dict[str, Checker] = {}

    def check_group(self, group: Group, path: Path) -> None:
        """Check one group."""
        self._check_safety(group, path)
        keys: dict[str, int] = {}
        for index, entry in enumerate(group.tools):
            place = (*path, "tools", index)
            unreadable = {place, (*place, "tool"), (*place, "args")}
            if entry.tool in CALL_TOOLS or unreadable & self._findings.gaps:
                continue
            tool = self._find(entry.tool)
            if tool is None:
                self._tell_unknown(entry, place)
                continue
            self._check_arguments(entry, tool, place)
            found = self._check_keys(entry, tool, place)
            if group.parallel and len(group.tools) > 1:
                self._check_order(found, keys, index, place)

    def _find(self, name: str) -> ToolInfo | None:
        if name not in self._found:
            self._found[name] = self._tools.find(name)
        return self._found[name]

    def _tell_unknown(self, entry: ToolEntry, path: Path) -> None:
        """A tool that does not exist now is a warning: it may exist later (§8.2)."""
        if is_forbidden(entry.tool, entry.args) is None:
            self._findings.warning(
                "unknown_tool", (*path, "tool"), found=show(entry.tool)
            )

    def _check_safety(self, group: Group, path: Path) -> None:
        """Known tools that are not parallel safe need a serial group that says so."""
        if (*path, "parallel") in self._findings.gaps:
            return
        several = len(group.tools) > 1
        for index, entry in enumerate(group.tools):
            place = (*path, "tools", index)
            if place in self._findings.gaps:
                continue
            judged = self._safeties.of_entry(entry)
            unsafe = several and judged.safety is Safety.UNSAFE
            because = show(judged.because)
            if unsafe and group.parallel:
                self._findings.error(
                    "not_parallel_safe", (*place, "tool"), tool=because
                )
            elif unsafe and not entry.unsafe_serial:
                self._findings.error(
                    "not_marked_unsafe", place, tool=because, nearest=_marked(entry)
                )
            elif entry.unsafe_serial and (
                group.parallel or not several or judged.safety is Safety.SAFE
            ):
                self._findings.warning("needless_unsafe", (*place, "unsafe_serial"))

    def _check_arguments(self, entry: ToolEntry, tool: ToolInfo, path: Path) -> None:
        """Literal arguments must be what the tool's schema wants: warnings."""
        if tool.parameters is None:
            return
        self._check_command_lines(entry, tool.parameters, path)
        if entry.tool not in self._checkers:
            self._checkers[entry.tool] = compile_schema(tool.parameters)
        values = {key: literal(value) for key, value in entry.args.items()}
        known = {key: each for key, each in values.items() if each is not ABSENT}
        for problem in self._checkers[entry.tool](known).problems:
            if not _concerns_reference(problem, values):
                self._findings.warning(
                    "argument_does_not_fit",
                    (*path, "args"),
                    tool=show(entry.tool),
                    field=problem.field or "",
                    why=_found(problem),
                    right=_right(problem),
                )

    def _check_command_lines(
        self, entry: ToolEntry, schema: JsonSchema, path: Path
    ) -> None:
        """No value may be put inside of the quotes of a command line: errors."""
        findings = self._findings
        for name, argument in entry.args.items():
            lines = command_lines(
                argument, property_of(schema, name), (*path, "args", name)
            )
            for place, template in lines:
                for reference in enclosed_references(template):
                    findings.error(
                        "reference_in_quotes",
                        place,
                        partial(findings.reference_spot, place, reference),
                        written=format_reference(reference),
                        tool=show(entry.tool),
                    )

    def _check_keys(
        self, entry: ToolEntry, tool: ToolInfo, path: Path
    ) -> Collection[str]:
        """Return the ordering keys of a literal call; none may be an own button."""
        values = literal(entry.args)
        if not isinstance(values, dict):
            return ()
        keys = tool.ordering_keys(values)
        forbidden = is_forbidden(
            entry.tool, values, own_buttons=self._own_buttons, keys=keys
        )
        # What is forbidden by its name alone, the structure tells.
        if forbidden is not None and is_forbidden(entry.tool, values) is None:
            self._findings.error(
                "forbidden",
                (*path, "tool"),
                found=show(entry.tool),
                why=forbidden.why,
                nearest=forbidden.instead,
            )
        return keys or ()

    def _check_order(
        self, found: Collection[str], keys: dict[str, int], index: int, path: Path
    ) -> None:
        """Two calls with one ordering key make a parallel group run in order."""
        for key in found:
            if key in keys and keys[key] != index:
                self._findings.warning(
                    "same_ordering_key",
                    path,
                    key=show(key),
                    first=f"tools[{keys[key]}]",
                )
                break
        for key in found:
            keys.setdefault(key, index)


def _marked(entry: ToolEntry) -> str:
    """Return the corrected entry, without its arguments where they are long."""
    text = entry_text(replace(entry, unsafe_serial=True))
    if len(text) <= SHOWN_ENTRY:
        return text
    return f'{{"tool":{show(entry.tool)},…,"unsafe_serial":true}} ;'


def _concerns_reference(problem: ToolError, values: Mapping[str, object]) -> bool:
    """Whether a problem comes from a value that is not known yet."""
    unknown = [join(key) for key, value in values.items() if value is ABSENT]
    return bool(unknown) if problem.field is None else problem.field in unknown


def _found(problem: ToolError) -> str:
    """Return what was found, without what would be right."""
    detail = problem.detail
    if isinstance(detail, Phrase) and "found" in detail.named:
        return detail.named["found"]
    return detail or problem.reason


def _right(problem: ToolError) -> str:
    """Return what would be right, so that it can be said in any language."""
    named = problem.detail.named if isinstance(problem.detail, Phrase) else {}
    if "expected" in named:
        return say("write_expected", english=problem.hint, expected=named["expected"])
    if "known" in named:
        return say("known_keys", english=problem.hint, known=named["known"])
    return problem.hint
