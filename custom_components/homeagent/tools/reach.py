"""What an action can act on at all, whatever its arguments say.

Below `targets`. Home Assistant's target helper returns locks and cameras for
`light.turn_on` of an area; what an action reaches is less. Entity services tell it
exactly, by the entities they were registered with; for other actions the description's
target filter does. It is taken by domain and integration only, so that nothing the
action may touch is missing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from homeassistant.core import HomeAssistant, Service, split_entity_id
from homeassistant.helpers import entity_registry as er, service as service_helper
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import DATA_INSTANCES

from .entity_ids import is_entity_id

DELEGATING = frozenset(
    {"homeassistant.turn_on", "homeassistant.turn_off", "homeassistant.toggle"}
)
"""Actions that call the action of the same name in each entity's own domain."""

_ENTITY_SERVICES = (
    service_helper.entity_service_call,
    service_helper.batched_entity_service_call,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFilter:
    """One alternative of a target filter; None lets everything pass."""

    domains: frozenset[str] | None = None
    integration: str | None = None

    def passes(self, hass: HomeAssistant, entity_id: str) -> bool:
        """Whether an entity may be meant."""
        if self.domains is not None and _domain(entity_id) not in self.domains:
            return False
        if self.integration is None:
            return True
        entry = er.async_get(hass).async_get(entity_id)
        return entry is not None and entry.platform == self.integration


class Reach:
    """Which entities one action can act on; live, nothing of it is remembered."""

    def __init__(
        self, hass: HomeAssistant, name: str, service: Service, target: object
    ) -> None:
        """Take the action and the target of its description, if it has one."""
        self._hass = hass
        self._filters = read_filters(target)
        self._updates = name == "homeassistant.update_entity"
        self._delegates_to = name.partition(".")[2] if name in DELEGATING else None
        job = service.job.target
        self._entities: Callable[[], Mapping[str, Entity]] | None = None
        self._features: tuple[int, ...] = ()
        self._classes: tuple[str | None, ...] = ()
        if isinstance(job, partial) and job.func in _ENTITY_SERVICES:
            self._read_entity_service(job)

    def _read_entity_service(self, job: partial[object]) -> None:
        registered = job.args[1]
        if callable(registered):
            self._entities = registered
        else:
            self._entities = lambda: registered
        self._features = tuple(job.keywords.get("required_features") or ())
        self._classes = tuple(job.keywords.get("entity_device_classes") or ())

    @property
    def is_exact(self) -> bool:
        """Whether the action is an entity service: it touches nothing else."""
        return self._entities is not None

    def covers(self, entity_id: str) -> bool:
        """Whether the action takes this entity at all, named directly."""
        if self._entities is not None:
            return entity_id in self._entities()
        if self._updates:
            # What is a state only has nothing that could be asked for a new one.
            return _has_entity(self._hass, entity_id)
        if self._delegates_to is not None:
            return self._hass.services.has_service(
                _domain(entity_id), self._delegates_to
            )
        if not self._filters:
            return True
        return any(one.passes(self._hass, entity_id) for one in self._filters)

    def covers_indirectly(self, entity_id: str) -> bool:
        """Whether the action acts on this entity when an area or the like is named.

        Home Assistant leaves out entities without the features the action needs.
        """
        if self._entities is None:
            return self._hass.states.get(entity_id) is not None and self.covers(
                entity_id
            )
        entity = self._entities().get(entity_id)
        if entity is None:
            return False
        if self._classes and entity.device_class not in self._classes:
            return False
        return not self._features or _has_any(entity, self._features)

    def is_available(self, entity_id: str) -> bool:
        """Whether the entity can be acted on now."""
        if self._entities is not None:
            entity = self._entities().get(entity_id)
            return entity is not None and entity.available
        state = self._hass.states.get(entity_id)
        return state is not None and state.state != "unavailable"

    def is_ready(self, entity_id: str) -> bool:
        """Whether the action takes the entity, and can act on it now."""
        if self._entities is not None:
            entity = self._entities().get(entity_id)
            return entity is not None and entity.available
        return self.covers(entity_id) and self.is_available(entity_id)

    def everything(self) -> Iterable[str]:
        """Return all entities that `entity_id: all` means."""
        if self._entities is not None:
            return list(self._entities())
        return filter(self.covers, self._hass.states.async_entity_ids())


def _has_any(entity: Entity, feature_sets: tuple[int, ...]) -> bool:
    has = entity.supported_features
    return has is not None and any(has & mask == mask for mask in feature_sets)


def _has_entity(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether there is an entity behind an id, found as Home Assistant finds it."""
    component = hass.data.get(DATA_INSTANCES, {}).get(_domain(entity_id))
    return component is not None and component.get_entity(entity_id) is not None


def _domain(entity_id: str) -> str:
    return split_entity_id(entity_id)[0] if is_entity_id(entity_id) else ""


def read_filters(target: object) -> tuple[EntityFilter, ...]:
    """Read a described target's filter; an empty one lets every entity pass."""
    entity = target.get("entity") if isinstance(target, Mapping) else None
    alternatives = entity if isinstance(entity, list) else [entity] if entity else []
    found = tuple(_filter(one) for one in alternatives if isinstance(one, Mapping))
    return () if EntityFilter() in found else found


def _filter(config: Mapping[str, object]) -> EntityFilter:
    domains = config.get("domain")
    integration = config.get("integration")
    if isinstance(domains, str):
        domains = [domains]
    return EntityFilter(
        domains=frozenset(map(str, domains)) if isinstance(domains, list) else None,
        integration=integration if isinstance(integration, str) else None,
    )
