"""Sequences as config entries: stored, loaded, replaced, deleted.

Between Home Assistant's config entries and the library that the engine reads.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
import json
import logging

from homeassistant.config_entries import SOURCE_SYSTEM, ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import ConfigEntryError
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.ulid import ulid_now

from ..const import CONF_KIND, CONF_SEQUENCE, DOMAIN, KIND_SEQUENCE
from ..kernel.errors import Reason, ToolError
from ..sequence.codec import dump, load
from ..sequence.failures import DamagedSequence
from ..sequence.library import Library, NameTakenError
from ..sequence.model import Sequence
from ..sequence.names import folded, name_fault, normal_name
from ..sequence.renaming import rename_calls

MOST = 1000
"""How many sequences there may be."""

MOST_BYTES = 8 * 1024 * 1024
"""Bytes of JSON that all sequences may have together."""

_LOGGER = logging.getLogger(__name__)

DAMAGED = "damaged_sequence"
RENAMED = "sequence_renamed"
NOT_RENAMED = "sequence_not_renamed"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """What a config flow needs to make the entry of a sequence."""

    id: str
    title: str
    data: dict[str, str]
    options: dict[str, object]


def new_entry(sequence: Sequence) -> NewEntry:
    """Return the entry-to-be of a checked sequence, under a new stable id."""
    return NewEntry(
        id=ulid_now(),
        title=sequence.name,
        data={CONF_KIND: KIND_SEQUENCE},
        options={CONF_SEQUENCE: dump(sequence)},
    )


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
        """Load a sequence; a damaged one fails alone, with a repair issue."""
        self._promised.pop(entry.unique_id or "", None)
        try:
            sequence = load(entry.options.get(CONF_SEQUENCE))
            # Renamed while it was not loaded: the title counts.
            renamed = entry.title != sequence.name and self._is_free(entry)
            if not renamed:
                self._put(entry.entry_id, sequence)
        except DamagedSequence as err:
            raise self._damaged(entry, str(err)) from err
        except NameTakenError as err:
            detail = f"another sequence is named {err}"
            raise self._damaged(entry, detail) from err
        ir.async_delete_issue(self._hass, DOMAIN, _issue_id(entry))
        entry.async_on_unload(entry.add_update_listener(self._async_updated))
        if entry.title != sequence.name:
            self._take_over_title(entry, sequence)

    async def _async_updated(self, hass: HomeAssistant, entry: ConfigEntry) -> None:
        """Take over what was saved; the entry is not reloaded for it."""
        sequence = load(entry.options.get(CONF_SEQUENCE))
        if entry.title == sequence.name:
            self._put(entry.entry_id, sequence)
        else:
            self._take_over_title(entry, sequence)

    def _take_over_title(self, entry: ConfigEntry, sequence: Sequence) -> None:
        """Make an entry's title its sequence's name, or set it back and tell why."""
        if self._is_free(entry):
            ir.async_delete_issue(self._hass, DOMAIN, f"{NOT_RENAMED}_{entry.entry_id}")
            self._rename(entry, sequence)
            return
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{NOT_RENAMED}_{entry.entry_id}",
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=NOT_RENAMED,
            translation_placeholders={"name": sequence.name, "wanted": entry.title},
        )
        self._store(entry, sequence)

    def _put(self, key: str, sequence: Sequence) -> None:
        self._library.put(key, sequence)
        self._changed(key)

    def _is_free(self, entry: ConfigEntry) -> bool:
        """Whether an entry's title can be the name of its sequence."""
        if name_fault(normal_name(entry.title)):
            return False
        return all(
            other.entry_id == entry.entry_id
            or folded(entry.title) not in _names_of(other)
            for other in self._entries()
        )

    def _rename(self, entry: ConfigEntry, sequence: Sequence) -> None:
        """Give a sequence its entry's title as name, also where others call it."""
        renamed = replace(sequence, name=normal_name(entry.title))
        renamed = rename_calls(renamed, sequence.name, renamed.name)
        callers = []
        for other in self._entries():
            before = None if other.entry_id == entry.entry_id else _readable(other)
            if before is None:
                continue
            after = rename_calls(before, sequence.name, renamed.name)
            if after is not before:
                self._store(other, after)
                callers.append(before.name)
        self._put(entry.entry_id, renamed)
        self._store(entry, renamed)
        if callers:
            self._tell_renamed(entry, sequence.name, renamed.name, callers)

    def _tell_renamed(
        self, entry: ConfigEntry, old: str, new: str, callers: list[str]
    ) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{RENAMED}_{entry.entry_id}",
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=RENAMED,
            translation_placeholders={
                "old": old,
                "new": new,
                "callers": ", ".join(callers),
            },
        )

    def _store(self, entry: ConfigEntry, sequence: Sequence) -> None:
        self._hass.config_entries.async_update_entry(
            entry,
            title=sequence.name,
            options={**entry.options, CONF_SEQUENCE: dump(sequence)},
        )

    def _entries(self) -> list[ConfigEntry]:
        entries = self._hass.config_entries.async_entries(DOMAIN)
        return [entry for entry in entries if _is_sequence(entry)]

    def _damaged(self, entry: ConfigEntry, detail: str) -> ConfigEntryError:
        placeholders = {"name": entry.title, "detail": detail}
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            _issue_id(entry),
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=DAMAGED,
            translation_placeholders=placeholders,
        )
        return ConfigEntryError(
            translation_domain=DOMAIN,
            translation_key=DAMAGED,
            translation_placeholders=placeholders,
        )

    @callback
    def async_unload(self, entry: ConfigEntry) -> None:
        """Take a sequence out of the library."""
        self._library.remove(entry.entry_id)
        self._changed(entry.entry_id)

    @callback
    def async_removed(self, entry: ConfigEntry) -> None:
        """Forget what was said about an entry that is gone."""
        for issue in (DAMAGED, RENAMED, NOT_RENAMED):
            ir.async_delete_issue(self._hass, DOMAIN, f"{issue}_{entry.entry_id}")

    def stored_names(self) -> set[str]:
        """Return the case-folded names of all entries, also of those not loaded.

        A title and a name may differ for as long as an entry is disabled: both count.
        """
        titles = {name for entry in self._entries() for name in _names_of(entry)}
        return (
            titles
            | set(self._promised.values())
            | set(map(folded, self._library.names()))
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
        new = new_entry(sequence)
        self.promise(new)
        try:
            result = await self._hass.config_entries.flow.async_init(
                DOMAIN, context={"source": SOURCE_SYSTEM}, data=asdict(new)
            )
        finally:
            self._promised.pop(new.id, None)
        if result["type"] is not FlowResultType.CREATE_ENTRY:
            raise RuntimeError(f"the entry was not made: {result.get('reason')}")
        if self._library.find(sequence.name) != sequence:
            raise RuntimeError(f"the entry of {sequence.name} was not set up")

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


def _readable(entry: ConfigEntry) -> Sequence | None:
    """Return the sequence of an entry, None where it is damaged."""
    try:
        return load(entry.options.get(CONF_SEQUENCE))
    except DamagedSequence:
        return None


def _names_of(entry: ConfigEntry) -> set[str]:
    """Return the folded names that an entry takes: its title, and the one stored."""
    names = {folded(entry.title)}
    stored = entry.options.get(CONF_SEQUENCE)
    inner = stored.get("sequence") if isinstance(stored, Mapping) else None
    name = inner.get("name") if isinstance(inner, Mapping) else None
    return names | {folded(name)} if isinstance(name, str) else names


def _is_sequence(entry: ConfigEntry) -> bool:
    return entry.data.get(CONF_KIND) == KIND_SEQUENCE


def _issue_id(entry: ConfigEntry) -> str:
    return f"{DAMAGED}_{entry.entry_id}"
