"""Sequences as config entries: stored, loaded, replaced, deleted.

Between Home Assistant's config entries and the library that the engine reads.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
import json

from homeassistant.config_entries import SOURCE_SYSTEM, ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import FlowResultType

from ..const import CONF_DRAFT, CONF_SENTENCES, CONF_SEQUENCE, DOMAIN
from ..editing.work import Work, draft_of, renamed, version_of, work_of_draft
from ..kernel.errors import Reason, ToolError
from ..sequence.codec import dump, load
from ..sequence.failures import DamagedSequence
from ..sequence.library import Library, NameTakenError
from ..sequence.model import Sequence
from ..sequence.names import folded, name_fault, normal_name
from ..sequence.renaming import rename_calls
from . import sequence_issues as issues
from .sequence_entry import (
    NewEntry,
    is_draft,
    is_sequence,
    names_of,
    new_draft,
    new_entry,
    readable,
)

MOST = 1000
"""How many sequences there may be."""

MOST_BYTES = 8 * 1024 * 1024
"""Bytes of JSON that all sequences may have together."""


class SequenceEntries:
    """Keeps the library in step with Home Assistant's config entries."""

    def __init__(
        self,
        hass: HomeAssistant,
        library: Library,
        changed: Callable[[str], None],
    ) -> None:
        """Take the library to fill; `changed` is told of each entry that changed it."""
        self._hass = hass
        self._changed = changed
        self._promised: dict[str, str] = {}
        self.lock = asyncio.Lock()
        """Held from looking a name up until what it names is stored."""
        self._library = library

    @callback
    def async_load(self, entry: ConfigEntry) -> None:
        """Load a sequence; a damaged one fails alone, with a repair issue.

        A draft is not loaded before it has become a sequence.
        """
        self._promised.pop(entry.unique_id or "", None)
        if is_draft(entry):
            entry.async_on_unload(entry.add_update_listener(self._async_updated))
            return
        try:
            sequence = load(entry.options.get(CONF_SEQUENCE))
            # Renamed while it was not loaded: the title counts.
            renamed = entry.title != sequence.name and self._is_free(entry)
            if not renamed:
                self._put(entry.entry_id, sequence)
        except DamagedSequence as err:
            raise issues.tell_damaged(self._hass, entry, str(err)) from err
        except NameTakenError as err:
            detail = f"another sequence is named {err}"
            raise issues.tell_damaged(self._hass, entry, detail) from err
        issues.forget(self._hass, entry, issues.DAMAGED)
        entry.async_on_unload(entry.add_update_listener(self._async_updated))
        if entry.title != sequence.name:
            self._take_over_title(entry, sequence)

    async def _async_updated(self, hass: HomeAssistant, entry: ConfigEntry) -> None:
        """Take over what was saved; the entry is not reloaded for it."""
        if is_draft(entry):
            return
        sequence = load(entry.options.get(CONF_SEQUENCE))
        if entry.title == sequence.name:
            self._put(entry.entry_id, sequence)
        else:
            self._take_over_title(entry, sequence)

    def _take_over_title(self, entry: ConfigEntry, sequence: Sequence) -> None:
        """Make an entry's title its sequence's name, or set it back and tell why."""
        if not self._is_free(entry):
            issues.tell_not_renamed(self._hass, entry, sequence.name)
            self._store(entry, sequence)
            return
        issues.forget(self._hass, entry, issues.NOT_RENAMED)
        new = normal_name(entry.title)
        callers = self._rename(entry, sequence, new)
        if callers:
            issues.tell_renamed(self._hass, entry, sequence.name, new, callers)

    def _put(self, key: str, sequence: Sequence) -> None:
        self._library.put(key, sequence)
        self._changed(key)

    def _is_free(self, entry: ConfigEntry) -> bool:
        """Whether an entry's title can be the name of its sequence."""
        if name_fault(normal_name(entry.title)):
            return False
        return all(
            other.entry_id == entry.entry_id
            or folded(entry.title) not in names_of(other)
            for other in self._entries()
        )

    def _rename(self, entry: ConfigEntry, sequence: Sequence, new: str) -> list[str]:
        """Rename a sequence, also where others call it; return the names of those."""
        old = sequence.name
        callers = []
        after = rename_calls(replace(sequence, name=new), old, new)
        self._move_base(entry, sequence, after)
        for other in self._entries():
            self._rename_in_draft(other, old, new)
            before = None if other.entry_id == entry.entry_id else readable(other)
            if before is None:
                continue
            changed = rename_calls(before, old, new)
            if changed is not before:
                self._move_base(other, before, changed)
                self._store(other, changed)
                callers.append(before.name)
        self._put(entry.entry_id, after)
        self._store(entry, after)
        return callers

    def _move_base(self, entry: ConfigEntry, before: Sequence, after: Sequence) -> None:
        """Let changes that began with a version begin with what a new name made of it.

        Nobody is told of a renaming as of another's change.
        """
        draft = entry.options.get(CONF_DRAFT)
        if not isinstance(draft, Mapping):
            return
        work = work_of_draft(entry.title, draft)
        if work.base == version_of(before):
            self.keep_draft(entry, replace(work, base=version_of(after)))

    def _rename_in_draft(self, entry: ConfigEntry, old: str, new: str) -> None:
        draft = entry.options.get(CONF_DRAFT)
        if isinstance(draft, Mapping):
            before = work_of_draft(entry.title, draft)
            after = renamed(before, old, new)
            if after is not before:
                self.keep_draft(entry, after)

    @callback
    def async_rename(self, entry: ConfigEntry, new: str) -> None:
        """Rename a sequence or a draft to a name that is legal and free."""
        sequence = readable(entry)
        if sequence is not None:
            self._rename(entry, sequence, new)
        else:
            self._hass.config_entries.async_update_entry(entry, title=new)

    @callback
    def async_save(
        self, entry: ConfigEntry, sequence: Sequence, sentences: Iterable[str]
    ) -> None:
        """Store a checked sequence with its sentences, and end its draft.

        It can run when this returns. An entry that was not loaded, for it was damaged, is
        set up anew; a title that it was given meanwhile is taken over then.
        """
        before = readable(entry)
        options = {
            key: each for key, each in entry.options.items() if key != CONF_DRAFT
        }
        loaded = entry.state is ConfigEntryState.LOADED
        if loaded:
            self._put(entry.entry_id, sequence)
        options |= {CONF_SENTENCES: list(sentences), CONF_SEQUENCE: dump(sequence)}
        same = before is not None and before.name == sequence.name
        title = entry.title if same and not loaded else sequence.name
        self._hass.config_entries.async_update_entry(
            entry, title=title, options=options
        )
        issues.forget(self._hass, entry, issues.PROPOSED, issues.NOT_RENAMED)
        if not loaded:
            self._hass.config_entries.async_schedule_reload(entry.entry_id)

    @callback
    def keep_draft(self, entry: ConfigEntry, work: Work | None) -> None:
        """Keep what is in the making beside the AST, if there is one; None ends it."""
        options = {
            key: each for key, each in entry.options.items() if key != CONF_DRAFT
        }
        if work is not None:
            options[CONF_DRAFT] = draft_of(work)
        self._hass.config_entries.async_update_entry(entry, options=options)
        if work is not None and work.proposed is not None:
            issues.tell_proposed(self._hass, entry)
        else:
            issues.forget(self._hass, entry, issues.PROPOSED)

    def _store(self, entry: ConfigEntry, sequence: Sequence) -> None:
        self._hass.config_entries.async_update_entry(
            entry,
            title=sequence.name,
            options={**entry.options, CONF_SEQUENCE: dump(sequence)},
        )

    def _entries(self) -> list[ConfigEntry]:
        entries = self._hass.config_entries.async_entries(DOMAIN)
        return [entry for entry in entries if is_sequence(entry)]

    @callback
    def async_unload(self, entry: ConfigEntry) -> None:
        """Take a sequence out of the library."""
        self._library.remove(entry.entry_id)
        self._changed(entry.entry_id)

    @callback
    def async_removed(self, entry: ConfigEntry) -> None:
        """Forget what was said about an entry that is gone."""
        issues.forget(self._hass, entry)

    def stored_names(self) -> set[str]:
        """Return the case-folded names of all entries, also of those not loaded.

        A title and a name may differ for as long as an entry is disabled: both count.
        """
        titles = {name for entry in self._entries() for name in names_of(entry)}
        return (
            titles
            | set(self._promised.values())
            | set(map(folded, self._library.names()))
        )

    def entry_of(self, name: str) -> ConfigEntry | None:
        """Return the entry of that name: a sequence that can run, or any other."""
        entries = self._hass.config_entries
        key = self._library.key_of(name)
        if key is not None:
            return entries.async_get_known_entry(key)
        named = (each for each in self._entries() if folded(name) in names_of(each))
        return next(named, None)

    def is_taken(self, name: str, by: ConfigEntry) -> bool:
        """Whether another entry than `by` has a name, or will have it."""
        return (
            any(
                folded(name) in names_of(other)
                for other in self._entries()
                if other.entry_id != by.entry_id
            )
            or folded(name) in self._promised.values()
        )

    def cannot_store(self, sequence: Sequence) -> ToolError | None:
        """Return why a sequence is too much beside the others, if so.

        Home Assistant writes all entries anew on each change of one.
        """
        own = self._library.key_of(sequence.name)
        others = sum(
            len(json.dumps(dict(entry.options)))
            for entry in self._entries()
            if entry.entry_id != own
        )
        total = others + len(json.dumps(dump(sequence)))
        if total <= MOST_BYTES:
            return None
        return ToolError(
            reason=Reason.VALUE,
            field="name",
            detail=(
                f"all sequences together would have {total // 1024} KiB, and there is "
                f"room for {MOST_BYTES // 1024}"
            ),
            hint="Delete one that is not needed.",
        )

    def cannot_add(self, name: str) -> ToolError | None:
        """Return why no entry of that name may be added, if so."""
        if len(stored := self.stored_names()) >= MOST:
            return ToolError(
                reason=Reason.VALUE,
                field="name",
                detail=f"there are {MOST} sequences, and there may be no more",
                hint="Delete one that is not needed.",
            )
        if folded(name) not in stored:
            return None
        return ToolError(
            reason=Reason.VALUE,
            field="name",
            detail=f"there is a sequence or an entry named {name} already",
            hint="Take another name, or rename or delete that one; it may be disabled.",
        )

    async def async_create(self, sequence: Sequence) -> None:
        """Store a new sequence; it can run when this returns."""
        await self._async_add(new_entry(sequence))
        if self._library.find(sequence.name) != sequence:
            raise RuntimeError(f"the entry of {sequence.name} was not set up")

    async def async_create_draft(self, work: Work) -> None:
        """Add a sequence in the making, for the editor alone."""
        new = new_draft(work)
        await self._async_add(new)
        entry = self._hass.config_entries.async_entry_for_domain_unique_id(
            DOMAIN, new.id
        )
        if entry is not None and work.proposed is not None:
            issues.tell_proposed(self._hass, entry)

    async def _async_add(self, new: NewEntry) -> None:
        self.promise(new)
        try:
            result = await self._hass.config_entries.flow.async_init(
                DOMAIN, context={"source": SOURCE_SYSTEM}, data=asdict(new)
            )
        finally:
            self._promised.pop(new.id, None)
        if result["type"] is not FlowResultType.CREATE_ENTRY:
            raise RuntimeError(f"the entry was not made: {result.get('reason')}")

    @callback
    def promise(self, entry: NewEntry) -> None:
        """Keep a name for an entry that a flow is about to add."""
        self._promised[entry.id] = folded(entry.title)

    @callback
    def async_replace(self, name: str, sequence: Sequence) -> None:
        """Store another version of a sequence; runs under way keep the old one."""
        entry_id = self._library.key_of(name)
        if entry_id is None:
            raise KeyError(name)
        entry = self._hass.config_entries.async_get_known_entry(entry_id)
        self._put(entry.entry_id, sequence)
        self._store(entry, sequence)

    async def async_delete(self, name: str) -> None:
        """Delete the sequence of that name for good."""
        entry_id = self._library.key_of(name)
        if entry_id is not None:
            await self._hass.config_entries.async_remove(entry_id)
