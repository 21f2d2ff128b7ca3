"""What Home Assistant's own schema of an action says about its arguments.

Descriptions are written for the user interface: they leave out fields that the action
takes and mark fields as required that it does not need. The schema that Home Assistant
itself applies decides (page 1 §1.8). Reads schemas only; never runs one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from homeassistant.helpers import config_validation as cv
import probatio

_CHECKS_ONLY = (
    probatio.AllOrNone,
    probatio.AtLeastOne,
    probatio.AtMostOne,
    probatio.ExactlyOne,
)
"""Validators that look at a mapping and leave it as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerSchema:
    """What is known of an action's arguments without its description.

    `keys` are those it takes, `needs` those it cannot do without, `optional` those it
    says it can do without. `closed`: it takes no others. `removed`: taken and dropped.
    `targets_entities`: it is an entity service and must be given a target.
    """

    keys: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    closed: bool = False
    targets_entities: bool = False

    def requires(self, name: str, described_as_required: bool) -> bool:
        """Whether a described field must be given."""
        if name in self.needs:
            return True
        if not described_as_required or name in self.optional:
            return False
        return name in self.keys or not self.keys


OPEN = HandlerSchema()
"""An action without a schema, or with one that cannot be read: takes anything."""


def read_handler_schema(schema: object) -> HandlerSchema:
    """Read a schema as registered with an action; unreadable parts make it open."""
    found = _read(schema)
    if not isinstance(schema, probatio.Schema | probatio.All):
        return found
    if not cv.is_entity_service_schema(schema):
        return found
    return replace(found, targets_entities=True)


def _read(schema: object) -> HandlerSchema:
    if isinstance(schema, probatio.Schema):
        if isinstance(schema.schema, Mapping):
            return _read_keys(schema.schema, schema.extra == probatio.PREVENT_EXTRA)
        return _read(schema.schema)
    if isinstance(schema, Mapping):
        return _read_keys(schema, closed=True)
    if isinstance(schema, probatio.All):
        return _read_all(schema.validators)
    return OPEN


def _read_all(validators: Iterable[object]) -> HandlerSchema:
    """Read a chain: the first part that names keys, unless something may come before."""
    certain = True
    for validator in validators:
        if isinstance(validator, _CHECKS_ONLY):
            continue
        found = _read(validator)
        if found is OPEN:
            certain = False
        elif certain:
            return found
        else:
            # What stands before it may have renamed or added keys.
            return HandlerSchema(
                keys=found.keys, optional=found.keys, removed=found.removed
            )
    return OPEN


def _read_keys(schema: Mapping[object, object], closed: bool) -> HandlerSchema:
    keys: set[str] = set()
    needs: set[str] = set()
    optional: set[str] = set()
    removed: set[str] = set()
    for marker in schema:
        name = marker.schema if isinstance(marker, probatio.Marker) else marker
        if not isinstance(name, str):
            closed = False
        elif isinstance(marker, probatio.Remove):
            removed.add(name)
        else:
            keys.add(name)
            if isinstance(marker, probatio.Required):
                has_default = marker.default is not probatio.UNDEFINED
                (optional if has_default else needs).add(name)
            elif isinstance(marker, probatio.Marker):
                optional.add(name)
    return HandlerSchema(
        keys=frozenset(keys),
        needs=frozenset(needs),
        optional=frozenset(optional),
        removed=frozenset(removed),
        closed=closed,
    )
