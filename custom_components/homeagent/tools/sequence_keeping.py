"""The sequence tools that make, list, delete and explain.

Above the checks and the config entries; reached through the door like every tool.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path

from homeassistant.core import HomeAssistant

from ..kernel.contract import Caller, Invocation, Tool, ToolOutput
from ..kernel.errors import Reason, ToolError, combine
from ..kernel.function_tool import FunctionTool
from ..kernel.names import nearest
from ..sequence.guide import GUIDE
from ..sequence.library import Library
from ..sequence.listing import list_sequence
from ..sequence.lookups import SequenceLookup
from ..sequence.model import Sequence
from . import sequence_definitions as definitions
from .running_version import running_version
from .sequence_author import Draft, SequenceAuthor, problem_error
from .sequence_entries import SequenceEntries
from .sequence_files import read_sequence_file
from .sequence_proposing import Proposals
from .sequence_sight import Sight

FOLDER = ("homeagent", "sequences")
"""Where files with sequences lie, below the configuration folder."""


class SequenceKeeping:
    """`seq_create`, `seq_list`, `seq_delete`, `seq_help`."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        author: SequenceAuthor,
        entries: SequenceEntries,
        library: Library,
        prepare: Callable[[], Coroutine[object, object, None]],
        may_run: Callable[[Caller, str], bool],
        proposes_only: Callable[[Caller], bool],
        sight_of: Callable[[Caller], Sight],
    ) -> None:
        """Take what reads, stores and finds sequences.

        `prepare` gets tools ready, `may_run` tells whether a caller may run a sequence,
        `proposes_only` whether what a caller creates is a draft that waits for an
        administrator, `sight_of` what such a caller may learn of.
        """
        self._sight_of = sight_of
        self._proposes_only = proposes_only
        self._proposals = Proposals(entries)
        self._may_run = may_run
        self._prepare = prepare
        self._hass = hass
        self._author = author
        self._entries = entries
        self._library = library

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            FunctionTool(definition=definitions.SEQ_CREATE, work=self.create),
            FunctionTool(definition=definitions.SEQ_LIST, work=self.list_all),
            FunctionTool(definition=definitions.SEQ_DELETE, work=self.delete),
            FunctionTool(definition=definitions.SEQ_HELP, work=self.help),
        ]

    async def create(self, invocation: Invocation) -> object:
        """Check and store; nothing is stored while there is a problem."""
        arguments = invocation.arguments
        name = str(arguments["name"])
        if wrong := _contradiction(arguments):
            return wrong
        await self._prepare()
        async with self._entries.lock:
            return await self._create(name, arguments, invocation.caller)

    async def _create(
        self, name: str, arguments: Mapping[str, object], caller: Caller
    ) -> object:
        if self._proposes_only(caller):
            return await self._propose(name, arguments, caller)
        existing = self._library.find(name)
        if wrong := self._name_problem(name, existing, arguments):
            return wrong
        draft = await self._draft(self._author, name, existing, arguments)
        if isinstance(draft, ToolError):
            return draft
        if draft.sequence is None:
            return _rejected(draft)
        if wrong := self._entries.cannot_store(draft.sequence):
            return wrong
        if existing is None:
            await self._entries.async_create(draft.sequence)
        else:
            self._entries.async_replace(existing.name, draft.sequence)
        return _accepted(draft.sequence, draft)

    async def _propose(
        self, name: str, arguments: Mapping[str, object], caller: Caller
    ) -> object:
        """Make a draft; of what its caller may not use, nothing is told."""
        sight = self._sight_of(caller)
        existing = self._proposals.own(name, caller) or sight.sequences.find(name)
        if wrong := self._proposals.problem(name, existing, arguments):
            return wrong
        if self._is_visible(name, existing, arguments) and (
            wrong := self._name_problem(name, existing, arguments, sight.sequences)
        ):
            return wrong
        author = self._author.seen(sight)
        draft = await self._draft(author, name, existing, arguments)
        if isinstance(draft, ToolError):
            return draft
        if draft.sequence is None:
            return _rejected(draft)
        if wrong := self._entries.cannot_store(draft.sequence):
            return wrong
        stored = self._library.find(name)
        made = await self._proposals.make(caller, draft.sequence, stored)
        return _accepted(draft.sequence, draft) | made

    def _is_visible(
        self, name: str, existing: Sequence | None, arguments: Mapping[str, object]
    ) -> bool:
        """Whether a proposer may be told how things stand with a name.

        What is hidden, or waits as a proposal, looks like a name that is free.
        """
        if existing is not None or arguments.get("append"):
            return True
        return self._library.find(name) is None and not self._proposals.is_waiting(name)

    def _name_problem(
        self,
        name: str,
        existing: Sequence | None,
        arguments: Mapping[str, object],
        sequences: SequenceLookup | None = None,
    ) -> ToolError | None:
        if existing is None and arguments.get("append"):
            return unknown_sequence(name, (sequences or self._library).names())
        if existing is None:
            return self._entries.cannot_add(name)
        if arguments.get("replace") or arguments.get("append"):
            return None
        return ToolError(
            reason=Reason.VALUE,
            field="name",
            detail=f"there is a sequence named {existing.name} already",
            hint="Give replace: true to replace it, append: true to add groups to it, "
            "or another name.",
        )

    async def _draft(
        self,
        author: SequenceAuthor,
        name: str,
        existing: Sequence | None,
        arguments: Mapping[str, object],
    ) -> Draft | ToolError:
        if "file" in arguments:
            return await self._from_file(author, name, str(arguments["file"]))
        before = existing if arguments.get("append") else None
        description = arguments.get("description")
        groups = arguments["groups"]
        if isinstance(groups, str):
            return await author.from_groups_text(name, description, groups, before)
        return await author.from_groups(name, description, groups, before)

    async def _from_file(
        self, author: SequenceAuthor, name: str, file: str
    ) -> Draft | ToolError:
        folder = Path(self._hass.config.path(*FOLDER))
        content = await self._hass.async_add_executor_job(
            read_sequence_file, folder, file
        )
        if isinstance(content, ToolError):
            return content
        return await author.from_text(content, name=name)

    async def list_all(self, invocation: Invocation) -> object:
        """List the sequences that the caller may run."""
        caller = invocation.caller
        return {
            "sequences": [
                list_sequence(sequence)
                for sequence in self._library
                if self._may_run(caller, sequence.name)
            ]
        }

    async def delete(self, invocation: Invocation) -> object:
        """Delete a sequence that no other one calls."""
        async with self._entries.lock:
            return await self._delete(invocation)

    async def _delete(self, invocation: Invocation) -> object:
        name = str(invocation.arguments["name"])
        sequence = self._library.find(name)
        if sequence is None:
            return self._unknown(invocation.caller, name)
        callers = self._library.callers_of(name)
        if callers and not invocation.arguments.get("force"):
            return ToolError(
                reason=Reason.VALUE,
                field="name",
                detail=f"{sequence.name} is called by {', '.join(callers)}",
                hint="Change those first, or give force: true; their calls will fail.",
            )
        await self._entries.async_delete(sequence.name)
        return {"success": True, "name": sequence.name, "called_by": callers}

    async def help(self, invocation: Invocation) -> object:
        """Explain the language."""
        version = running_version(self._hass)
        return ToolOutput(
            value={"version": version, "guide": GUIDE},
            text=f"HomeAgent {version}\n\n{GUIDE}",
        )

    def _unknown(self, caller: Caller, name: str) -> ToolError:
        known = self._library.names()
        return unknown_sequence(
            name, [each for each in known if self._may_run(caller, each)]
        )


def unknown_sequence(name: str, known: Iterable[str]) -> ToolError:
    """Return the error for a name that no sequence has; `known` may be told."""
    near = nearest(name, known)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    return ToolError(
        reason=Reason.VALUE,
        field="name",
        detail=f"there is no sequence named {name!r}",
        hint=f"{meant}seq_list names all sequences.",
    )


def _contradiction(arguments: Mapping[str, object]) -> ToolError | None:
    if ("groups" in arguments) == ("file" in arguments):
        given = "both are given" if "file" in arguments else "neither is given"
        return ToolError(
            reason=Reason.VALUE if "file" in arguments else Reason.REQUIRED,
            field="groups",
            detail=f"groups or file is needed, and {given}",
            hint="Give groups, or the name of a file, and not both.",
        )
    if arguments.get("append") and (arguments.get("replace") or "file" in arguments):
        other = "replace is true, too" if arguments.get("replace") else "file is given"
        return ToolError(
            reason=Reason.VALUE,
            field="append",
            detail=f"append is true, but {other}",
            hint="append adds groups, which must be given; it replaces nothing.",
        )
    return None


def _accepted(sequence: Sequence, draft: Draft) -> dict[str, object]:
    return {
        "success": True,
        "name": sequence.name,
        "groups": len(sequence.groups),
        "tools": sum(len(group.tools) for group in sequence.groups),
        "warnings": [problem.as_dict() for problem in draft.warnings],
    }


def _rejected(draft: Draft) -> ToolOutput:
    error = combine([problem_error(problem) for problem in draft.errors])
    return ToolOutput(
        error=error,
        value={
            "success": False,
            "error": error.as_dict(),
            "errors": [problem.as_dict() for problem in draft.errors],
            "warnings": [problem.as_dict() for problem in draft.warnings],
        },
    )
