"""What a call acts on: arguments in, entities and devices out (page 3 §3.3).

The one resolution that access control, ordering keys and the judgment of outcomes share,
with Home Assistant's own target helper and the flags its entity services use. Reads the
state machine and the registries; changes nothing, awaits nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er, group
from homeassistant.helpers.target import (
    SelectedEntities,
    TargetSelection,
    async_extract_referenced_entity_ids,
)

from .action_schema import NESTED, STATES, ActionShape, IdField
from .entity_ids import is_entity_id
from .group_members import all_members, expanded, is_expanded
from .nested_ids import id_places
from .reach import Reach
from .selectors_schema import TARGET_KEYS

_PLACES = tuple(key for key in TARGET_KEYS if key != "entity_id")
_PLACES_ONLY = frozenset({"area_id", "floor_id", "label_id"})
"""A field of these says where, and names nothing that is acted on."""

_ENTITIES_ONLY = frozenset({"entity_id"})
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a call's arguments come to.

    `direct` are the entities named themselves, with the members in place of the groups
    that Home Assistant expands (those groups are in `groups`). `indirect` are those
    reached through a device, area, floor, label or `all`, reduced to what the action
    can act on. `members` change along, being members of platform groups. `fields` are
    the entities named in other arguments, `devices` all devices named or reached,
    `field_devices` those of other arguments.
    `missing` names what is in no registry, as `area_id kitchen`. `unresolved`: an
    argument that should name something cannot be read. `named`: there is a target, even
    if it comes to nothing.
    """

    direct: frozenset[str] = _NOTHING
    indirect: frozenset[str] = _NOTHING
    members: frozenset[str] = _NOTHING
    groups: frozenset[str] = _NOTHING
    fields: frozenset[str] = _NOTHING
    devices: frozenset[str] = _NOTHING
    field_devices: frozenset[str] = _NOTHING
    missing: tuple[str, ...] = ()
    everything: bool = False
    unresolved: bool = False
    named: bool = False

    @property
    def acted_on(self) -> frozenset[str]:
        """The entities that Home Assistant will call."""
        return self.direct | self.indirect if self.indirect else self.direct

    @property
    def affected(self) -> frozenset[str]:
        """All entities whose state the call may change, groups included."""
        if self.indirect or self.members or self.groups:
            return self.direct | self.indirect | self.members | self.groups
        return self.direct


NOTHING_NAMED = Resolved()


def resolve_targets(
    hass: HomeAssistant,
    arguments: Mapping[str, object],
    shape: ActionShape,
    reach: Reach,
) -> Resolved:
    """Resolve checked arguments; total: what cannot be read is told in `unresolved`."""
    named = arguments.keys() & shape.id_names
    if not named:
        return NOTHING_NAMED
    if named == _ENTITIES_ONLY and "entity_id" in shape.target_keys:
        plain = _plain_entities(hass, arguments["entity_id"])
        if plain is not None:
            return plain
    given = {key: arguments[key] for key in shape.target_keys if key in named}
    fields = _Fields.read(hass, arguments, shape)
    if not given:
        found = NOTHING_NAMED
    elif given.get("entity_id") == ENTITY_MATCH_ALL:
        found = _resolve_everything(hass, given, reach)
    else:
        found = _resolve_given(hass, given, shape, reach)
    return replace(
        found,
        fields=fields.entities,
        devices=found.devices | fields.devices,
        field_devices=fields.devices,
        unresolved=found.unresolved or fields.unresolved,
    )


def _resolve_everything(
    hass: HomeAssistant, given: Mapping[str, object], reach: Reach
) -> Resolved:
    """Resolve `all`: the places beside it add nothing, but they must be there."""
    found = frozenset(filter(reach.covers_indirectly, reach.everything()))
    places = {key: value for key, value in given.items() if key != "entity_id"}
    ids, readable = _readable(places)
    selected = _NO_PLACES
    if ids:
        selected = async_extract_referenced_entity_ids(hass, TargetSelection(dict(ids)))
    return Resolved(
        indirect=found,
        members=all_members(hass, found),
        missing=_missing(selected),
        unresolved=not readable,
        everything=True,
        named=True,
    )


def _resolve_given(
    hass: HomeAssistant,
    given: Mapping[str, object],
    shape: ActionShape,
    reach: Reach,
) -> Resolved:
    ids, readable = _readable(given)
    named = ids.get("entity_id", ())
    groups = frozenset(one for one in named if is_expanded(hass, one))
    direct = expanded(hass, named) if groups else frozenset(named)
    selected = _NO_PLACES
    if any(key in ids for key in _PLACES):
        selected = async_extract_referenced_entity_ids(
            hass,
            TargetSelection(dict(ids)),
            primary_entities_only=shape.primary_only,
        )
    reached = selected.indirectly_referenced - direct
    indirect = frozenset(filter(reach.covers_indirectly, reached))
    return Resolved(
        direct=direct,
        indirect=indirect,
        members=all_members(hass, direct | indirect),
        groups=groups,
        devices=frozenset(selected.referenced_devices),
        missing=_missing(selected),
        unresolved=not readable,
        named=True,
    )


def _plain_entities(hass: HomeAssistant, ids: object) -> Resolved | None:
    """Resolve entities that are no groups: the most frequent case, told quickly."""
    if type(ids) is not list:
        return None
    groups = group.get_group_entities(hass)
    for one in ids:
        if type(one) is not str or one in groups or one.startswith("group."):
            return None
    direct = frozenset(ids)
    return Resolved(direct=direct, members=all_members(hass, direct), named=True)


def resolve_named(hass: HomeAssistant, entity_ids: Iterable[str]) -> Resolved:
    """Resolve entities that are named themselves: what a call reads.

    As in an action's `entity_id`, members stand in the place of a group; a group without
    any stands for itself, so that nothing named comes to nothing.
    """
    ids = frozenset(entity_ids)
    groups = frozenset(one for one in ids if is_expanded(hass, one))
    direct = set(ids - groups)
    for one in groups:
        direct.update(expanded(hass, [one]) or [one])
    return Resolved(
        direct=frozenset(direct),
        members=all_members(hass, direct),
        groups=groups,
        unresolved=not all(is_entity_id(one) for one in ids),
        named=True,
    )


def _readable(
    given: Mapping[str, object],
) -> tuple[dict[str, list[str]], bool]:
    """Return the ids by key, and whether all of them could be read."""
    ids: dict[str, list[str]] = {}
    readable = True
    for key, value in given.items():
        if value in (ENTITY_MATCH_NONE, None):
            continue
        texts = ids_in(value)
        readable = readable and texts is not None
        if texts:
            ids[key] = texts
    return ids, readable


def ids_in(value: object) -> list[str] | None:
    """Return the ids of a normalized argument: one, or a list; None for others."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple):
        texts = [one for one in value if isinstance(one, str)]
        return texts if len(texts) == len(value) else None
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fields:
    """What the arguments beside the target name."""

    entities: frozenset[str] = _NOTHING
    devices: frozenset[str] = _NOTHING
    unresolved: bool = False

    @classmethod
    def read(
        cls, hass: HomeAssistant, arguments: Mapping[str, object], shape: ActionShape
    ) -> _Fields:
        entities: set[str] = set()
        devices: set[str] = set()
        unresolved = False
        for target in _field_targets(hass, arguments, shape):
            ids, readable = _readable(target)
            unresolved = unresolved or not readable
            devices.update(ids.get("device_id", ()))
            if ids.keys() - {"device_id"}:
                selected = async_extract_referenced_entity_ids(
                    hass, TargetSelection(dict(ids))
                )
                entities |= selected.referenced | selected.indirectly_referenced
                devices |= selected.referenced_devices
        if not entities and not devices and not unresolved:
            return _NO_FIELDS
        return cls(
            entities=frozenset(entities),
            devices=frozenset(devices),
            unresolved=unresolved,
        )


def _field_targets(
    hass: HomeAssistant, arguments: Mapping[str, object], shape: ActionShape
) -> Iterator[Mapping[str, object]]:
    """Go through what the arguments beside the target name, each as a target."""
    for field in shape.fields:
        value = arguments.get(field.name)
        if value is None or field.kind in _PLACES_ONLY:
            continue
        if field.kind == NESTED:
            yield from _nested_targets(hass, arguments, field)
        elif field.kind == STATES and isinstance(value, Mapping):
            yield {"entity_id": list(value)}
        elif field.kind == "target" and isinstance(value, Mapping):
            yield value
        else:
            yield {field.kind: value}


def _nested_targets(
    hass: HomeAssistant, arguments: Mapping[str, object], field: IdField
) -> Iterator[Mapping[str, object]]:
    for place in id_places(field.selector, dict(arguments), field.name):
        value = place.holder[place.key]
        if place.kind in _PLACES_ONLY:
            continue
        if place.kind == "target" and isinstance(value, Mapping):
            yield value
        elif place.certain:
            yield {place.kind: value}
        else:
            yield {place.kind: _surely(hass, place.kind, value)}


def _surely(hass: HomeAssistant, kind: str, value: object) -> list[str]:
    """Return the ids among what may be something else."""
    texts = value.split(",") if isinstance(value, str) else value
    listed = texts if isinstance(texts, list) else []
    ids = [one.strip() for one in listed if isinstance(one, str)]
    if kind == "device_id":
        return [one for one in ids if dr.async_get(hass).async_get(one) is not None]
    return [one.lower() for one in ids if is_entity_id(one.lower())]


_NO_FIELDS = _Fields()
_NO_PLACES = SelectedEntities()


def _missing(selected: SelectedEntities) -> tuple[str, ...]:
    found = (
        ("device_id", selected.missing_devices),
        ("area_id", selected.missing_areas),
        ("floor_id", selected.missing_floors),
        ("label_id", selected.missing_labels),
    )
    return tuple(f"{key} {one}" for key, ids in found for one in sorted(ids))


def entity_exists(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether there is such an entity: one with a state, or a registered one."""
    if hass.states.get(entity_id) is not None:
        return True
    return er.async_get(hass).async_get(entity_id) is not None
