"""The AST of a sequence: what is checked, stored and executed (§7.1, §7.2).

Frozen data; imports nothing. Texts become these objects in `document`, `references` and
`conditions`; `codec` turns them into stored JSON and back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, Literal


class Absent(Enum):
    """The one marker for "not given", where null is a legal value."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


class SlotType(StrEnum):
    """The type of an input or an output."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ARRAY = "array"
    OBJECT = "object"
    ANY = "any"


class OnError(StrEnum):
    """What a group does after a failed tool."""

    ABORT = "abort"
    CONTINUE = "continue"
    RETRY = "retry"


class Missing(StrEnum):
    """What a group does when a tool that an entry names does not exist (§8.2)."""

    FAIL = "fail"
    SKIP = "skip"
    DEGRADE = "degrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An input or output of a group; outputs use type and description only.

    `required` is false where a default exists or where the text says so.
    """

    type: SlotType
    description: str = ""
    default: object = ABSENT
    required: bool = True
    enum: tuple[object, ...] | None = None


type Step = str | int
"""A step into a value: a key of an object, or an index into an array (may be < 0)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """`$args.key…` or `$out.key…`; no steps means the whole input object."""

    root: Literal["args", "out"]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A text with references in it; never one reference alone."""

    parts: tuple[str | Reference, ...]


type Argument = (
    bool
    | int
    | float
    | str
    | Reference
    | Template
    | tuple[Argument, ...]
    | Mapping[str, Argument]
    | None
)
"""A JSON value in which references stand; arrays are tuples, plain texts are `str`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A literal in a condition."""

    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists:
    """`exists(reference)`: whether the reference leads somewhere."""

    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`left operator right`, typed."""

    operator: Literal["==", "!=", "<", "<=", ">", ">=", "contains"]
    left: Reference | Constant
    right: Reference | Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """`!operand`."""

    operand: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Both:
    """`left && right`, short-circuit."""

    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Either:
    """`left || right`, short-circuit."""

    left: Condition
    right: Condition


type Condition = Constant | Reference | Exists | Comparison | Not | Both | Either


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEntry:
    """One call of a group.

    For `seq_when_call` the `when` among the arguments stands in `when`, parsed, and not
    in `args`. `select` is a path into the result; `fallback` is what
    `missing: degrade` writes.
    """

    tool: str
    args: Mapping[str, Argument] = field(default_factory=dict)
    as_: str | None = None
    select: tuple[Step, ...] | None = None
    fallback: object = ABSENT
    unsafe_serial: bool = False
    when: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One layer of a sequence, with its own signature; `timeout` in seconds."""

    name: str
    tools: tuple[ToolEntry, ...]
    description: str = ""
    inputs: Mapping[str, Parameter] = field(default_factory=dict)
    outputs: Mapping[str, Parameter] = field(default_factory=dict)
    when: Condition | None = None
    parallel: bool = True
    timeout: float = 30.0
    on_error: OnError = OnError.ABORT
    retries: int = 0
    missing: Missing = Missing.FAIL
    call_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """A named program of groups, run in their order."""

    name: str
    groups: tuple[Group, ...]
    description: str = ""

    def group(self, name: str) -> Group | None:
        """Return the group of that name."""
        return next((group for group in self.groups if group.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTarget:
    """What `seq_call` names: a group of the same sequence, `#name` or `#name/group`.

    `sequence` is None for the same sequence; `group` is None for a whole sequence.
    """

    sequence: str | None = None
    group: str | None = None


CALL_TOOLS: Final = frozenset({"seq_call", "seq_when_call"})
