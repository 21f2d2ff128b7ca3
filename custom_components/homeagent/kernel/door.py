"""The one door: every tool call goes through here, whoever makes it (page 1 §1.1).

Fourth layer of the kernel, below `batch`, its only caller. All gates live here, in their
order: parsed, resolved, checked, authorized, hooks, dispatched under a time limit,
judged. Whatever comes in, a `ToolResult` comes out; the one broad `except` of the core
is in `_guarded`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
import logging

from .contract import (
    DEFAULT_TIMEOUT,
    Arguments,
    Caller,
    CallFacts,
    Invocation,
    Policy,
    Tool,
    ToolCall,
    ToolOutput,
    ToolRegistry,
    ToolResult,
    UnparsedArguments,
    Verdict,
)
from .errors import Reason, ToolError, combine
from .holds import Holds
from .hooks import HookContext, Hooks, Replacement, seen_arguments
from .names import nearest
from .outcome import judge
from .waiting import End, cancel, failure, start, wait_for

_LOGGER = logging.getLogger(__name__)

BUSY_WAIT = 30.0
"""Seconds a call waits for an ordering key that a call still running holds."""

CANCEL_GRACE = 2.0
"""Seconds a cancelled tool gets to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A call after the gates that need no waiting.

    Either `error` says why it goes no further, or `tool` and `arguments` are what will
    be dispatched. `known` tells the batch rule whether the tool exists.
    """

    call: ToolCall
    known: bool = True
    tool: Tool | None = None
    arguments: Arguments = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: ToolError | None = None


class Door:
    """Opens for calls that pass all gates."""

    def __init__(
        self, *, registry: ToolRegistry, policy: Policy, hooks: Hooks | None = None
    ) -> None:
        """Take the ports: where tools are, and who may use them."""
        self.registry = registry
        self.policy = policy
        self.hooks = Hooks() if hooks is None else hooks
        self.holds = Holds()

    def prepare(self, caller: Caller, call: ToolCall) -> Prepared:
        """Take a call through the gates that need no waiting (steps 1 to 5)."""
        prepared = _guarded(call.tool, lambda: self._prepare(caller, call))
        if isinstance(prepared, ToolError):
            return Prepared(call=call, error=prepared)
        return prepared

    def _prepare(self, caller: Caller, call: ToolCall) -> Prepared:
        if isinstance(call.arguments, UnparsedArguments):
            known = self.registry.find(call.tool) is not None
            return Prepared(call=call, known=known, error=call.arguments.error)
        tool = self.registry.find(call.tool)
        if tool is None:
            error = self._not_found(caller, call.tool)
            return Prepared(call=call, known=False, error=error)
        checked = tool.check(call.arguments)
        judged = None if checked.problems else checked.arguments
        decision = self.policy.can_use(caller, tool, judged)
        if decision.verdict is Verdict.REFUSE:
            return Prepared(call=call, error=_unauthorized(decision.detail))
        if checked.problems:
            return Prepared(call=call, error=combine(checked.problems))
        if decision.verdict is Verdict.ASK:
            return Prepared(call=call, error=_unconfirmed(call.tool))
        reduced = decision.arguments
        return Prepared(
            call=call,
            tool=tool,
            arguments=checked.arguments if reduced is None else reduced,
            warnings=decision.warnings,
        )

    def _not_found(self, caller: Caller, name: str) -> ToolError:
        near = [
            candidate
            for candidate in nearest(name, self.registry.names(), n=10)
            if self._may_use(caller, candidate)
        ]
        meant = f"Did you mean {' or '.join(near[:3])}? " if near else ""
        return ToolError(
            reason=Reason.NOT_FOUND,
            detail=f"there is no tool named {name!r} now",
            hint=f"{meant}Use tool_search to find a tool by words.",
        )

    def _may_use(self, caller: Caller, name: str) -> bool:
        tool = self.registry.find(name)
        if tool is None:
            return False
        return self.policy.can_use(caller, tool, None).verdict is not Verdict.REFUSE

    def facts(self, caller: Caller, prepared: Prepared) -> CallFacts:
        """Return what a prepared call acts on; nothing for one that will not run."""
        tool = prepared.tool
        if tool is None:
            return CallFacts(parallel_safe=prepared.known)
        facts = _guarded(
            prepared.call.tool, lambda: tool.facts(prepared.arguments, caller)
        )
        if isinstance(facts, ToolError):
            return CallFacts(parallel_safe=False, keys=None)
        if facts.parallel_safe and not tool.definition.parallel_safe:
            return replace(facts, parallel_safe=False)
        return facts

    async def dispatch(
        self, caller: Caller, prepared: Prepared, call_id: str
    ) -> ToolResult:
        """Run a prepared call to its one result; a cancellation ends in one, too.

        To be run as a task of its own, which ends with this call.
        """
        begun = asyncio.get_running_loop().time()
        try:
            result = await self._dispatch(caller, prepared, call_id)
        except asyncio.CancelledError:
            result = _failed(prepared, call_id, cancelled_error())
        return replace(result, duration=asyncio.get_running_loop().time() - begun)

    async def _dispatch(
        self, caller: Caller, prepared: Prepared, call_id: str
    ) -> ToolResult:
        tool = prepared.tool
        if tool is None:
            return _failed(prepared, call_id, prepared.error)
        end = _end(tool, prepared.call.timeout)
        if self.holds and (busy := await self._wait_for_holds(caller, prepared, end)):
            return _failed(prepared, call_id, busy)
        if not self.hooks:
            return await self._run(tool, caller, prepared, call_id, end)
        context = HookContext(
            caller=caller,
            tool=prepared.call.tool,
            arguments=seen_arguments(prepared.arguments),
            call_id=call_id,
        )
        if refusal := await self.hooks.refusal(context):
            return _failed(prepared, call_id, refusal)
        result = await self._run(tool, caller, prepared, call_id, end)
        return await self.hooks.replacements(context, result, _replaced)

    async def _wait_for_holds(
        self, caller: Caller, prepared: Prepared, end: float | None
    ) -> ToolError | None:
        keys = _holding_keys(self.facts(caller, prepared), prepared)
        seconds = BUSY_WAIT if end is None else min(BUSY_WAIT, _left(end))
        blocked = await self.holds.wait(keys, seconds)
        if not blocked:
            return None
        return ToolError(
            reason=Reason.BUSY,
            detail=f"an earlier action on {', '.join(sorted(blocked))} still runs",
            hint="Try again when it has ended.",
        )

    async def _run(
        self,
        tool: Tool,
        caller: Caller,
        prepared: Prepared,
        call_id: str,
        end: float | None,
    ) -> ToolResult:
        limit = None if end is None else _left(end)
        invocation = Invocation(
            caller=caller,
            arguments=prepared.arguments,
            call_id=call_id,
            report=prepared.call.report,
            timeout=limit,
        )
        task = start(tool.call_tool(invocation))
        ended = await wait_for(task, limit)
        error = None
        if ended is not End.DONE:
            error = cancelled_error() if ended is End.CANCELLED else _late(limit)
            if tool.definition.cancellable:
                await cancel(task, CANCEL_GRACE)
            if not task.done():
                self._leave_running(caller, prepared, task)
                return _failed(prepared, call_id, replace(error, still_running=True))
        return _judged(prepared, call_id, task, error)

    def _leave_running(
        self, caller: Caller, prepared: Prepared, task: asyncio.Task[object]
    ) -> None:
        keys = _holding_keys(self.facts(caller, prepared), prepared)
        self.holds.hold(keys, task)
        task.add_done_callback(lambda ended: _log_late_end(prepared.call.tool, ended))


def _guarded[T](tool: str, function: Callable[[], T]) -> T | ToolError:
    try:
        return function()
    except Exception as error:  # noqa: BLE001  a bug of a tool or policy ends one call only
        return internal_error(tool, error)


def internal_error(tool: str, error: BaseException) -> ToolError:
    """Log a bug with its traceback and return the error that tells nothing of it."""
    _LOGGER.error("Tool %s raised an unforeseen error", tool, exc_info=error)
    return ToolError(
        reason=Reason.INTERNAL,
        detail="the tool hit a bug; Home Assistant's log has the details",
        hint="Do not repeat the call; tell the person that it failed.",
    )


def _judged(
    prepared: Prepared,
    call_id: str,
    task: asyncio.Task[object],
    error: ToolError | None,
) -> ToolResult:
    """Make the result of ended work; `error` is the door's own, and comes first."""
    output = ToolOutput()
    raised = failure(task)
    if raised is None:
        output = _as_output(task.result())
    elif error is None and isinstance(raised, asyncio.CancelledError):
        error = cancelled_error()
    elif error is None:
        error = internal_error(prepared.call.tool, raised)
    if error is not None and output.error is not None and output.error.still_running:
        # What goes on inside of the call goes on, whatever ended the call itself.
        error = replace(error, still_running=True)
    error = error or output.error or judge(output.value)
    value = None if isinstance(output.value, ToolError) else output.value
    return ToolResult(
        call_id=call_id,
        tool=prepared.call.tool,
        value=value,
        error=error,
        warnings=(*prepared.warnings, *output.warnings),
        said=output.text,
        attachments=output.attachments,
        nested=output.nested,
    )


def _as_output(returned: object) -> ToolOutput:
    return returned if isinstance(returned, ToolOutput) else ToolOutput(value=returned)


def _replaced(result: ToolResult, replacement: Replacement) -> ToolResult:
    return replace(
        result,
        value=replacement.value,
        error=judge(replacement.value),
        said=replacement.text,
    )


def _failed(prepared: Prepared, call_id: str, error: ToolError | None) -> ToolResult:
    return ToolResult(
        call_id=call_id,
        tool=prepared.call.tool,
        error=error or ToolError(reason=Reason.INTERNAL, detail="not prepared"),
        warnings=prepared.warnings,
    )


def _limit(tool: Tool, granted: float | None) -> float | None:
    """Return the seconds to wait: the tool's own limit and the caller's, the smaller."""
    own = tool.definition.timeout
    limits = [limit for limit in (own, granted) if limit is not None]
    if limits:
        return min(limits)
    return None if tool.definition.untimed else DEFAULT_TIMEOUT


def _end(tool: Tool, granted: float | None) -> float | None:
    """Return the loop's time at which the call's limit ends, waiting included."""
    limit = _limit(tool, granted)
    return None if limit is None else asyncio.get_running_loop().time() + limit


def _left(end: float) -> float:
    return max(0.0, end - asyncio.get_running_loop().time())


def _holding_keys(facts: CallFacts, prepared: Prepared) -> frozenset[str]:
    """Return the keys to hold or to wait for; unknown ones stand under the tool's name."""
    if facts.keys is None:
        return frozenset({f"tool:{prepared.call.tool}"})
    return facts.keys


def _log_late_end(tool: str, task: asyncio.Task[object]) -> None:
    if error := failure(task):
        _LOGGER.warning("%s failed after its time limit", tool, exc_info=error)
    else:
        _LOGGER.info("%s ended after its time limit", tool)


def _unauthorized(detail: str) -> ToolError:
    return ToolError(
        reason=Reason.UNAUTHORIZED,
        detail=detail or "not allowed",
        hint="Ask an administrator of this home for access.",
    )


def _unconfirmed(tool: str) -> ToolError:
    return ToolError(
        reason=Reason.UNCONFIRMED,
        detail=f"{tool} runs only after a person agreed",
        hint="Ask the person; only their own yes can release the call.",
    )


def cancelled_error() -> ToolError:
    """Return the error of a call that was cancelled."""
    return ToolError(
        reason=Reason.CANCELLED,
        detail="the call was cancelled before it ended",
        hint="Check the state before trying again: it may have had an effect.",
    )


def _late(limit: float | None) -> ToolError:
    return ToolError(
        reason=Reason.TIMEOUT,
        detail=f"no answer within {limit:g} s",
        hint="Check the state before trying again: it may have had an effect.",
    )
