"""Running the calls of one reply, and their form in Home Assistant's chat log.

Beside `calls`; below `turn`. A batch is a task of its own, so that something can be said
while it runs; it never outlives the turn.
"""

import asyncio
from collections.abc import Sequence

from homeassistant.helpers import llm

from ..kernel.batch import BatchResult
from ..kernel.contract import Caller, ToolCall
from .calls import ReplyCall
from .chat_history import log_arguments
from .messages import Made, Said
from .ports import RunBatch
from .reply import ReplyReader


def begin(
    run: RunBatch, caller: Caller, calls: Sequence[ToolCall]
) -> asyncio.Task[BatchResult]:
    """Begin a batch."""
    return asyncio.create_task(_awaited(run, caller, calls))


async def _awaited(
    run: RunBatch, caller: Caller, calls: Sequence[ToolCall]
) -> BatchResult:
    return await run(caller, calls)


async def end(task: asyncio.Task[BatchResult]) -> None:
    """See a batch to its end, also when the turn is cancelled: its calls end, too."""
    cancelled = False
    if not task.done():
        task.cancel()
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


def said(calls: Sequence[ReplyCall], reader: ReplyReader) -> Said:
    """Return what the model said and called, for its history."""
    return Said(
        text=reader.text,
        calls=tuple(call.made for call in calls),
        thought="".join(reader.thoughts),
        thought_key=reader.reasoning_key,
    )


def as_input(made: Made) -> llm.ToolInput:
    """Return a call for the log: external, so that Home Assistant runs nothing."""
    return llm.ToolInput(
        tool_name=made.function,
        tool_args=log_arguments(made.arguments),
        id=made.id,
        external=True,
    )
