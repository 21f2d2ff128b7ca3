"""The entry of one sequence: how it is made, and what stands in it.

Below `sequence_entries`, which keeps them all; reads and makes, changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntry
from homeassistant.util.ulid import ulid_now

from ..const import CONF_DRAFT, CONF_KIND, CONF_SEQUENCE, KIND_SEQUENCE
from ..editing.work import Work, draft_of
from ..sequence.codec import dump, load
from ..sequence.failures import DamagedSequence
from ..sequence.model import Sequence
from ..sequence.names import folded


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


def new_draft(work: Work) -> NewEntry:
    """Return the entry-to-be of a sequence in the making, under a new stable id."""
    return NewEntry(
        id=ulid_now(),
        title=work.name,
        data={CONF_KIND: KIND_SEQUENCE},
        options={CONF_DRAFT: draft_of(work)},
    )


def is_draft(entry: ConfigEntry) -> bool:
    """Whether an entry is a draft: nothing but the editor may see its sequence."""
    return CONF_DRAFT in entry.options and CONF_SEQUENCE not in entry.options


def readable(entry: ConfigEntry) -> Sequence | None:
    """Return the sequence of an entry, None where it is damaged."""
    try:
        return load(entry.options.get(CONF_SEQUENCE))
    except DamagedSequence:
        return None


def names_of(entry: ConfigEntry) -> set[str]:
    """Return the folded names that an entry takes: its title, and the one stored."""
    names = {folded(entry.title)}
    stored = entry.options.get(CONF_SEQUENCE)
    inner = stored.get("sequence") if isinstance(stored, Mapping) else None
    name = inner.get("name") if isinstance(inner, Mapping) else None
    return names | {folded(name)} if isinstance(name, str) else names


def is_sequence(entry: ConfigEntry) -> bool:
    """Whether an entry is that of a sequence, or of a draft."""
    return entry.data.get(CONF_KIND) == KIND_SEQUENCE
