"""The calls of one reply: from what the model sent to a batch, and back to it.

Above the kernel and `messages`; pure but for one rate-limited warning. Every call gets
exactly one answer, in the order of the calls (page 1 §1.3).
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import logging
import re

from ..kernel.arguments import arguments_look_dropped, arrived_empty, parse_arguments
from ..kernel.contract import ToolCall, ToolResult, UnparsedArguments
from ..kernel.errors import Reason, ToolError, combine
from ..kernel.ids import unique_ids
from ..kernel.json_text import NotJsonError, decode_json, encode_json
from ..kernel.records import record
from ..kernel.streaming import StreamedCall
from ..tools.action_names import llm_name
from ..tools.offered_tools import OfferedTool
from .chat_history import log_arguments
from .messages import Made

_LOGGER = logging.getLogger(__name__)

WARN_AGAIN = 3600.0
"""Seconds until dropped arguments of the same tool are warned of again."""

MOST_CALLS = 200
"""Calls of one reply that are run, as many as of one action; more answer an error."""

_MOST_REMEMBERED = 256
_FUNCTION = re.compile(r"[A-Za-z0-9_-]{1,64}")


@record
class ReplyCall:
    """One call of a reply: as it stands in the history, and as the door gets it."""

    made: Made
    call: ToolCall
    dropped: bool


def read_calls(
    streamed: Sequence[StreamedCall],
    offered: Mapping[str, OfferedTool],
    *,
    finish_reason: str | None,
    cut_off: bool = False,
    used_ids: Sequence[str] = (),
    hint_of: Callable[[str], str] = lambda tool: "",
) -> list[ReplyCall]:
    """Return the calls with ids that no other call of the conversation has.

    `cut_off` tells that the reply may have broken off: arguments that are blank then may
    be such that did not come, and without them a call may do more than was meant.
    `hint_of` gives a tool's own advice for arguments that were cut off.
    """
    ids = unique_ids([*used_ids, *(each.id for each in streamed)])[len(used_ids) :]
    calls: list[ReplyCall] = []
    for each, call_id in zip(streamed, ids, strict=True):
        known = offered.get(each.name)
        hint = hint_of(each.name if known is None else known.tool)
        arguments = parse_arguments(
            each.arguments, finish_reason=finish_reason, cut_off_hint=hint
        )
        if cut_off and not each.arguments.strip() and _takes_some(known):
            arguments = UnparsedArguments(error=_NEVER_CAME)
        calls.append(_read(each, call_id, known, arguments))
    return calls


_NEVER_CAME = ToolError(
    reason=Reason.ARGUMENTS,
    detail="the reply broke off before the arguments of this call came",
    hint="Make the call again; where it needs no arguments, with {}.",
)


def _takes_some(offered: OfferedTool | None) -> bool:
    return offered is None or bool(offered.shown.get("properties"))


def _never_came(arguments: Mapping[str, object] | UnparsedArguments) -> bool:
    return isinstance(arguments, UnparsedArguments) and arguments.error is _NEVER_CAME


def _read(
    streamed: StreamedCall,
    call_id: str,
    offered: OfferedTool | None,
    arguments: dict[str, object] | UnparsedArguments,
) -> ReplyCall:
    raw = streamed.arguments
    unparsed = isinstance(arguments, UnparsedArguments)
    if offered is None:
        call = ToolCall(tool=streamed.name, arguments=arguments, id=call_id)
    elif unparsed:
        call = ToolCall(tool=offered.tool, arguments=arguments, id=call_id)
    else:
        call = offered.call(arguments, call_id)
    # Servers stumble over a history in which arguments are anything but an object.
    sent = raw if _is_object(raw) else encode_json(log_arguments(raw))
    return ReplyCall(
        made=Made(id=call_id, function=_sendable(streamed.name), arguments=sent),
        call=call,
        dropped=arguments_look_dropped(raw) and not _never_came(arguments),
    )


def _is_object(raw: str) -> bool:
    try:
        return isinstance(decode_json(raw), dict)
    except NotJsonError:
        return False


def _sendable(name: str) -> str:
    """Return a function name that servers take in a history, whatever the model made."""
    return name if _FUNCTION.fullmatch(name) else llm_name(name)


def not_run(call: ReplyCall) -> ToolResult:
    """Return the answer of a call that was one too many."""
    error = ToolError(
        reason=Reason.REFUSED,
        detail=f"a reply may have {MOST_CALLS} calls; this one was beyond them",
        hint="Make it in your next reply.",
    )
    return ToolResult(call_id=call.made.id, tool=call.call.tool, error=error)


def with_remark(call: ReplyCall, result: ToolResult) -> ToolResult:
    """Return a result whose error says that the arguments arrived empty, if they did."""
    error = result.error
    if not call.dropped or error is None or error.reason is not Reason.REQUIRED:
        return result
    problems = (replace(error, also=()), *error.also)
    return replace(result, error=combine(arrived_empty(problems)))


@dataclass(slots=True)
class DroppedWarnings:
    """Warns of arguments that look dropped: once an hour for server, model and tool."""

    now: Callable[[], float]
    _warned: OrderedDict[tuple[str, str, str], float] = field(
        default_factory=OrderedDict
    )

    def warn(self, server: str, model: str, tool: str) -> None:
        """Warn, if it was not done lately."""
        key, now = (server, model, tool), self.now()
        if now - self._warned.get(key, -WARN_AGAIN) < WARN_AGAIN:
            return
        self._warned[key] = now
        if len(self._warned) > _MOST_REMEMBERED:
            self._warned.popitem(last=False)
        _LOGGER.warning(
            "The arguments of %s look dropped on their way from model %s on %s",
            tool,
            model,
            server,
        )
