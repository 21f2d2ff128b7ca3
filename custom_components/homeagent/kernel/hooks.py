"""The two extension points for other integrations (page 1 §1.7).

Below the door, which runs the hooks: `before` after all gates, and may refuse; `after`
once the result stands, and may replace value and text. Each call has a context object
of its own, so hooks of concurrent calls never see each other's. A `before` hook that
raises or is late refuses the call; an `after` hook that does leaves the result as it was.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
import logging

from .contract import Arguments, Caller, ToolResult
from .errors import Reason, ToolError
from .json_values import to_json_value
from .waiting import End, cancel, failure, start, wait_for
from .words import say

_LOGGER = logging.getLogger(__name__)

HOOK_LIMIT = 1.0
"""Seconds a hook may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookContext:
    """What a hook sees of one call; `data` is for what its two halves share.

    `arguments` are a copy in JSON form: what passed the gates is what is dispatched.
    """

    caller: Caller
    tool: str
    arguments: Arguments
    call_id: str
    data: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A `before` hook's no: `code` is for machines, `reason` for people."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """An `after` hook's other result; success is judged anew from the value (§4.2)."""

    value: object
    text: str | None = None


type BeforeHook = Callable[[HookContext], Coroutine[object, object, Refusal | None]]
type AfterHook = Callable[
    [HookContext, ToolResult], Coroutine[object, object, Replacement | None]
]


class Hooks:
    """The registered hooks, run in the order of their registration."""

    def __init__(self) -> None:
        """Start with none."""
        self._before: list[BeforeHook] = []
        self._after: list[AfterHook] = []

    def __bool__(self) -> bool:
        """Whether there is any hook."""
        return bool(self._before or self._after)

    def add_before(self, hook: BeforeHook) -> Callable[[], None]:
        """Register a hook that may refuse; returns what takes it away again."""
        self._before.append(hook)
        return lambda: self._before.remove(hook)

    def add_after(self, hook: AfterHook) -> Callable[[], None]:
        """Register a hook that may replace; returns what takes it away again."""
        self._after.append(hook)
        return lambda: self._after.remove(hook)

    async def refusal(self, context: HookContext) -> ToolError | None:
        """Ask all `before` hooks; the first no counts. A cancellation goes on."""
        for hook in tuple(self._before):
            end, answer = await _run(
                partial(hook, context), Refusal, "before", context.tool
            )
            if end is End.CANCELLED:
                raise asyncio.CancelledError
            if end is End.TIMEOUT:
                return _refused(say("hook_failed"))
            if answer is not None:
                return _refused(
                    say("hook_refused", code=answer.code, why=answer.reason)
                )
        return None

    async def replacements(
        self,
        context: HookContext,
        result: ToolResult,
        apply: Callable[[ToolResult, Replacement], ToolResult],
    ) -> ToolResult:
        """Hand the result through all `after` hooks; a cancellation ends that.

        Each sees a copy of the value: changing it in place changes nothing.
        """
        for hook in tuple(self._after):
            seen = replace(result, value=to_json_value(result.value))
            end, answer = await _run(
                partial(hook, context, seen), Replacement, "after", context.tool
            )
            if answer is not None:
                result = apply(result, answer)
            if end is End.CANCELLED:
                break
        return result


def _refused(detail: str) -> ToolError:
    return ToolError(
        reason=Reason.REFUSED,
        detail=detail,
        hint="An extension of this home refuses the call; repeating it will not help.",
    )


def seen_arguments(arguments: Arguments) -> Arguments:
    """Return the copy of a call's arguments that hooks see."""
    form = to_json_value(arguments)
    return form if isinstance(form, dict) else {}


async def _run[T](
    hook: Callable[[], Coroutine[object, object, object]],
    expected: type[T],
    half: str,
    tool: str,
) -> tuple[End, T | None]:
    """Run one hook within its limit.

    One that raises, or answers what no hook may answer, gives no answer, as a late one.
    """
    task = start(_call(hook))
    end = await wait_for(task, HOOK_LIMIT)
    if not task.done():
        await cancel(task, HOOK_LIMIT)
        _LOGGER.warning("A hook %s %s did not end in time", half, tool)
        return end, None
    if error := failure(task):
        _LOGGER.error("A hook %s %s failed", half, tool, exc_info=error)
        return End.TIMEOUT, None
    answer = task.result()
    if answer is None or isinstance(answer, expected):
        return End.DONE, answer
    _LOGGER.error(
        "A hook %s %s answered %s, not %s",
        half,
        tool,
        type(answer).__name__,
        expected.__name__,
    )
    return End.TIMEOUT, None


async def _call(hook: Callable[[], Coroutine[object, object, object]]) -> object:
    """Call a hook inside the task: whatever it is, what it raises is the task's."""
    return await hook()
