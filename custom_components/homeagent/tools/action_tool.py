"""One action of Home Assistant as a tool.

Between the registry in `actions` and the modules that know: `target_arguments` brings
arguments into form, `targets` says what they act on, `ordering` in which order, and
`outcomes` and `settling` what came of it. Only the kernel's door calls `call_tool`.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace

from homeassistant.core import (
    Context,
    HomeAssistant,
    Service,
    ServiceResponse,
    SupportsResponse,
)

from ..kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    Entrance,
    Invocation,
    ToolDefinition,
    ToolOutput,
)
from ..kernel.errors import ToolError, combine
from .action_errors import FORESEEN, ForeseenError, action_error, not_found
from .action_schema import ActionShape
from .action_sight import Sight
from .declarations import Declarations, Row
from .ordering import action_of_script, call_facts, script_run_by
from .outcomes import OK, Standing, complaints, done_and_open
from .reach import Reach
from .script_starts import ScriptStarts
from .settling import REPORT_WAIT, Report
from .target_arguments import merge_target, normalize_nested, normalize_targets
from .targets import NOTHING_NAMED, Resolved, resolve_targets

_TOLD_IN_WORDS = frozenset({Entrance.CONVERSATION, Entrance.MCP})


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionPorts:
    """What all actions share: Home Assistant, contexts, declarations, patience."""

    hass: HomeAssistant
    new_context: Callable[[Caller], Context]
    declarations: Declarations
    report_wait: float = REPORT_WAIT


class ActionTool:
    """A tool `domain.action`; made anew when the action is registered again."""

    def __init__(
        self,
        *,
        ports: ActionPorts,
        definition: ToolDefinition,
        service: Service,
        shape: ActionShape,
        reach: Reach,
        row: Row,
    ) -> None:
        """Take what the registry found out about the action."""
        self.definition = definition
        self.shape = shape
        self.reach = reach
        self._ports = ports
        self._row = row
        self._domain, _, self._action = definition.name.partition(".")
        self._responds = service.supports_response is not SupportsResponse.NONE
        self._only_responds = service.supports_response is SupportsResponse.ONLY
        self._sight = Sight(
            hass=ports.hass, name=definition.name, shape=shape, reach=reach, row=row
        )
        self._starts = ScriptStarts.of(ports.hass, definition.name)
        self._plain_facts = CallFacts(parallel_safe=row.safe)
        self._has_plain_facts = row.output is None and self._domain != "script"
        self._needs_ids = shape.needs_target or bool(shape.required_ids)

    def check(self, arguments: Arguments) -> Checked:
        """Coerce and check; ids come out in the one form that is dispatched."""
        if not self._needs_ids and arguments.keys().isdisjoint(self.shape.id_names):
            return self.shape.check(arguments)
        merged, wrong = merge_target(self.shape, arguments)
        checked = self.shape.check(merged)
        wrong += normalize_targets(
            self._ports.hass, self.shape, self.reach, checked.arguments
        )
        wrong += normalize_nested(self._ports.hass, self.shape, self.reach, checked)
        if not wrong:
            return replace(checked, judgeable=True) if checked.problems else checked
        told = {problem.field for problem in checked.problems}
        more = [problem for problem in wrong if problem.field not in told]
        return replace(checked, problems=(*checked.problems, *more))

    def runs_script(self) -> str | None:
        """Return the script whose own action this is."""
        return script_run_by(self._ports.hass, self.definition.name)

    def own_action(self, script: str) -> str:
        """Return the name of a script's own action."""
        return action_of_script(self._ports.hass, script)

    def resolve(self, arguments: Arguments) -> Resolved:
        """Return what a call with checked arguments acts on, for access control."""
        if arguments.keys().isdisjoint(self.shape.id_names):
            return NOTHING_NAMED
        return resolve_targets(self._ports.hass, arguments, self.shape, self.reach)

    def standing(self, arguments: Arguments) -> Standing:
        """Look at what checked arguments target; nothing is called."""
        return self._sight.of_targets(arguments, self.resolve(arguments))

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Return whether the call may run beside others, and its ordering keys."""
        resolved = self.resolve(arguments)
        if resolved is NOTHING_NAMED and self._has_plain_facts:
            return self._plain_facts
        return call_facts(
            self._ports.hass,
            self._ports.declarations,
            self.definition.name,
            self._row,
            arguments,
            resolved,
        )

    async def call_tool(self, invocation: Invocation) -> object:
        """Run the action: its response, what changed, or why it did not do its work."""
        hass = self._ports.hass
        if not hass.services.has_service(self._domain, self._action):
            return not_found(self.definition.name)
        resolved = self.resolve(invocation.arguments)
        context = self._ports.new_context(invocation.caller)
        if self._starts is None:
            return await self._act(invocation, resolved, context)
        return await self._start_scripts(self._starts, invocation, resolved, context)

    async def _start_scripts(
        self,
        starts: ScriptStarts,
        invocation: Invocation,
        resolved: Resolved,
        context: Context,
    ) -> object:
        """Run an action that starts scripts or automations, and see what they do."""
        held = starts.held(resolved)
        if held:
            left = starts.without(held, resolved)
            if not left:
                return combine(list(held.values()))
            places = self.shape.target_keys
            arguments = dict(invocation.arguments)
            arguments = {key: arguments[key] for key in arguments if key not in places}
            arguments["entity_id"] = left
            invocation = replace(invocation, arguments=arguments)
            resolved = self.resolve(arguments)
        with starts.watch(resolved, context) as watch:
            try:
                output = await self._act(invocation, resolved, context)
            except asyncio.CancelledError:
                # Home Assistant raises this for a script that is stopped in a step.
                if _is_cancelled() or not watch.interrupted():
                    raise
                output = None
        return starts.told(output, resolved, watch, held)

    async def _act(
        self, invocation: Invocation, resolved: Resolved, context: Context
    ) -> object:
        arguments = invocation.arguments
        if resolved is NOTHING_NAMED:
            return await self._act_without_target(arguments, context)
        standing = self._sight.look(arguments, resolved)
        if isinstance(standing, ToolError):
            return standing
        report = self._report(invocation, resolved, context)
        try:
            response = await self._dispatch(arguments, context)
        except FORESEEN as raised:
            return self._failure(raised, arguments, resolved, standing, context)
        return await self._success(response, report, resolved, standing)

    async def _act_without_target(
        self, arguments: Arguments, context: Context
    ) -> object:
        try:
            response = await self._dispatch(arguments, context)
        except FORESEEN as error:
            return action_error(error, self.definition.name, arguments)
        return response or self._nothing_said(response)

    def _nothing_said(self, response: ServiceResponse) -> object:
        """Return the output of an action that answered nothing, or nothing at all."""
        if response is None:
            return OK
        return (
            response if self._only_responds else ToolOutput(value=response, text="ok")
        )

    def _dispatch(
        self, arguments: Mapping[str, object], context: Context
    ) -> Coroutine[object, object, ServiceResponse]:
        # A copy: handlers and Home Assistant itself change the mapping.
        return self._ports.hass.services.async_call(
            self._domain,
            self._action,
            dict(arguments),
            blocking=True,
            context=context,
            return_response=self._responds,
        )

    def _report(
        self, invocation: Invocation, resolved: Resolved, context: Context
    ) -> Report | None:
        wanted = invocation.report or invocation.caller.entrance in _TOLD_IN_WORDS
        if not wanted or self._only_responds:
            return None
        return Report(
            self._ports.hass,
            action=self._action,
            arguments=invocation.arguments,
            acted_on=resolved.acted_on,
            affected=self._sight.changed_by(resolved),
            context=context,
            wait=self._ports.report_wait,
        )

    async def _success(
        self,
        response: ServiceResponse,
        report: Report | None,
        resolved: Resolved,
        standing: Standing,
    ) -> object:
        value: object = response
        text = None
        if not response and not self._only_responds:
            text = OK.text
            if report is not None:
                await report.settle()
                if changed := report.changed():
                    value, text = changed, None
        if standing.all_well:
            if text is None:
                return value
            return OK if value is None else ToolOutput(value=value, text=text)
        return self._with_complaints(value, text, resolved, standing)

    def _with_complaints(
        self, value: object, text: str | None, resolved: Resolved, standing: Standing
    ) -> ToolOutput:
        error = self._sight.look_again(resolved, standing)
        return ToolOutput(
            value=value,
            text=text,
            error=error,
            warnings=() if error else complaints(self.definition.name, standing),
        )

    def _failure(
        self,
        error: ForeseenError,
        arguments: Arguments,
        resolved: Resolved,
        standing: Standing,
        context: Context,
    ) -> ToolOutput:
        """Return a failed call's output, telling which of several entities are done."""
        name = self.definition.name
        value = None
        several = self._sight.changed_by(resolved)
        if len(several) > 1 and not self._only_responds:
            value = done_and_open(
                self._ports.hass, self._action, arguments, several, context
            )
        return ToolOutput(
            value=value,
            error=action_error(error, name, arguments),
            warnings=complaints(name, standing),
        )


def _is_cancelled() -> bool:
    """Whether it is our own task that is cancelled, and not what it waits for."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0
