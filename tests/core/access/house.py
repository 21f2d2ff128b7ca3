"""A small home for the tests of access: plain tables, and the views on them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from custom_components.homeagent.access.ports import (
    CallKind,
    CallScope,
    DeviceView,
    EntityView,
    SequenceView,
    UserKind,
)
from custom_components.homeagent.kernel.contract import (
    Arguments,
    CallFacts,
    Checked,
    Invocation,
    Tool,
    ToolDefinition,
)

KINDS: Mapping[str, CallKind] = {
    "light.turn_on": CallKind.ENTITY_ACTION,
    "lock.unlock": CallKind.ENTITY_ACTION,
    "homeassistant.turn_off": CallKind.ENTITY_ACTION,
    "scene.turn_on": CallKind.CAPABILITY,
    "script.movie": CallKind.CAPABILITY,
    "get_state": CallKind.READING,
    "find_entities": CallKind.READING,
    "notify.phone": CallKind.PLAIN,
    "shell_command.wipe": CallKind.PLAIN,
    "group.set": CallKind.PLAIN,
    "seq_run": CallKind.SEQUENCE_RUN,
    "seq_create": CallKind.PROPOSING,
    "seq_delete": CallKind.EDITING,
    "host_run": CallKind.HOST,
    "tool_search": CallKind.OPEN,
}
"""The tools of the small home."""

DOMAINS: Mapping[str, str | None] = {
    "light.turn_on": "light",
    "lock.unlock": "lock",
    "homeassistant.turn_off": None,
    "scene.turn_on": "scene",
    "get_state": None,
}
"""Tools with a target, and the domain they act on; None acts on all."""

PLACES = ("area_id", "floor_id", "label_id", "device_id")


@dataclass
class Entity:
    """An entity and all that the registries know of it."""

    area: str | None = None
    device: str | None = None
    labels: frozenset[str] = frozenset()
    exposed: bool = False
    members: frozenset[str] = frozenset()


@dataclass
class House:
    """The tables; `forbidden` are pairs of user and entity that HA refuses."""

    entities: dict[str, Entity] = field(default_factory=dict)
    floors: dict[str, str] = field(default_factory=dict)
    areas: frozenset[str] = frozenset()
    devices: dict[str, str | None] = field(default_factory=dict)
    sequences: dict[str, SequenceView] = field(default_factory=dict)
    users: dict[str, UserKind] = field(default_factory=dict)
    forbidden: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class FakeTool:
    """A tool of which only the name counts."""

    name: str

    @property
    def definition(self) -> ToolDefinition:
        """Tell the name."""
        return ToolDefinition(name=self.name)

    def check(self, arguments: Arguments) -> Checked:
        """Take everything."""
        return Checked(arguments=dict(arguments))

    def facts(self, arguments: Arguments, caller: object) -> CallFacts:
        """Act on nothing."""
        return CallFacts(parallel_safe=True)

    async def call_tool(self, invocation: Invocation) -> object:
        """Do nothing."""
        return None


@dataclass
class View:
    """The home and its calls, as the policy asks for them."""

    house: House
    number: int = 0
    asked: int = 0
    marked: frozenset[str] = frozenset()
    """Tools that are marked as needing a person's yes."""

    def generation(self) -> int:
        """Tell what the test says."""
        return self.number

    def user(self, user_id: str) -> UserKind:
        """Look the user up."""
        return self.house.users.get(user_id, UserKind.NOBODY)

    def entity(self, entity_id: str) -> EntityView | None:
        """Look the entity up."""
        self.asked += 1
        entity = self.house.entities.get(entity_id)
        if entity is None:
            return None
        area = entity.area
        if area is None and entity.device is not None:
            area = self.house.devices[entity.device]
        floor = None if area is None else self.house.floors.get(area)
        return EntityView(area=area, floor=floor, exposed=entity.exposed)

    def members(self, entity_id: str) -> Collection[str]:
        """Look the members up."""
        entity = self.house.entities.get(entity_id)
        return frozenset() if entity is None else entity.members

    def is_replaced(self, entity_id: str) -> bool:
        """Tell the groups of the old kind."""
        return entity_id.startswith("group.")

    def device(self, device_id: str) -> DeviceView | None:
        """Look the device up."""
        if device_id not in self.house.devices:
            return None
        area = self.house.devices[device_id]
        floor = None if area is None else self.house.floors.get(area)
        return DeviceView(area=area, floor=floor)

    def sequence(self, sequence_id: str) -> SequenceView | None:
        """Look the sequence up."""
        return self.house.sequences.get(sequence_id)

    def may_control(self, user_id: str, entity_id: str) -> bool:
        """Tell what Home Assistant would."""
        return (user_id, entity_id) not in self.house.forbidden

    def may_read(self, user_id: str, entity_id: str) -> bool:
        """Tell what Home Assistant would."""
        return (user_id, entity_id) not in self.house.forbidden

    def scope(self, tool: Tool, arguments: Arguments) -> CallScope:
        """Resolve a call."""
        name = tool.definition.name
        scope = CallScope(tool=name, kind=KINDS[name], asks=name in self.marked)
        named = _ids(arguments, "entity_id")
        if name == "script.movie":
            return replace(scope, direct=frozenset({"script.movie"}))
        if name == "group.set":
            return replace(scope, direct=named)
        if name == "host_run":
            hosts = _ids(arguments, "host")
            return replace(
                scope, devices=hosts, unresolved=not hosts <= self.house.devices.keys()
            )
        if name in {"seq_run", "seq_delete"}:
            found = _ids(arguments, "name") & self.house.sequences.keys()
            lost = found != _ids(arguments, "name") or not found
            return replace(scope, sequences=found, unresolved=lost)
        if name not in DOMAINS:
            return scope
        direct = named - {"all"}
        return replace(
            scope,
            direct=direct,
            indirect=self._reached(name, arguments) - direct,
            takes_target=True,
            named=bool(named or any(_ids(arguments, key) for key in PLACES)),
            unresolved=self._lost(arguments),
        )

    def _reached(self, tool: str, arguments: Arguments) -> frozenset[str]:
        found = set()
        for one, entity in self.house.entities.items():
            view = self.entity(one)
            assert view is not None
            if (
                "all" in _ids(arguments, "entity_id")
                or view.area in _ids(arguments, "area_id")
                or view.floor in _ids(arguments, "floor_id")
                or entity.labels & _ids(arguments, "label_id")
                or entity.device in _ids(arguments, "device_id")
            ):
                found.add(one)
        domain = DOMAINS[tool]
        return frozenset(
            one for one in found if domain is None or one.startswith(f"{domain}.")
        )

    def _lost(self, arguments: Arguments) -> bool:
        house = self.house
        labels = {label for each in house.entities.values() for label in each.labels}
        return not (
            _ids(arguments, "area_id") <= house.areas
            and _ids(arguments, "floor_id") <= set(house.floors.values())
            and _ids(arguments, "device_id") <= house.devices.keys()
            and _ids(arguments, "label_id") <= labels
        )

    def widest(self, tool: Tool) -> CallScope:
        """Return all that a tool could act on."""
        name = tool.definition.name
        scope = CallScope(tool=name, kind=KINDS[name], asks=name in self.marked)
        if name in {"seq_run", "seq_delete"}:
            return replace(scope, sequences=frozenset(self.house.sequences))
        if name == "host_run":
            return replace(scope, devices=frozenset(self.house.devices))
        if name == "script.movie":
            return replace(scope, indirect=frozenset({name}))
        if name not in DOMAINS:
            return scope
        every = self._reached(name, {"entity_id": ["all"]})
        return replace(scope, indirect=every, takes_target=True, named=True)

    def reduce(
        self, tool: Tool, arguments: Arguments, keep: frozenset[str]
    ) -> Arguments | None:
        """Name the entities that are kept."""
        rest = {key: value for key, value in arguments.items() if key not in PLACES}
        return {**rest, "entity_id": sorted(keep)}


def _ids(arguments: Arguments, key: str) -> frozenset[str]:
    value = arguments.get(key, ())
    if isinstance(value, str):
        return frozenset({value})
    assert isinstance(value, list | tuple)
    return frozenset(value)
