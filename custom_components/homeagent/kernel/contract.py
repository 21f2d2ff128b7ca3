"""The contract of a tool call: who asks, what is asked, what came of it.

Second layer of the kernel, above errors and rendering: frozen data and the small
protocols that tools and policies implement. Nothing here awaits or decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from .errors import ToolError
from .records import record
from .rendering import render_result

type Arguments = Mapping[str, object]
type JsonSchema = Mapping[str, object]

DEFAULT_TIMEOUT = 60.0
"""Seconds the door waits for a call where neither tool nor caller says otherwise."""

COMMAND_LINE_FORMAT = "command-line"
"""The `format` of a text parameter that is run as a command line on a host."""


class Entrance(StrEnum):
    """The way by which a call came in."""

    DIRECT = "direct"
    AUTOMATION = "automation"
    CONVERSATION = "conversation"
    MCP = "mcp"
    SENTENCE = "sentence"
    SYSTEM = "system"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """One call that a person agreed to (page 1 §1.6); made by `agreements` only.

    `arguments` are the checked ones as canonical JSON; None stands for whatever they
    will be, where they depend on results.
    """

    tool: str
    arguments: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who is behind a call: made once at the entrance and passed on unchanged.

    `device_id` and `area_id` are those of the voice device that spoke. `context` is the
    Home Assistant context that the call's effects are attributed to, and `run` the scope
    of the run that the call belongs to; the kernel hands both on without looking inside.
    `agreed` are calls that a person said yes to, for this call and what runs inside it;
    it is passed on in Python only, and never to what comes back in by another way.
    """

    entrance: Entrance
    user_id: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    context: object = None
    run: object = None
    agreed: frozenset[Agreed] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """What is known of a tool without calling it.

    `parameters` is a JSON Schema (2020-12) of an object. `parallel_safe` is a
    declaration, and silence is the safe side (§6.1). `timeout` is in seconds; None means
    the default, unless `untimed` says that the tool has no limit of its own.
    `cancellable` is false where stopping half-way does harm: the door then stops waiting
    and leaves the call running. `cut_off_hint` tells a model what to do when its
    arguments were cut off.
    """

    name: str
    description: str = ""
    parameters: JsonSchema = field(default_factory=dict)
    title: str = ""
    parallel_safe: bool = False
    read_only: bool = False
    timeout: float | None = None
    untimed: bool = False
    cancellable: bool = True
    cut_off_hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnparsedArguments:
    """What stands in the place of arguments that could not be parsed (`__arg_error`)."""

    error: ToolError


@record
class ToolCall:
    """One call as it was asked for.

    `timeout` is what the caller grants, in seconds. `report` asks the tool to tell which
    of its targets changed.
    """

    tool: str
    arguments: Arguments | UnparsedArguments = field(default_factory=dict)
    id: str = ""
    timeout: float | None = None
    report: bool = False


@record
class Checked:
    """Arguments after the silent coercion, and all problems found with them.

    `judgeable`: whatever is wrong, what the call would act on is told right, so that it
    must be allowed before anything is told of the problems.
    """

    arguments: dict[str, object]
    problems: tuple[ToolError, ...] = ()
    judgeable: bool = False


@record
class CallFacts:
    """What one call acts on, for the batch rule.

    `parallel_safe` may be narrower than the definition's, never wider. `keys` are the
    ordering keys (`entity:light.kitchen`, `output:notify.phone`); None means that they
    cannot be known before the call.
    """

    parallel_safe: bool
    keys: frozenset[str] | None = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A picture or another file that belongs to a result."""

    mime_type: str
    data: bytes
    title: str = ""


@record
class Invocation:
    """What a tool gets when the door dispatches: checked arguments and the caller."""

    caller: Caller
    arguments: Arguments
    call_id: str
    report: bool = False
    timeout: float | None = None


@record
class ToolOutput:
    """What a tool may return instead of a bare value, when there is more to tell.

    `error` makes the call a failed one that keeps its value. `nested` is the report of
    what ran inside the call. `asks` are the inner calls that need a person's yes before
    this one can run; the error says `unconfirmed` then, and nothing has run.
    """

    value: object = None
    error: ToolError | None = None
    warnings: tuple[str, ...] = ()
    text: str | None = None
    attachments: tuple[Attachment, ...] = ()
    nested: object = None
    asks: frozenset[Agreed] = frozenset()


@record
class ToolResult:
    """What came of one call; `success` and `text` follow and are never assigned.

    `duration` is in seconds. `said` replaces the rendered text of a success.
    """

    call_id: str
    tool: str
    value: object = None
    error: ToolError | None = None
    warnings: tuple[str, ...] = ()
    said: str | None = None
    duration: float = 0.0
    attachments: tuple[Attachment, ...] = ()
    nested: object = None

    @property
    def success(self) -> bool:
        """Whether the call did what was asked (§4.2)."""
        return self.error is None

    @property
    def text(self) -> str:
        """The result as text for a model (§5.2), cut with a marker where too long."""
        return render_result(
            self.value, self.error, said=self.said, warnings=self.warnings
        )


class Tool(Protocol):
    """A tool as the door sees it. Only the door calls `call_tool`."""

    @property
    def definition(self) -> ToolDefinition:
        """What is known without calling."""
        ...

    def check(self, arguments: Arguments) -> Checked:
        """Coerce, normalize and check arguments; never raises for bad input."""
        ...

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Return what a call with these checked arguments would act on."""
        ...

    async def call_tool(self, invocation: Invocation) -> object:
        """Do the work: a value, a `ToolOutput`, or a `ToolError` for what can be foreseen."""
        ...


class ToolRegistry(Protocol):
    """Where tools are looked up, anew for every call: they come and go (§8.2)."""

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name as it is now."""
        ...

    def names(self) -> Iterable[str]:
        """Return the names of all tools that exist now."""
        ...


class Verdict(StrEnum):
    """What a policy says about a call."""

    ALLOW = "allow"
    ASK = "ask"
    REFUSE = "refuse"


@record
class Decision:
    """A policy's answer.

    `arguments` replaces the checked ones where what was reached through an area, floor,
    label or device had to be reduced; `warnings` say so. `detail` names the missing grant
    and is shown to those who see everything only. `always` says of an `allow` without
    arguments that every call of the tool is allowed as it is: nobody need ask again.
    """

    verdict: Verdict
    arguments: Arguments | None = None
    warnings: tuple[str, ...] = ()
    detail: str = ""
    always: bool = False


class Policy(Protocol):
    """Who may do what; asked by the door for every call."""

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge a call; without arguments: could any call of the tool succeed?"""
        ...

    def sees_everything(self, caller: Caller) -> bool:
        """Whether the caller may learn which tools exist and which grant is missing."""
        ...
