"""Which rule grants one thing to one caller (page 3 §3.2, §3.3).

Above `identity`; imports the kernel's contract only through it. A thing is an entity, a
device, a sequence, or the call itself where it has no target. What is found out is kept
for as long as the home's generation does not change.
"""

from collections.abc import Callable, Iterable
from functools import cached_property

from .identity import Identity
from .model import CAPABILITY_DOMAINS, AccessRule, How, What, Where
from .patterns import matches
from .ports import CallKind, DeviceView, EntityView, HomeView

_MANY = 4096
"""Entities that are remembered for one tool."""

_WHAT_BARE = {
    CallKind.PROPOSING: frozenset({What.PROPOSING_SEQUENCES, What.EDITING_SEQUENCES}),
    CallKind.EDITING: frozenset({What.EDITING_SEQUENCES}),
}


class Profile:
    """What the rules grant to one caller."""

    def __init__(
        self, identity: Identity, rules: Iterable[AccessRule], home: HomeView
    ) -> None:
        """Choose the rules that concern the caller; those that ask come last."""
        concerned = [rule for rule in rules if identity.is_concerned_by(rule)]
        self.identity = identity
        self.home = home
        self.rules = tuple(sorted(concerned, key=lambda rule: rule.how is How.ASK))
        self.everything = _first(self.rules, lambda rule: rule.grants_everything)
        self._tools: dict[tuple[str, CallKind], ToolGrants] = {}

    def of_tool(self, tool: str, kind: CallKind) -> ToolGrants:
        """Return what is granted of one tool."""
        found = self._tools.get((tool, kind))
        if found is None:
            found = self._tools[tool, kind] = ToolGrants(self, tool, kind)
        return found


class ToolGrants:
    """What the rules grant to one caller of one tool; each answer is a rule or None."""

    def __init__(self, profile: Profile, tool: str, kind: CallKind) -> None:
        """Take the caller's rules."""
        self._profile = profile
        self._identity = profile.identity
        self._home = profile.home
        self._tool = tool
        self._kind = kind
        self._naming = frozenset(
            rule.id for rule in profile.rules if matches(rule.tools, tool)
        )
        self._entities: dict[str, AccessRule | None] = {}

    @cached_property
    def itself(self) -> AccessRule | None:
        """The rule that grants a call that has no target to look at."""
        match self._kind:
            case CallKind.OPEN:
                return _first(self._profile.rules, lambda rule: True)
            case CallKind.READING:
                return _first(self._profile.rules, self._reads_something)
            case _:
                return _first(self._profile.rules, self._grants_bare)

    def _reads_something(self, rule: AccessRule) -> bool:
        return (
            not rule.what.isdisjoint({What.READING, What.EVERYTHING})
            or bool(rule.entities)
            or rule.id in self._naming
        )

    def _grants_bare(self, rule: AccessRule) -> bool:
        if rule.grants_everything or rule.id in self._naming:
            return True
        return not rule.what.isdisjoint(_WHAT_BARE.get(self._kind, frozenset()))

    def entity(self, entity_id: str) -> AccessRule | None:
        """Return the rule that grants the tool on an entity."""
        try:
            return self._entities[entity_id]
        except KeyError:
            pass
        view = self._home.entity(entity_id)
        found = _first(
            self._profile.rules, lambda rule: self._grants_entity(rule, entity_id, view)
        )
        # One that is not there may come without any registry knowing of it.
        if view is not None and len(self._entities) < _MANY:
            self._entities[entity_id] = found
        return found

    def _grants_entity(
        self, rule: AccessRule, entity_id: str, view: EntityView | None
    ) -> bool:
        domain = entity_id.partition(".")[0]
        if domain in CAPABILITY_DOMAINS and self._kind is not CallKind.READING:
            return self._grants_capability(rule, entity_id, view)
        wide = What.READING if self._kind is CallKind.READING else What.ENTITY_ACTIONS
        if not (
            wide in rule.what
            or What.EVERYTHING in rule.what
            or entity_id in rule.entities
            or rule.id in self._naming
        ):
            return False
        if Where.EVERYWHERE in rule.where:
            return True
        if view is None:
            return False
        exposed = Where.EXPOSED in rule.where and view.exposed
        return exposed or self._is_in(rule, view)

    def _grants_capability(
        self, rule: AccessRule, entity_id: str, view: EntityView | None
    ) -> bool:
        """Judge what nobody can look into: areas and patterns do not reach it."""
        if rule.grants_everything:
            return True
        exposed = Where.EXPOSED in rule.where and view is not None and view.exposed
        if exposed and not rule.what.isdisjoint({What.ENTITY_ACTIONS, What.EVERYTHING}):
            return True
        named = entity_id in rule.entities or (
            self._kind is CallKind.CAPABILITY and self._names_the_capability(rule)
        )
        return named and (exposed or Where.EVERYWHERE in rule.where)

    def _names_the_capability(self, rule: AccessRule) -> bool:
        """Whether the rule has the name of a script's own action, as it is."""
        return self._tool.startswith("script.") and (
            self._tool not in _SCRIPT_COMMANDS and self._tool in rule.tools
        )

    def _is_in(self, rule: AccessRule, view: EntityView | DeviceView) -> bool:
        """Whether the rule's areas reach a place."""
        if view.area is None:
            return Where.NO_AREA in rule.where
        return (
            view.area in rule.areas
            or (view.floor is not None and view.floor in rule.floors)
            or (Where.SPEAKING_AREA in rule.where and view.area == self._identity.area)
        )

    def device(self, device_id: str) -> AccessRule | None:
        """Return the rule that grants the tool on a device, or on a host."""
        view = self._home.device(device_id)
        wide = What.HOSTS if self._kind is CallKind.HOST else What.ENTITY_ACTIONS

        def grants(rule: AccessRule) -> bool:
            if (
                rule.what.isdisjoint({wide, What.EVERYTHING})
                and rule.id not in self._naming
            ):
                return False
            if Where.EVERYWHERE in rule.where:
                return True
            return view is not None and self._is_in(rule, view)

        return _first(self._profile.rules, grants)

    def sequence(self, sequence_id: str) -> AccessRule | None:
        """Return the rule that grants to run a sequence; areas do not reach any."""
        view = self._home.sequence(sequence_id)

        def grants(rule: AccessRule) -> bool:
            if rule.grants_everything:
                return True
            if view is None or self._lacks_sentence(rule, view.has_sentences):
                return False
            if not (
                not rule.what.isdisjoint({What.RUNNING_SEQUENCES, What.EVERYTHING})
                or sequence_id in rule.sequences
                or rule.id in self._naming
            ):
                return False
            exposed = Where.EXPOSED in rule.where and view.exposed
            return exposed or Where.EVERYWHERE in rule.where

        return _first(self._profile.rules, grants)

    def _lacks_sentence(self, rule: AccessRule, has_sentences: bool) -> bool:
        return self._identity.only_by_sentence(rule) and not has_sentences


_SCRIPT_COMMANDS = frozenset(
    {"script.reload", "script.toggle", "script.turn_off", "script.turn_on"}
)


def _first(
    rules: Iterable[AccessRule], grants: Callable[[AccessRule], bool]
) -> AccessRule | None:
    return next((rule for rule in rules if grants(rule)), None)
