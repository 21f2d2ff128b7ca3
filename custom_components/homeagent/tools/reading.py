"""Tools that read entities, and what they share.

Below the single reading tools, above `targets`. A reading tool tells what it reads as an
action tells what it acts on, so that one policy judges both (page 3 §3.3: reading
counts). Only the kernel's door calls `call_tool`.
"""

from dataclasses import replace

from homeassistant.core import HomeAssistant

from ..kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    Invocation,
    ToolDefinition,
)
from ..kernel.function_tool import Work
from ..kernel.validation import compile_schema
from .entity_arguments import normalize_entities
from .targets import NOTHING_NAMED, Resolved, ids_in, resolve_named


class ReadingTool:
    """A tool that changes nothing; implements the kernel's `Tool`.

    `named` is the argument that names entities, None where there is none. Where it is
    absent, the tool tells only what the caller may read (`tells_granted_only`): it asks
    for every single thing, so that everybody who may read anything may call it.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        definition: ToolDefinition,
        work: Work,
        named: str | None = None,
    ) -> None:
        """Take what does the call."""
        self.definition = definition
        self._hass = hass
        self._work = work
        self._named = named
        self._check = compile_schema(definition.parameters)

    def check(self, arguments: Arguments) -> Checked:
        """Coerce and check; entities come out as a list of ids, or one as text."""
        checked = self._check(arguments)
        if self._named is None or self._named not in checked.arguments:
            return checked
        if any(problem.field == self._named for problem in checked.problems):
            return checked
        wrong = normalize_entities(self._hass, checked.arguments, self._named)
        return replace(checked, problems=(*checked.problems, *wrong))

    def resolve(self, arguments: Arguments) -> Resolved:
        """Return what a call with checked arguments reads, for access control."""
        if self._named is None or self._named not in arguments:
            return NOTHING_NAMED
        ids = ids_in(arguments[self._named])
        if ids is None:
            return Resolved(unresolved=True, named=True)
        return resolve_named(self._hass, ids)

    def tells_granted_only(self, arguments: Arguments) -> bool:
        """Whether the call names nothing and leaves out what may not be read."""
        return self._named is None or self._named not in arguments

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Reading acts on nothing: it may run beside everything."""
        return CallFacts(parallel_safe=self.definition.parallel_safe)

    async def call_tool(self, invocation: Invocation) -> object:
        """Read."""
        return await self._work(invocation)
