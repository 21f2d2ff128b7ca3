"""What a caller may use of the home, in few words: for the prompt of a model.

Reads the state machine and the registries and changes nothing. Names are what people
wrote, and may be anything: each is one short line of plain text. Bounded; what is left
out is counted.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar, entity_registry as er

from .entity_lookup import area_of

MOST_ENTITIES: Final = 100
MOST_CHARACTERS: Final = 4000
"""Of the whole list: with the tools it has to fit a small model's context."""

LONGEST_NAME: Final = 64
MOST_ALIASES: Final = 3

_DOMAINS: Final = (
    "light switch cover climate media_player fan lock vacuum scene script valve"
    " humidifier water_heater lawn_mower siren alarm_control_panel input_boolean"
    " input_number input_select number select button input_button todo calendar weather"
    " person sensor binary_sensor"
).split()
"""What people talk about first; others come after these."""

_RANK: Final = {domain: rank for rank, domain in enumerate(_DOMAINS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One entity as it is listed."""

    entity_id: str
    name: str
    area: str
    aliases: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """Its id, name and aliases."""
        also = f" ({', '.join(self.aliases)})" if self.aliases else ""
        return f"{self.entity_id} {self.name}{also}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The lines, by area, and how many entities stand in none of them."""

    lines: tuple[str, ...] = ()
    left_out: int = 0


def list_home(
    hass: HomeAssistant,
    may_use: Callable[[str], bool],
    *,
    area_id: str | None = None,
    no_area: str = "-",
    characters: int = MOST_CHARACTERS,
) -> Listing:
    """List the entities that may be used; those of the speaker's area come first.

    `no_area` is the heading of what is in no area. The whole list has at most so many
    `characters`.
    """
    ranked = sorted(_ranked(hass, may_use, area_id), key=lambda one: one[0])
    kept: list[tuple[bool, Listed]] = []
    left = characters
    for (far, *_), state in ranked[:MOST_ENTITIES]:
        listed = _listed(hass, state, no_area)
        left -= len(listed.line) + 1
        if left < 0:
            break
        kept.append((bool(far), listed))
    return Listing(lines=tuple(_lines(kept)), left_out=len(ranked) - len(kept))


type _Key = tuple[bool, bool, int, str]


def _ranked(
    hass: HomeAssistant, may_use: Callable[[str], bool], area_id: str | None
) -> Iterator[tuple[_Key, State]]:
    registry = er.async_get(hass)
    for state in hass.states.async_all():
        entry = registry.async_get(state.entity_id)
        if entry is not None and entry.hidden_by is not None:
            continue
        if not may_use(state.entity_id):
            continue
        area = None if area_id is None else area_of(hass, state.entity_id)
        is_near = area is not None and area.id == area_id
        is_aside = entry is not None and entry.entity_category is not None
        rank = _RANK.get(state.domain, len(_RANK))
        yield (not is_near, is_aside, rank, state.entity_id), state


def _listed(hass: HomeAssistant, state: State, no_area: str) -> Listed:
    entry = er.async_get(hass).async_get(state.entity_id)
    area = area_of(hass, state.entity_id)
    aliases = er.async_get_entity_aliases(hass, entry) if entry is not None else ()
    others = dict.fromkeys(plain_name(one) for one in aliases if one != state.name)
    others.pop("", None)
    return Listed(
        entity_id=state.entity_id,
        name=plain_name(state.name),
        area=no_area if area is None else _heading(area),
        aliases=tuple(others)[:MOST_ALIASES],
    )


def _heading(area: ar.AreaEntry) -> str:
    aliases = sorted(plain_name(one) for one in area.aliases)[:MOST_ALIASES]
    also = f" ({', '.join(aliases)})" if aliases else ""
    return f"{plain_name(area.name)}{also}"


def _lines(kept: Iterable[tuple[bool, Listed]]) -> Iterator[str]:
    """Go through headings and entities, the speaker's area first, then by name."""
    areas: dict[tuple[bool, str], list[Listed]] = {}
    for far, listed in kept:
        areas.setdefault((far, listed.area), []).append(listed)
    for (_, name), members in sorted(areas.items()):
        yield f"# {name}"
        yield from (listed.line for listed in members)


def plain_name(name: str) -> str:
    """Return a name as one short line, whatever is in it."""
    line = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    return line if len(line) <= LONGEST_NAME else f"{line[:LONGEST_NAME]}…"
