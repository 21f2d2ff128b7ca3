"""The tools that one caller is offered for a model, with names that models can call.

Above `default_set`; reads the registry and asks access control, runs nothing. For our own
agent and for the entrances of other models alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ..kernel.arguments import parse_arguments
from ..kernel.contract import Caller, Policy, Tool, ToolCall, ToolRegistry, Verdict
from ..kernel.json_values import Json
from .default_set import DEFAULT_SET, ToolChoice, useful
from .function_names import function_names
from .model_schema import Schema, model_schema, shown_schema

LONGEST_DESCRIPTION: Final = 400
"""Characters of a tool's description that are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool as a model is offered it: `function` is its name there, `tool` ours.

    `shown` is the short JSON Schema of its parameters, `schema` the same with one plain
    type for each value. `inputs_of` is the name of the sequence whose inputs the
    parameters are.
    """

    function: str
    tool: str
    title: str = ""
    description: str = ""
    shown: Schema
    parallel_safe: bool = False
    read_only: bool = False
    inputs_of: str | None = None

    @property
    def schema(self) -> Schema:
        """The parameters for a model."""
        return model_schema(self.shown)

    def call(self, arguments: object, call_id: str = "") -> ToolCall:
        """Return the call for what a model gave as arguments, whatever it is."""
        parsed = parse_arguments(arguments)
        if self.inputs_of is not None and isinstance(parsed, Mapping):
            parsed = {"name": self.inputs_of, "args": dict(parsed)}
        return ToolCall(tool=self.tool, arguments=parsed, id=call_id)


class ToolOffer:
    """Chooses what a caller is offered."""

    def __init__(self, *, registry: ToolRegistry, policy: Policy) -> None:
        """Take the ports."""
        self._registry = registry
        self._policy = policy

    def tools_for(self, caller: Caller, choice: ToolChoice) -> list[OfferedTool]:
        """Return the tools that are switched on, there, and of use to this caller."""
        found: dict[str, Tool] = {}
        for name in choice.names():
            tool = self._registry.find(name)
            if tool is not None and self._may_use(caller, tool):
                found[name] = tool
        names = function_names(useful(found))
        return [_offered(name, names[name], found[name]) for name in names]

    def _may_use(self, caller: Caller, tool: Tool) -> bool:
        verdict = self._policy.can_use(caller, tool, None).verdict
        return verdict is not Verdict.REFUSE


def _offered(name: str, function: str, tool: Tool) -> OfferedTool:
    definition = tool.definition
    return OfferedTool(
        function=function,
        tool=name,
        title=definition.title,
        description=_short(definition.description or definition.title),
        shown=shown_schema(definition.parameters, DEFAULT_SET.get(name)),
        parallel_safe=definition.parallel_safe,
        read_only=definition.read_only,
    )


def _short(text: str) -> str:
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    return f"{text[:LONGEST_DESCRIPTION].rstrip()}…"


def function_tools(offered: Iterable[OfferedTool]) -> list[dict[str, Json]]:
    """Return the `tools` of a chat completions request."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.function,
                "description": tool.description,
                "parameters": dict(tool.schema),
            },
        }
        for tool in offered
    ]
