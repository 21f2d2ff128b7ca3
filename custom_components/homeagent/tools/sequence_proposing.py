"""Sequences that a model proposes: drafts, which an administrator confirms in the UI.

Beside `sequence_keeping`. Text injected into a model must not become something that
automations run (page 2 §2.6); nothing of a proposal runs before it is confirmed.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from homeassistant.config_entries import ConfigEntry

from ..const import CONF_DRAFT
from ..editing.work import made_of, version_of, work_of_draft
from ..kernel.contract import Caller
from ..kernel.errors import Reason, ToolError
from ..sequence.model import Sequence
from .sequence_entries import SequenceEntries
from .sequence_extras import sentences_of

NOTE: Final = (
    "This is a draft and cannot run yet. An administrator has to confirm it in Home "
    "Assistant: Settings, Devices & services, HomeAgent, and there the options of the "
    "entry with this name."
)


class Proposals:
    """Makes drafts of what models create."""

    def __init__(self, entries: SequenceEntries) -> None:
        """Take where entries are kept."""
        self._entries = entries

    def own(self, name: str, caller: Caller) -> Sequence | None:
        """Return what a caller proposed under a name, and may add to."""
        entry = self._entries.entry_of(name)
        draft = None if entry is None else entry.options.get(CONF_DRAFT)
        if entry is None or not isinstance(draft, Mapping):
            return None
        work = work_of_draft(entry.title, draft)
        return work.sequence() if work.proposed == _proposer(caller) else None

    def problem(
        self, name: str, existing: Sequence | None, arguments: Mapping[str, object]
    ) -> ToolError | None:
        """Return why nothing may be proposed under a name, if so."""
        entry = self._entries.entry_of(name)
        if entry is None:
            return None
        draft = entry.options.get(CONF_DRAFT)
        if not isinstance(draft, Mapping):
            return None
        if "proposed" not in draft:
            return _in_work(name)
        if existing is not None or arguments.get("replace"):
            return None
        return ToolError(
            reason=Reason.VALUE,
            field="name",
            detail=f"a draft named {entry.title} waits for an administrator already",
            hint="Give replace: true to propose this in its place, or another name.",
        )

    def is_waiting(self, name: str) -> bool:
        """Whether a proposal of that name waits, with no sequence beside it."""
        entry = self._entries.entry_of(name)
        return entry is not None and _is_proposal(entry)

    async def make(
        self, caller: Caller, sequence: Sequence, existing: Sequence | None
    ) -> dict[str, object]:
        """Keep a proposal, instead of an earlier one; return what the model is told."""
        work = replace(
            made_of(sequence),
            proposed=_proposer(caller),
        )
        entry = self._entries.entry_of(sequence.name)
        if entry is None:
            await self._entries.async_create_draft(work)
        else:
            base = None if existing is None else version_of(existing)
            work = replace(work, base=base, sentences=sentences_of(entry))
            self._entries.keep_draft(entry, work)
        return {"draft": True, "note": NOTE}


def _proposer(caller: Caller) -> dict[str, object]:
    return {"entrance": str(caller.entrance), "user_id": caller.user_id}


def _is_proposal(entry: ConfigEntry) -> bool:
    draft = entry.options.get(CONF_DRAFT)
    return isinstance(draft, Mapping) and "proposed" in draft


def _in_work(name: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="name",
        detail=f"somebody is working on {name} in the editor at the moment",
        hint="Propose it under another name, or ask that person to finish first.",
    )
