"""A home for the engine's tests: scripted tools behind the real door and batch."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence as Many
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from custom_components.homeagent.kernel.batch import Batch
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    Decision,
    Entrance,
    Invocation,
    Tool,
    ToolCall,
    ToolDefinition,
    Verdict,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.function_tool import FunctionTool
from custom_components.homeagent.kernel.journal import NoJournal
from custom_components.homeagent.kernel.validation import compile_schema
from custom_components.homeagent.sequence.conditions import parse_condition
from custom_components.homeagent.sequence.document import read_sequence
from custom_components.homeagent.sequence.engine import Engine
from custom_components.homeagent.sequence.library import Library
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.ports import Ports
from custom_components.homeagent.sequence.report import GroupReport, RunReport
from custom_components.homeagent.sequence.runs import Run

from ..virtual_time import LoopClock, run_virtual

ANYONE = Caller(entrance=Entrance.DIRECT, user_id="anyone")
ECHO: Mapping[str, object] = {"echo": True}

type Behaviour = Mapping[str, object]
type Json = dict[str, Any]


@dataclass
class ScriptedTool:
    """Does one behaviour per call, the last one again and again.

    `{"value": V}`, `{"echo": true}` (its arguments) or `{"error": {"reason": R}}`, each
    with an optional `delay_ms`; `{"hang": true}` never ends by itself. `inner` is what
    it does inside, `hook` what happens when it starts.
    """

    definition: ToolDefinition
    behaviour: Many[Behaviour]
    log: list[tuple[str, str, float]]
    keys: Callable[[Arguments], frozenset[str] | None] | None = None
    calls: list[Arguments] = field(default_factory=list)
    callers: list[Caller] = field(default_factory=list)
    hook: Callable[[], object] | None = None
    inner: Callable[[Caller], Awaitable[object]] | None = None

    def check(self, arguments: Arguments) -> Checked:
        """Check against the schema."""
        return compile_schema(self.definition.parameters)(arguments)

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Tell safety and keys."""
        keys = frozenset[str]() if self.keys is None else self.keys(arguments)
        return CallFacts(parallel_safe=self.definition.parallel_safe, keys=keys)

    async def call_tool(self, invocation: Invocation) -> object:
        """Do what comes next."""
        step = self.behaviour[min(len(self.calls), len(self.behaviour) - 1)]
        self.calls.append(invocation.arguments)
        self.callers.append(invocation.caller)
        self._log("start")
        if self.hook is not None:
            self.hook()
        try:
            await self._wait(step)
            if self.inner is not None:
                await self.inner(invocation.caller)
        finally:
            self._log("end")
        if "error" in step:
            return _error(step["error"])
        return dict(invocation.arguments) if step.get("echo") else step.get("value")

    def _log(self, what: str) -> None:
        now = asyncio.get_running_loop().time()
        self.log.append((what, self.definition.name, round(now, 6)))

    async def _wait(self, step: Behaviour) -> None:
        if step.get("hang"):
            await asyncio.get_running_loop().create_future()
        if delay := step.get("delay_ms"):
            assert isinstance(delay, int | float)
            await asyncio.sleep(delay / 1000)


def _error(told: object) -> ToolError:
    assert isinstance(told, dict)
    return ToolError(**{**told, "reason": Reason(told["reason"])})


@dataclass
class ScriptedPolicy:
    """Allows all but what the test says; counts what it is asked."""

    refused: set[str] = field(default_factory=set)
    refused_with: Callable[[str, Arguments], bool] = lambda tool, arguments: False
    asks: set[str] = field(default_factory=set)
    sees: bool = True

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by name, and by arguments where there are any."""
        name = tool.definition.name
        if name in self.refused or (
            arguments is not None and self.refused_with(name, arguments)
        ):
            return Decision(verdict=Verdict.REFUSE, detail=f"no rule grants {name}")
        return Decision(verdict=Verdict.ASK if name in self.asks else Verdict.ALLOW)

    def sees_everything(self, caller: Caller) -> bool:
        """Tell what the test says."""
        return self.sees


class Registry:
    """Tools by name, as they are now."""

    def __init__(self) -> None:
        self.tools: dict[str, Tool] = {}

    def find(self, name: str) -> Tool | None:
        """Return the tool."""
        return self.tools.get(name)

    def names(self) -> Iterable[str]:
        """Return all names."""
        return list(self.tools)


class Home:
    """An engine with everything around it."""

    def __init__(self, tools: Mapping[str, Mapping[str, object]] | None = None) -> None:
        self.registry = Registry()
        self.policy = ScriptedPolicy()
        self.door = Door(registry=self.registry, policy=self.policy)
        self.library = Library()
        self.log: list[tuple[str, str, float]] = []
        self.finished: list[Run] = []
        self.buttons: list[str] = []
        ids = count(1)
        ports = Ports(
            tools=self.registry,
            open_batch=self._open,
            can_use=self.policy.can_use,
            sequences=self.library,
            clock=LoopClock(),
            new_id=lambda: f"run-{next(ids)}",
            own_buttons=lambda: self.buttons,
        )
        self.engine = Engine(ports, finished=self.finished.append)
        self._add_calls()
        for name, told in (tools or {}).items():
            self.scripted(name, told)

    def _open(self, caller: Caller, calls: Many[ToolCall]) -> Batch:
        return Batch(
            door=self.door,
            journal=NoJournal(),
            caller=caller,
            calls=calls,
            batch_id="batch",
            mask=False,
        )

    def _add_calls(self) -> None:
        """Offer the tools that call by name, as the integration does."""
        for name, required in (
            ("seq_call", ["target"]),
            ("seq_when_call", ["target", "when"]),
        ):
            definition = ToolDefinition(
                name=name,
                parallel_safe=True,
                untimed=True,
                parameters={
                    "type": "object",
                    "properties": {
                        "target": {"type": "string"},
                        "args": {"type": "object"},
                        "when": {"type": "string"},
                    },
                    "required": required,
                    "additionalProperties": False,
                },
            )
            self.registry.tools[name] = FunctionTool(
                definition=definition, work=self._call_by_name, judge=self._facts
            )

    async def _call_by_name(self, invocation: Invocation) -> object:
        args = invocation.arguments.get("args", {})
        when = invocation.arguments.get("when")
        assert isinstance(args, Mapping)
        return await self.engine.call_target(
            invocation.caller,
            invocation.arguments["target"],
            args,
            when=parse_condition(when) if isinstance(when, str) else None,
        )

    def _facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        return self.engine.facts_of(
            caller, arguments["target"], arguments.get("args", {})
        )

    def scripted(self, name: str, told: Mapping[str, object]) -> ScriptedTool:
        """Add a tool in the form of the case files."""
        behaviour = told.get("behaviour", [ECHO])
        parameters = told.get("parameters", {})
        assert isinstance(behaviour, list)
        assert isinstance(parameters, dict)
        return self.tool(
            name,
            *behaviour,
            parallel_safe=told.get("parallel_safe") is True,
            parameters=parameters,
        )

    def tool(
        self,
        name: str,
        *behaviour: Behaviour,
        parallel_safe: bool = True,
        parameters: Json | None = None,
        keys: Callable[[Arguments], frozenset[str] | None] | None = None,
        cancellable: bool = True,
        timeout: float | None = None,
    ) -> ScriptedTool:
        """Add a tool; parallel safe and without keys unless told otherwise."""
        tool = ScriptedTool(
            definition=ToolDefinition(
                name=name,
                parallel_safe=parallel_safe,
                cancellable=cancellable,
                timeout=timeout,
                parameters=parameters or {},
            ),
            behaviour=behaviour or (ECHO,),
            log=self.log,
            keys=keys,
        )
        self.registry.tools[name] = tool
        return tool

    def slow(
        self, *names: str, delay_ms: int = 100, parallel_safe: bool = True
    ) -> None:
        """Add tools that take a while and give their name."""
        for name in names:
            step = {"delay_ms": delay_ms, "value": name}
            self.tool(name, step, parallel_safe=parallel_safe)

    def add(self, name: str, *groups: Json) -> Sequence:
        """Read a sequence and keep it; its text must be right."""
        parsed = read_sequence({"name": name, "groups": list(groups)})
        assert parsed.sequence is not None, parsed.errors
        self.library.put(name, parsed.sequence)
        return parsed.sequence

    def run(self, *groups: Json, args: Json | None = None) -> RunReport:
        """Run a sequence `s` of these groups on a loop of its own."""
        return run_virtual(self.started(*groups, args=args))

    async def started(
        self, *groups: Json, args: Json | None = None, caller: Caller = ANYONE
    ) -> RunReport:
        """Run a sequence `s` of these groups on the running loop."""
        return await self.engine.run(self.add("s", *groups), args or {}, caller)

    def calls(self, name: str) -> int:
        """Return how often a tool was called."""
        tool = self.registry.tools[name]
        assert isinstance(tool, ScriptedTool)
        return len(tool.calls)

    @property
    def most_at_once(self) -> int:
        """How many calls ran at the same time at most."""
        most = now = 0
        for what, _, _ in self.log:
            now += 1 if what == "start" else -1
            most = max(most, now)
        return most

    @property
    def started_order(self) -> list[str]:
        """The tools in the order in which they started."""
        return [name for what, name, _ in self.log if what == "start"]

    @property
    def start_times(self) -> list[float]:
        """When calls started, in seconds."""
        return [at for what, _, at in self.log if what == "start"]


def group(
    *tools: str | Json, name: str = "g1", inputs: Json | None = None, **fields: Any
) -> Json:
    """Write a group; a text is an entry without arguments, `inputs` its `in`."""
    entries = [{"tool": each} if isinstance(each, str) else each for each in tools]
    if inputs is not None:
        fields["in"] = inputs
    return {"name": name, "tools": entries, **fields}


def serial(*tools: str | Json, name: str = "g1", **fields: Any) -> Json:
    """Write a group whose tools go in order."""
    return group(*tools, name=name, parallel=False, **fields)


def call(target: str, *, as_: str | None = None, **args: object) -> Json:
    """Write an entry that calls by name."""
    entry: Json = {"tool": "seq_call", "args": {"target": target, "args": args}}
    return entry if as_ is None else {**entry, "as": as_}


def fails(reason: str = "failed", **more: object) -> Behaviour:
    """Write a behaviour that ends in an error; `more` is of the error."""
    return {"error": {"reason": reason, **more}}


def tool_statuses(report: GroupReport) -> list[str]:
    """Return the statuses of a group's tools."""
    return [tool.status.value for tool in report.tools]


def shape(report: RunReport) -> list[tuple[str, list[str]]]:
    """Return the status of each group with those of its tools."""
    return [(each.status.value, tool_statuses(each)) for each in report.groups]
