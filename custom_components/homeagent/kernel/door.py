"""The one door: every tool call goes through here, whoever makes it (page 1 §1.1).

Fourth layer of the kernel, below `batch`, its only caller. All gates live here, in their
order: parsed, resolved, checked, authorized, hooks, dispatched under a time limit,
judged. Whatever comes in, a `ToolResult` comes out; the one broad `except` of the core
is in `_guarded`.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
import logging

from .agreements import agreed_call
from .contract import (
    DEFAULT_TIMEOUT,
    Agreed,
    Caller,
    CallFacts,
    Decision,
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
from .door_errors import changed, held, late, too_many_wait, unauthorized, unconfirmed
from .errors import Reason, ToolError, combine, with_candidates
from .holds import Holds
from .hooks import HookContext, Hooks, Replacement, seen_arguments
from .names import nearest
from .outcome import judge
from .requests import Requests
from .underway import Prepared, Underway, cancelled_error, internal_error
from .waiting import End, cancel, failure, start, wait_for
from .words import say

_LOGGER = logging.getLogger(__name__)

BUSY_WAIT = 30.0
"""Seconds a call waits for an ordering key that a call still running holds."""

CANCEL_GRACE = 2.0
"""Seconds a cancelled tool gets to end."""

type MayName = Callable[[Caller, Tool, str], bool]

_NAMES_NOTHING = Decision(
    verdict=Verdict.REFUSE, detail="what it names is not there, or not granted"
)


def _names_nothing(caller: Caller, tool: Tool, name: str) -> bool:
    return False


class Door:
    """Opens for calls that pass all gates."""

    def __init__(
        self,
        *,
        registry: ToolRegistry,
        policy: Policy,
        hooks: Hooks | None = None,
        requests: Requests | None = None,
        may_name: MayName = _names_nothing,
    ) -> None:
        """Take the ports: where tools are, who may use them, what waits for a yes.

        `may_name` tells whether a caller may use a tool on what has this id.
        """
        self.may_name = may_name
        self.registry = registry
        self.policy = policy
        self.requests = requests
        self.hooks = Hooks() if hooks is None else hooks
        self.holds = Holds()

    def prepare(self, caller: Caller, call: ToolCall) -> Prepared:
        """Take a call through the gates that need no waiting (steps 1 to 5)."""
        prepared = _guarded(call.tool, self._prepare, caller, call)
        if isinstance(prepared, ToolError):
            return Prepared(call=call, error=prepared)
        return prepared

    def _prepare(self, caller: Caller, call: ToolCall) -> Prepared:
        if isinstance(call.arguments, UnparsedArguments):
            found = self.registry.find(call.tool)
            # What may not be used must look like what does not exist, here too.
            known = found is not None and self._may_use(caller, found)
            return Prepared(call=call, known=known, error=call.arguments.error)
        tool = self.registry.find(call.tool)
        if tool is None:
            error = self._not_found(caller, call.tool)
            return Prepared(call=call, known=False, error=error)
        anyhow = self.policy.can_use(caller, tool, None)
        if anyhow.verdict is Verdict.REFUSE:
            # Whoever may not use it at all costs no look at the arguments.
            return self._refused(caller, call, anyhow)
        checked = tool.check(call.arguments)
        judges = checked.judgeable or not checked.problems
        judged = checked.arguments if judges else None
        decision = (
            anyhow if anyhow.always else self.policy.can_use(caller, tool, judged)
        )
        if decision.verdict is Verdict.REFUSE:
            return self._refused(caller, call, decision)
        if checked.problems:
            return self._wrong(caller, call, tool, checked.problems)
        reduced = decision.arguments
        arguments = checked.arguments if reduced is None else reduced
        if decision.verdict is Verdict.ASK:
            waits = replace(call, tool=tool.definition.name, arguments=arguments)
            return Prepared(call=call, error=unconfirmed(call.tool), waits=waits)
        return Prepared(
            call=call, tool=tool, arguments=arguments, warnings=decision.warnings
        )

    def _wrong(
        self,
        caller: Caller,
        call: ToolCall,
        tool: Tool,
        problems: tuple[ToolError, ...],
    ) -> Prepared:
        """Return a call with wrong arguments.

        A name that stands for nothing that the caller may use is refused: it must look
        like one that stands for something hidden.
        """
        everything = self.policy.sees_everything(caller)
        told: list[ToolError] = []
        for problem in problems:
            candidates = problem.candidates
            if candidates is not None and not everything:
                candidates = tuple(
                    one for one in candidates if self.may_name(caller, tool, one)
                )
                if not candidates:
                    return self._refused(caller, call, _NAMES_NOTHING)
            told.append(with_candidates(problem, candidates or ()))
        return Prepared(call=call, error=combine(told))

    def _refused(self, caller: Caller, call: ToolCall, decision: Decision) -> Prepared:
        """Return a call that is not allowed.

        To those who do not see everything, the batch rule too treats it as a tool that
        does not exist.
        """
        known = self.policy.sees_everything(caller)
        return Prepared(call=call, known=known, error=unauthorized(decision.detail))

    def _not_found(self, caller: Caller, name: str) -> ToolError:
        near = [
            candidate
            for candidate in nearest(name, self.registry.names(), n=10)
            if (tool := self.registry.find(candidate)) is not None
            and self._may_use(caller, tool)
        ]
        meant = f"Did you mean {' or '.join(near[:3])}? " if near else ""
        return ToolError(
            reason=Reason.NOT_FOUND,
            detail=say("no_tool", tool=repr(name), near=" / ".join(near[:3])),
            hint=f"{meant}Use tool_search to find a tool by words.",
        )

    def _may_use(self, caller: Caller, tool: Tool) -> bool:
        return self.policy.can_use(caller, tool, None).verdict is not Verdict.REFUSE

    def facts(self, caller: Caller, prepared: Prepared) -> CallFacts:
        """Return what a prepared call acts on; nothing for one that will not run."""
        tool = prepared.tool
        if tool is None:
            return CallFacts(parallel_safe=prepared.known)
        facts = _guarded(prepared.call.tool, tool.facts, prepared.arguments, caller)
        if isinstance(facts, ToolError):
            return CallFacts(parallel_safe=False, keys=None)
        if facts.parallel_safe and not tool.definition.parallel_safe:
            return replace(facts, parallel_safe=False)
        return facts

    def dispatch(
        self, caller: Caller, prepared: Prepared, call_id: str
    ) -> ToolResult | asyncio.Task[ToolResult]:
        """Run a prepared call: its one result, or the task that will have it.

        A call that needs no waiting is over when this returns. A cancellation of the
        task ends in a result, too.
        """
        call = Underway(caller, prepared, call_id)
        begun = _guarded(prepared.call.tool, self._dispatch, call)
        return call.failed(begun) if isinstance(begun, ToolError) else begun

    def _dispatch(self, call: Underway) -> ToolResult | asyncio.Task[ToolResult]:
        tool = call.prepared.tool
        if tool is None:
            return self._not_run(call)
        call.limit = _limit(tool, call.prepared.call.timeout)
        if self.holds or self.hooks:
            return start(_to_the_end(call, self._run(call)))
        task = self._begin(call)
        if task.done():
            return self._ended(call, task)
        return start(_to_the_end(call, self._wait(call, task)))

    def _not_run(self, call: Underway) -> ToolResult:
        """Make the result of a call that some gate stopped; it may wait for a yes."""
        waits = call.prepared.waits
        if waits is None or not isinstance(waits.arguments, Mapping):
            return call.failed(call.prepared.error)
        asked = agreed_call(waits.tool, waits.arguments)
        return self._kept(call, call.failed(call.prepared.error), waits, {asked})

    def _ended(
        self,
        call: Underway,
        task: asyncio.Task[object],
        error: ToolError | None = None,
    ) -> ToolResult:
        """Make the result of ended work, which may have asked for a yes instead."""
        result = call.ended(task, error)
        if result.error is None or result.error.reason is not Reason.UNCONFIRMED:
            return result
        output = task.result()
        if not isinstance(output, ToolOutput) or not output.asks:
            return result
        waits = replace(call.prepared.call, arguments=call.prepared.arguments)
        return self._kept(call, result, waits, output.asks)

    def _kept(
        self,
        call: Underway,
        result: ToolResult,
        waits: ToolCall,
        asks: Iterable[Agreed],
    ) -> ToolResult:
        """Keep a call until a person answers; say so where too many wait already."""
        caller = call.caller
        if self.requests is None or not self.requests.takes(caller):
            return result
        agreed = caller.agreed.union(asks)
        if self.requests.keep(replace(caller, agreed=frozenset()), waits, agreed):
            return result
        return replace(result, error=too_many_wait(waits.tool))

    async def _run(self, call: Underway) -> ToolResult:
        if self.holds and (stopped := await self._wait_for_turn(call)):
            return stopped
        context = HookContext(
            caller=call.caller,
            tool=call.prepared.call.tool,
            arguments=seen_arguments(call.prepared.arguments),
            call_id=call.id,
        )
        if self.hooks and (stopped := await self._ask_hooks(call, context)):
            return stopped
        result = await self._wait(call, self._begin(call))
        result = await self.hooks.replacements(context, result, _replaced)
        return replace(result, duration=call.duration())

    async def _wait_for_turn(self, call: Underway) -> ToolResult | None:
        """Wait for what still runs; what stops the call then is its result."""
        while True:
            keys = self._holding_keys(call)
            left = call.left()
            seconds = BUSY_WAIT if left is None else min(BUSY_WAIT, left)
            if blocked := await self.holds.wait(keys, seconds):
                return call.failed(held(blocked))
            if stopped := self._judged_again(call):
                return stopped
            if self._holding_keys(call) <= keys:
                return None

    async def _ask_hooks(
        self, call: Underway, context: HookContext
    ) -> ToolResult | None:
        """Ask the hooks; what they let pass runs as they saw it, or not at all."""
        if refusal := await self.hooks.refusal(context):
            return call.failed(refusal)
        seen = call.prepared.arguments
        if stopped := self._judged_again(call):
            return stopped
        if call.prepared.arguments != seen:
            return call.failed(changed(call.prepared.call.tool))
        return None

    def _judged_again(self, call: Underway) -> ToolResult | None:
        """Take a call that waited through the gates once more: rights may have changed.

        What is dispatched is what was judged last.
        """
        call.prepared = self.prepare(call.caller, call.prepared.call)
        return self._not_run(call) if call.prepared.tool is None else None

    def _begin(self, call: Underway) -> asyncio.Task[object]:
        invocation = Invocation(
            caller=call.caller,
            arguments=call.prepared.arguments,
            call_id=call.id,
            report=call.prepared.call.report,
            timeout=call.left(),
        )
        return start(_call(call.tool, invocation))

    async def _wait(self, call: Underway, task: asyncio.Task[object]) -> ToolResult:
        left = call.left()
        end = await wait_for(task, left)
        error = None
        if end is not End.DONE:
            error = cancelled_error() if end is End.CANCELLED else late(left)
            if call.tool.definition.cancellable:
                await cancel(task, CANCEL_GRACE)
            if not task.done():
                self._leave_running(call, task)
                return call.failed(replace(error, still_running=True))
        return self._ended(call, task, error)

    def _leave_running(self, call: Underway, task: asyncio.Task[object]) -> None:
        tool = call.prepared.call.tool
        self.holds.hold(self._holding_keys(call), task)
        task.add_done_callback(lambda ended: _log_late_end(tool, ended))

    def _holding_keys(self, call: Underway) -> frozenset[str]:
        """Return the keys to hold or to wait for; unknown ones stand under the tool's name."""
        keys = self.facts(call.caller, call.prepared).keys
        return frozenset({f"tool:{call.prepared.call.tool}"}) if keys is None else keys


async def _call(tool: Tool, invocation: Invocation) -> object:
    """Call a tool inside the task: whatever it is, what it raises is the task's."""
    return await tool.call_tool(invocation)


async def _to_the_end(
    call: Underway, work: Coroutine[object, object, ToolResult]
) -> ToolResult:
    """Wait for a call's result; a cancellation is one."""
    try:
        return await work
    except asyncio.CancelledError:
        return call.failed(cancelled_error())


def _guarded[*A, T](
    tool: str, function: Callable[[*A], T], *arguments: *A
) -> T | ToolError:
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001  a bug of a tool or policy ends one call only
        return internal_error(tool, error)


def _replaced(result: ToolResult, replacement: Replacement) -> ToolResult:
    return replace(
        result,
        value=replacement.value,
        error=judge(replacement.value),
        said=replacement.text,
    )


def _limit(tool: Tool, granted: float | None) -> float | None:
    """Return the seconds to wait: the tool's own limit and the caller's, the smaller."""
    own = tool.definition.timeout
    limits = [limit for limit in (own, granted) if limit is not None]
    if limits:
        return min(limits)
    return None if tool.definition.untimed else DEFAULT_TIMEOUT


def _log_late_end(tool: str, task: asyncio.Task[object]) -> None:
    if error := failure(task):
        _LOGGER.warning("%s failed after its time limit", tool, exc_info=error)
    else:
        _LOGGER.info("%s ended after its time limit", tool)
