"""One call from the gates to its result (page 1 §1.1, steps 6 and 7).

Below the door, which decides: what passed the gates, how long it runs, and what its
result is made of, whatever the end.
"""

import asyncio
from dataclasses import field, replace
import logging

from .contract import Arguments, Caller, Tool, ToolCall, ToolOutput, ToolResult
from .errors import Reason, ToolError
from .outcome import judge
from .records import record
from .waiting import failure
from .words import say

_LOGGER = logging.getLogger(__name__)

_NOTHING_MORE = ToolOutput()
"""What a tool that returned a bare value has to tell beside it."""


@record
class Prepared:
    """A call after the gates that need no waiting.

    Either `error` says why it goes no further, or `tool` and `arguments` are what will
    be dispatched. `known` tells the batch rule whether the tool exists. `waits` is the
    call with its checked arguments where a person must agree to it first.
    """

    call: ToolCall
    known: bool = True
    tool: Tool | None = None
    arguments: Arguments = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: ToolError | None = None
    waits: ToolCall | None = None


class Underway:
    """A call that was dispatched; `limit` is all the time it has, in seconds."""

    __slots__ = ("_begun", "_now", "caller", "id", "limit", "prepared")

    def __init__(self, caller: Caller, prepared: Prepared, call_id: str) -> None:
        """Take the call; its time begins."""
        self.caller = caller
        self.prepared = prepared
        self.id = call_id
        self.limit: float | None = None
        self._now = asyncio.get_running_loop().time
        self._begun = self._now()

    @property
    def tool(self) -> Tool:
        """The tool of a call that passed the gates."""
        if self.prepared.tool is None:
            raise RuntimeError("a call that some gate stopped has no tool to run")
        return self.prepared.tool

    def duration(self) -> float:
        """Return the seconds since the dispatch."""
        return self._now() - self._begun

    def left(self) -> float | None:
        """Return the seconds that are left, waiting included; None without a limit."""
        return None if self.limit is None else max(0.0, self.limit - self.duration())

    def failed(self, error: ToolError | None) -> ToolResult:
        """Make the result of a call that gave nothing."""
        return ToolResult(
            call_id=self.id,
            tool=self.prepared.call.tool,
            error=error
            or ToolError(reason=Reason.INTERNAL, detail=say("not_prepared")),
            warnings=self.prepared.warnings,
            duration=self.duration(),
        )

    def ended(
        self, task: asyncio.Task[object], error: ToolError | None = None
    ) -> ToolResult:
        """Make the result of ended work; `error` is the door's own, and comes first."""
        if (raised := failure(task)) is not None:
            return self.failed(error or _raised(self.prepared.call.tool, raised))
        returned = task.result()
        output = returned if isinstance(returned, ToolOutput) else _NOTHING_MORE
        value = output.value if output is returned else returned
        if not _is_sound(output, value):
            wrong = TypeError(
                "an error, text or warning of the wrong type was returned"
            )
            return self.failed(error or internal_error(self.prepared.call.tool, wrong))
        if error is not None and output.error and output.error.still_running:
            # What goes on inside of the call goes on, whatever ended the call itself.
            error = replace(error, still_running=True)
        return ToolResult(
            call_id=self.id,
            tool=self.prepared.call.tool,
            value=None if isinstance(value, ToolError) else value,
            error=error or output.error or judge(value),
            warnings=(*self.prepared.warnings, *output.warnings),
            said=output.text,
            duration=self.duration(),
            attachments=output.attachments,
            nested=output.nested,
        )


def _is_sound(output: ToolOutput, value: object) -> bool:
    """Whether errors and texts are what they should be: foreign tools return anything."""
    if isinstance(value, ToolError) and not _is_error(value):
        return False
    if output is _NOTHING_MORE:
        return True
    return (
        (output.error is None or _is_error(output.error))
        and (output.text is None or _is_text(output.text))
        and all(map(_is_text, output.warnings))
    )


def _is_error(value: object) -> bool:
    return (
        isinstance(value, ToolError)
        and _is_reason(value.reason)
        and (value.field is None or _is_text(value.field))
        and _is_text(value.detail)
        and _is_text(value.hint)
        and all(map(_is_error, value.also))
    )


def _is_reason(value: object) -> bool:
    return isinstance(value, Reason)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _raised(tool: str, error: BaseException) -> ToolError:
    if isinstance(error, asyncio.CancelledError):
        return cancelled_error()
    return internal_error(tool, error)


def internal_error(tool: str, error: BaseException) -> ToolError:
    """Log a bug with its traceback and return the error that tells nothing of it."""
    _LOGGER.error("Tool %s raised an unforeseen error", tool, exc_info=error)
    return ToolError(
        reason=Reason.INTERNAL,
        detail=say("internal"),
        hint="Do not repeat the call; tell the person that it failed.",
    )


def cancelled_error() -> ToolError:
    """Return the error of a call that was cancelled."""
    return ToolError(
        reason=Reason.CANCELLED,
        detail=say("call_cancelled"),
        hint="Check the state before trying again: it may have had an effect.",
    )
