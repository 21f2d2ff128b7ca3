"""What an entry wants to call now: decided anew before each attempt (page 2 §2.4).

Below `group_run`; imports the kernel and the language. Pure.
"""

from collections.abc import Collection

from ..kernel.contract import Caller, Tool, ToolCall
from ..kernel.errors import Reason, ToolError
from .conditions import evaluate
from .failures import ConditionFailed
from .forbidden import Forbidden, is_forbidden
from .model import Condition, ToolEntry
from .run_words import say
from .substitution import substitute
from .values import Scope


def judge(condition: Condition | None, scope: Scope) -> bool | ToolError:
    """Return whether a `when` holds; what cannot be judged is an error (§8.4)."""
    if condition is None:
        return True
    try:
        return evaluate(condition, scope)
    except ConditionFailed as error:
        return ToolError(
            reason=Reason.CONDITION,
            field="when",
            detail=error.said,
            hint="Ask exists(…) before what may be absent; compare values of one type.",
        )


def prepare(
    entry: ToolEntry,
    scope: Scope,
    tool: Tool | None,
    caller: Caller,
    *,
    timeout: float,
    call_id: str,
    own_buttons: Collection[str] = (),
) -> ToolCall | ToolError | None:
    """Return the call that an entry makes, None where its own `when` is false.

    `tool` is the entry's tool as it is now, `timeout` (seconds) what is left of the
    group's time.
    """
    wanted = judge(entry.when, scope)
    if isinstance(wanted, ToolError):
        return wanted
    if not wanted:
        return None
    schema = {} if tool is None else tool.definition.parameters
    arguments = substitute(entry.args, scope, schema)
    if isinstance(arguments, ToolError):
        return arguments
    if forbidden := is_forbidden(
        entry.tool,
        arguments,
        own_buttons=own_buttons,
        keys=_keys(tool, arguments, caller) if own_buttons else None,
    ):
        return _forbidden_error(entry, forbidden)
    if timeout <= 0:
        return _out_of_time(entry)
    if entry.when is not None:
        arguments["when"] = "true"  # judged above, and not to be judged again
    return ToolCall(tool=entry.tool, arguments=arguments, id=call_id, timeout=timeout)


def _keys(
    tool: Tool | None, arguments: dict[str, object], caller: Caller
) -> Collection[str] | None:
    """Return what a press acts on: a button may stand behind an area or a device."""
    if tool is None or not tool.definition.name.endswith("press"):
        return None
    checked = tool.check(arguments)
    return None if checked.problems else tool.facts(checked.arguments, caller).keys


def _forbidden_error(entry: ToolEntry, forbidden: Forbidden) -> ToolError:
    instead = f"use {forbidden.instead}" if forbidden.instead else "take the entry out"
    return ToolError(
        reason=Reason.FORBIDDEN,
        field="tool",
        detail=say(
            "forbidden_tool",
            tool=entry.tool,
            why=forbidden.why,
            instead=forbidden.instead,
        ),
        hint=f"Change the sequence: {instead}.",
    )


def _out_of_time(entry: ToolEntry) -> ToolError:
    return ToolError(
        reason=Reason.TIMEOUT,
        detail=say("out_of_time", tool=entry.tool),
        hint="Give the group a longer timeout, or less to do.",
    )
