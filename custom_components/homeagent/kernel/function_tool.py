"""A tool made of a definition and a function: for tools of our own.

Beside the door; implements `contract.Tool`. Tools that need more implement the protocol
themselves.
"""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from .contract import Arguments, Caller, CallFacts, Checked, Invocation, ToolDefinition
from .validation import Checker, compile_schema

type Work = Callable[[Invocation], Coroutine[object, object, object]]
type Facts = Callable[[Arguments, Caller], CallFacts]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionTool:
    """`work` does the call; `judge` narrows the declaration where it depends.

    Without `judge` a call is as safe as declared and acts on nothing.
    """

    definition: ToolDefinition
    work: Work
    judge: Facts | None = None
    _checker: Checker = field(init=False)

    def __post_init__(self) -> None:
        """Compile the schema, once."""
        object.__setattr__(self, "_checker", compile_schema(self.definition.parameters))

    def check(self, arguments: Arguments) -> Checked:
        """Coerce and check by the definition's schema."""
        return self._checker(arguments)

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Return what a call acts on."""
        if self.judge is not None:
            return self.judge(arguments, caller)
        return CallFacts(parallel_safe=self.definition.parallel_safe)

    async def call_tool(self, invocation: Invocation) -> object:
        """Do the work."""
        return await self.work(invocation)
