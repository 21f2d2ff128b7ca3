"""What access control needs to know of the home and of a call.

Beside `model`; imports the kernel's contract only. The Home Assistant side implements
these ports; everything here is asked in the middle of a call and never waits.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from ..kernel.contract import Arguments, Tool

_NONE: frozenset[str] = frozenset()


class UserKind(StrEnum):
    """What stands behind a user's id.

    `nobody` is an id that does not exist, or a user who is not active.
    """

    ADMINISTRATOR = "administrator"
    PERSON = "person"
    SYSTEM = "system"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """An entity's place: its own area, else its device's, and that area's floor."""

    area: str | None = None
    floor: str | None = None
    exposed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceView:
    """A device's place; a host is a device."""

    area: str | None = None
    floor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceView:
    """A sequence: whether it is exposed to Assist, and whether it has sentences."""

    exposed: bool = False
    has_sentences: bool = False


class HomeView(Protocol):
    """The home as access control sees it."""

    def generation(self) -> int:
        """Return a number that changes with every registry, exposure, user, sequence.

        Whatever `user`, `entity`, `device` and `sequence` answer may be kept until then;
        `members` and Home Assistant's own permissions are asked anew each time.
        """
        ...

    def user(self, user_id: str) -> UserKind:
        """Tell what stands behind a user's id."""
        ...

    def entity(self, entity_id: str) -> EntityView | None:
        """Return an entity's place; None for one that is not there."""
        ...

    def members(self, entity_id: str) -> Collection[str]:
        """Return the direct members of a group of either kind; nothing for others."""
        ...

    def is_replaced(self, entity_id: str) -> bool:
        """Whether Home Assistant calls the members in the place of this group."""
        ...

    def device(self, device_id: str) -> DeviceView | None:
        """Return a device's place; None for one that is not there."""
        ...

    def sequence(self, sequence_id: str) -> SequenceView | None:
        """Return a sequence by its stable id; None for one that is not there."""
        ...

    def may_control(self, user_id: str, entity_id: str) -> bool:
        """Whether Home Assistant's own permissions let the user control the entity."""
        ...

    def may_read(self, user_id: str, entity_id: str) -> bool:
        """Whether Home Assistant's own permissions let the user read the entity."""
        ...


class CallKind(StrEnum):
    """What kind of right a call needs.

    `capability` runs a script, scene or automation; `plain` is an action that has no
    target; `open` is a call that acts on nothing and tells only what the caller may use
    anyway (`tool_search`, `seq_list`, `host_list`, `seq_help`, `wait`, the state of an
    own run, the call of a group of the sequence that is being run).
    """

    ENTITY_ACTION = "entity_action"
    READING = "reading"
    CAPABILITY = "capability"
    SEQUENCE_RUN = "sequence_run"
    PROPOSING = "proposing"
    EDITING = "editing"
    HOST = "host"
    PLAIN = "plain"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallScope:
    """What one call acts on.

    `tool` is the name that rules know it by: the inner tool's for `tool_call`, the
    kernel's for an alias. `direct` are the entities named themselves, in the target and
    in any other argument; groups may stand for themselves. `indirect` are those reached
    through a device, area, floor, label or `all`, already reduced to what the tool can
    act on. `devices` are the devices, and hosts, that are acted on as such, `sequences`
    the stable ids of those run or changed. `takes_target`: there is a target argument;
    `named`: something is given in it. `unresolved`: something named was not found, or
    cannot be read. `asks`: the tool itself is marked as one that needs a person's yes.
    """

    tool: str
    kind: CallKind
    direct: frozenset[str] = _NONE
    indirect: frozenset[str] = _NONE
    devices: frozenset[str] = _NONE
    sequences: frozenset[str] = _NONE
    takes_target: bool = False
    named: bool = False
    unresolved: bool = False
    asks: bool = False


class CallView(Protocol):
    """What calls act on."""

    def scope(self, tool: Tool, arguments: Arguments) -> CallScope:
        """Return what a call with checked arguments acts on."""
        ...

    def widest(self, tool: Tool) -> CallScope:
        """Return all that any call of the tool could act on, entities in `indirect`."""
        ...

    def reduce(
        self, tool: Tool, arguments: Arguments, keep: frozenset[str]
    ) -> Arguments | None:
        """Return arguments that act on these entities only, named directly.

        `keep` contains what the arguments name directly. None where that cannot be said.
        """
        ...
