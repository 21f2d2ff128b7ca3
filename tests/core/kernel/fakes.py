"""Tools, policies and journals for tests of the door and the batch."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from custom_components.homeagent.kernel.batch import Batch, BatchResult
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
from custom_components.homeagent.kernel.hooks import Hooks
from custom_components.homeagent.kernel.journal import CallRecord
from custom_components.homeagent.kernel.validation import compile_schema

ANYONE = Caller(entrance=Entrance.DIRECT, user_id="anyone")


class Log(list[str]):
    """What happened, in order."""

    @property
    def most_at_once(self) -> int:
        """How many calls ran at the same time at most."""
        most = now = 0
        for entry in self:
            now += {"start": 1, "end": -1}.get(entry.split()[0], 0)
            most = max(most, now)
        return most


type Work = Callable[[Invocation], Awaitable[object]]


@dataclass
class FakeTool:
    """A tool that logs its start and end; `seconds` is how long it works."""

    definition: ToolDefinition
    log: Log
    seconds: float = 0.0
    work: Work | None = None
    keys: Callable[[Arguments], frozenset[str] | None] = lambda arguments: frozenset()
    narrowed: bool = False

    def check(self, arguments: Arguments) -> Checked:
        """Check against the schema."""
        return compile_schema(self.definition.parameters)(arguments)

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Tell the keys; `narrowed` takes the declaration back."""
        safe = self.definition.parallel_safe and not self.narrowed
        return CallFacts(parallel_safe=safe, keys=self.keys(arguments))

    async def call_tool(self, invocation: Invocation) -> object:
        """Work, and give back the arguments or what `work` gives."""
        name = f"{self.definition.name} {invocation.call_id}".strip()
        self.log.append(f"start {name}")
        try:
            if self.seconds:
                await asyncio.sleep(self.seconds)
            if self.work is not None:
                return await self.work(invocation)
            return dict(invocation.arguments)
        finally:
            self.log.append(f"end {name}")


@dataclass
class FakePolicy:
    """Allows all but the named tools; `admin` sees everything."""

    refused: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    admin: bool = True

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the tool's name."""
        name = tool.definition.name
        if name in self.refused:
            return Decision(verdict=Verdict.REFUSE, detail=f"no rule grants {name}")
        if name in self.asked:
            return Decision(verdict=Verdict.ASK)
        return Decision(verdict=Verdict.ALLOW)

    def sees_everything(self, caller: Caller) -> bool:
        """Tell what the test says."""
        return self.admin


@dataclass
class FakeRegistry:
    """Tools by name; a test may change them while calls run."""

    tools: dict[str, Tool] = field(default_factory=dict)

    def find(self, name: str) -> Tool | None:
        """Return the tool as it is now."""
        return self.tools.get(name)

    def names(self) -> Iterable[str]:
        """Return all names."""
        return list(self.tools)


@dataclass
class Home:
    """A door with fake tools behind it."""

    policy: FakePolicy = field(default_factory=FakePolicy)
    hooks: Hooks = field(default_factory=Hooks)
    registry: FakeRegistry = field(default_factory=FakeRegistry)
    log: Log = field(default_factory=Log)
    records: list[CallRecord] = field(default_factory=list)
    door: Door = field(init=False)

    def __post_init__(self) -> None:
        """Build the door."""
        self.door = Door(registry=self.registry, policy=self.policy, hooks=self.hooks)

    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Be the journal."""
        self.records.extend(records)

    def tool(
        self,
        name: str,
        *,
        seconds: float = 0.0,
        work: Work | None = None,
        keys: Callable[[Arguments], frozenset[str] | None] | None = None,
        narrowed: bool = False,
        parallel_safe: bool = True,
        cancellable: bool = True,
        timeout: float | None = None,
        untimed: bool = False,
        parameters: dict[str, object] | None = None,
    ) -> FakeTool:
        """Add a tool; parallel safe and without keys unless told otherwise."""
        tool = FakeTool(
            definition=ToolDefinition(
                name=name,
                parallel_safe=parallel_safe,
                cancellable=cancellable,
                timeout=timeout,
                untimed=untimed,
                parameters=parameters or {},
            ),
            log=self.log,
            seconds=seconds,
            work=work,
            narrowed=narrowed,
        )
        if keys is not None:
            tool.keys = keys
        self.registry.tools[name] = tool
        return tool

    def batch(self, *calls: ToolCall | str, caller: Caller = ANYONE) -> Batch:
        """Open a batch; a text is a call without arguments."""
        made = [
            ToolCall(tool=call, id=str(index)) if isinstance(call, str) else call
            for index, call in enumerate(calls)
        ]
        return Batch(
            door=self.door, journal=self, caller=caller, calls=made, batch_id="batch"
        )

    async def run(self, *calls: ToolCall | str) -> BatchResult:
        """Run a batch."""
        return await self.batch(*calls).run()
