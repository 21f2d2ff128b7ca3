"""`tool_call`: any tool that the caller may use, by name, through the same door.

For clients that cannot call what they found after they built their list. It is no way
around anything: the inner call passes all gates as this caller's own, what it acts on is
what this call acts on, and what came of it is what this call answers.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ..kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    Invocation,
    JsonSchema,
    Tool,
    ToolCall,
    ToolDefinition,
    ToolOutput,
    ToolRegistry,
)
from ..kernel.errors import Reason, ToolError
from ..kernel.validation import compile_schema
from ..sequence.forbidden import is_forbidden
from ..sequence.ports import OpenBatch

TOOL_CALL: Final = ToolDefinition(
    name="tool_call",
    title="Call tool",
    description=(
        "Call any tool by its name, such as one that tool_search found. It runs like a "
        "direct call: same rights, same checks, same order."
    ),
    parameters={
        "type": "object",
        "properties": {
            "tool": {"type": "string", "description": "The name of the tool."},
            "arguments": {
                "type": "object",
                "description": "Its arguments, by its own schema.",
            },
        },
        "required": ["tool"],
        "additionalProperties": False,
    },
    # Each call is as safe as the inner one, which may narrow this.
    parallel_safe=True,
    untimed=True,
    cut_off_hint="Call the tool with fewer or shorter arguments.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    """The tool and the checked arguments that a call comes to."""

    tool: Tool
    arguments: Arguments | None


class ToolCalling:
    """The tool itself; implements the kernel's `Tool`.

    `facts_of` tells what a call would act on, taken through the door's gates.
    `open_batch` opens a batch behind the door, with true reasons: this call's own answer
    is masked on its way out. `own_buttons` are the entity ids of the buttons that run
    sequences.
    """

    definition = TOOL_CALL

    def __init__(
        self,
        *,
        registry: ToolRegistry,
        facts_of: Callable[[Caller, ToolCall], CallFacts],
        open_batch: OpenBatch,
        own_buttons: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """Take the ports to the door."""
        self._registry = registry
        self._facts_of = facts_of
        self._open_batch = open_batch
        self._own_buttons = own_buttons
        self._check = compile_schema(TOOL_CALL.parameters)

    def check(self, arguments: Arguments) -> Checked:
        """Check the outer arguments; the inner ones are checked by the inner call."""
        return self._check(arguments)

    def stands_for(self, arguments: Arguments) -> Inner | None:
        """Return the call that is judged in the place of this one.

        For access control: what this call may do is what that one may. None where there
        is no such tool, or it is this one; no arguments where they are wrong.
        """
        tool = self._registry.find(str(arguments.get("tool")))
        if tool is None or tool is self:
            return None
        checked = tool.check(_arguments(arguments))
        return Inner(
            tool=tool, arguments=None if checked.problems else checked.arguments
        )

    def whole_schema(self, arguments: Arguments) -> JsonSchema:
        """Return the schema with the inner tool's in it: it tells what is a secret."""
        tool = self._registry.find(str(arguments.get("tool")))
        if tool is None or tool is self:
            return TOOL_CALL.parameters
        return {"properties": {"arguments": tool.definition.parameters}}

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Return what the inner call acts on."""
        if self._registry.find(str(arguments["tool"])) is self:
            return CallFacts(parallel_safe=True)
        return self._facts_of(caller, _call(arguments))

    async def call_tool(self, invocation: Invocation) -> object:
        """Make the inner call, and answer what came of it."""
        arguments, caller = invocation.arguments, invocation.caller
        if self._registry.find(str(arguments["tool"])) is self:
            return _itself()
        if caller.run is not None and (error := self._forbidden(arguments, caller)):
            return error
        call = replace(
            _call(arguments), report=invocation.report, timeout=invocation.timeout
        )
        batch = self._open_batch(caller, [call])
        try:
            await batch.run()
        except asyncio.CancelledError:
            # The inner call has ended or goes on by itself: its result says which. The
            # door, which cancelled, keeps its own error for this call.
            if not batch.results:
                raise
        (result,) = batch.results
        return ToolOutput(
            value=result.value,
            error=result.error,
            warnings=result.warnings,
            text=result.said,
            attachments=result.attachments,
            nested=result.nested,
        )

    def _forbidden(self, arguments: Arguments, caller: Caller) -> ToolError | None:
        """Refuse inside a run what no sequence may call, however it came in again."""
        buttons = self._own_buttons()
        keys = self._facts_of(caller, _call(arguments)).keys if buttons else None
        name = str(arguments["tool"])
        forbidden = is_forbidden(
            name, _arguments(arguments), own_buttons=buttons, keys=keys
        )
        if forbidden is None:
            return None
        instead = f"use {forbidden.instead}" if forbidden.instead else "leave it out"
        return ToolError(
            reason=Reason.FORBIDDEN,
            field="tool",
            detail=f"inside a run {name} may not be called: {forbidden.why}",
            hint=f"Change the sequence: {instead}.",
        )


def _call(arguments: Arguments) -> ToolCall:
    return ToolCall(tool=str(arguments["tool"]), arguments=_arguments(arguments))


def _arguments(arguments: Arguments) -> Arguments:
    inner = arguments.get("arguments")
    return inner if isinstance(inner, Mapping) else {}


def _itself() -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="tool",
        detail="tool_call may not call itself",
        hint="Give the name of the tool that shall run.",
    )
