"""Access rules: who may do what, through which entrance, where (page 3 §3.2).

Lowest layer of the package; imports the kernel's contract only. Frozen data and the
words of which a rule consists. There is no deny rule: what no rule grants is refused.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..kernel.contract import Entrance


class Who(StrEnum):
    """Whom a rule concerns, beside single users and single voice devices."""

    ADMINISTRATORS = "administrators"
    SIGNED_IN = "signed_in"
    VOICE_DEVICES = "voice_devices"
    AUTOMATIONS = "automations"
    UNKNOWN = "unknown"


class Where(StrEnum):
    """Where a rule reaches, beside single areas and floors."""

    EVERYWHERE = "everywhere"
    NO_AREA = "no_area"
    SPEAKING_AREA = "speaking_area"
    EXPOSED = "exposed"


class What(StrEnum):
    """What a rule grants, beside tools, single entities and single sequences."""

    EVERYTHING = "everything"
    ENTITY_ACTIONS = "entity_actions"
    READING = "reading"
    RUNNING_SEQUENCES = "running_sequences"
    PROPOSING_SEQUENCES = "proposing_sequences"
    EDITING_SEQUENCES = "editing_sequences"
    HOSTS = "hosts"


class How(StrEnum):
    """Whether a rule grants at once, or after a person agreed (page 1 §1.6)."""

    ALLOW = "allow"
    ASK = "ask"


ENTRANCES: Final = tuple(each for each in Entrance if each is not Entrance.SYSTEM)
"""The entrances that a rule can name; no rule grants anything to the system itself."""

CAPABILITY_DOMAINS: Final = frozenset({"script", "scene", "automation"})
"""Domains whose entities do what nobody can tell beforehand (page 3 §3.3)."""

_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRule:
    """One rule: the parts of `who`, of `where` and of `what` are alternatives each.

    `users`, `devices` (voice devices), `areas` and `floors` are ids of Home Assistant,
    `sequences` stable ids. `entities` are entity ids; stored rules have registry ids in
    the place of those that are registered. `tools` are patterns: `*` stands for any
    characters but a dot. `key` tells which default or ready-made rule it is, if it is
    one.
    """

    id: str
    name: str
    who: frozenset[Who] = frozenset()
    users: frozenset[str] = _NONE
    devices: frozenset[str] = _NONE
    through: frozenset[Entrance] = frozenset()
    where: frozenset[Where] = frozenset()
    areas: frozenset[str] = _NONE
    floors: frozenset[str] = _NONE
    what: frozenset[What] = frozenset()
    tools: frozenset[str] = _NONE
    entities: frozenset[str] = _NONE
    sequences: frozenset[str] = _NONE
    how: How = How.ALLOW
    enabled: bool = True
    key: str = ""

    @property
    def grants_everything(self) -> bool:
        """Whether nothing is left that the rule does not grant to those it concerns."""
        return What.EVERYTHING in self.what and Where.EVERYWHERE in self.where
