"""The sequence tools that run: `seq_run`, `seq_call`, `seq_when_call`.

Above the engine; reached through the door like every tool.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace

from ..kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Entrance,
    Invocation,
    Policy,
    Tool,
    ToolOutput,
)
from ..kernel.errors import Reason, ToolError
from ..kernel.function_tool import FunctionTool
from ..kernel.names import nearest
from ..kernel.phrases import Phrase
from ..kernel.rendering import render_value
from ..sequence.conditions import parse_condition
from ..sequence.engine import Engine
from ..sequence.failures import LanguageError
from ..sequence.model import Condition
from ..sequence.outputs import masked_output, run_output
from ..sequence.report import RunReport
from ..sequence.runs import Run
from . import sequence_definitions as definitions
from .history import History
from .history_entries import who

MODELS_WAIT = 50.0
"""Seconds that a model waits for a run before it gets the run's id instead."""

_MODELS = frozenset({Entrance.CONVERSATION, Entrance.MCP})

type NamesFor = Callable[[Caller], Iterable[str]]
type StartTask = Callable[
    [Coroutine[object, object, RunReport], str], asyncio.Task[RunReport]
]


class SequenceRunning:
    """Runs sequences, and tells of runs."""

    def __init__(
        self,
        *,
        engine: Engine,
        policy: Policy,
        history: History,
        start_task: StartTask,
        new_id: Callable[[], str],
        names: NamesFor,
    ) -> None:
        """Take what runs sequences, and what starts a task of its own.

        `names` are those of the sequences that a caller may run.
        """
        self._engine = engine
        self._policy = policy
        self._history = history
        self._start_task = start_task
        self._new_id = new_id
        self._names = names

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            FunctionTool(
                definition=definitions.SEQ_RUN, work=self.run, judge=self._run_facts
            ),
            FunctionTool(
                definition=definitions.SEQ_CALL, work=self.call, judge=self._call_facts
            ),
            FunctionTool(
                definition=definitions.SEQ_WHEN_CALL,
                work=self.call,
                judge=self._call_facts,
            ),
        ]

    async def run(self, invocation: Invocation) -> object:
        """Run a sequence, or tell of a run."""
        arguments = invocation.arguments
        if ("name" in arguments) == ("run_id" in arguments):
            return _one_of_two("name" in arguments)
        if "run_id" in arguments:
            return await self._tell(invocation.caller, arguments)
        if arguments.get("cancel"):
            return _cancel_needs_run()
        callee = self._engine.find(str(arguments["name"]))
        if isinstance(callee, ToolError):
            found = self._with_near(callee, invocation.caller, arguments["name"])
            return replace(found, reason=Reason.VALUE, field="name")
        run_id = self._new_id()
        work = self._engine.run(
            callee.sequence,
            _inputs(arguments),
            invocation.caller,
            run_id=run_id,
            group=None if callee.group is None else callee.group.name,
        )
        return await self._follow(invocation, work, run_id)

    async def _follow(
        self,
        invocation: Invocation,
        work: Coroutine[object, object, RunReport],
        run_id: str,
    ) -> ToolOutput:
        caller = invocation.caller
        wait = invocation.arguments.get("wait", True)
        if wait and caller.entrance not in _MODELS:
            return self._output(caller, await work)
        task = self._start_task(work, f"homeagent run {run_id}")
        if wait:
            patience = _patience(invocation.timeout)
            try:
                await asyncio.wait({task}, timeout=patience)
            except asyncio.CancelledError:
                task.cancel()
                raise
        if task.done():
            return self._output(caller, task.result())
        run = self._engine.runs.get(run_id)
        return self._state(caller, run)

    async def _tell(self, caller: Caller, arguments: Arguments) -> object:
        run_id = str(arguments["run_id"])
        run = self._engine.runs.get(run_id)
        if run is None:
            return self._told_before(caller, run_id)
        if not self._may_see(caller, who(run.caller)):
            return _unknown_run(run_id)
        if arguments.get("cancel") and run.cancel():
            await run.wait()
        return self._state(caller, run)

    def _told_before(self, caller: Caller, run_id: str) -> object:
        """Tell of a run out of the history; its values are for administrators."""
        entry = self._history.find(run_id)
        if entry is None or not self._may_see(caller, entry["caller"]):
            return _unknown_run(run_id)
        report = entry["report"]
        if not self._policy.sees_everything(caller) and isinstance(report, dict):
            report = {key: part for key, part in report.items() if key != "out"}
        return ToolOutput(value=report, text=render_value(report))

    def _may_see(self, caller: Caller, other: object) -> bool:
        return self._policy.sees_everything(caller) or who(caller) == other

    def _state(self, caller: Caller, run: Run | None) -> ToolOutput:
        if run is None:
            raise RuntimeError("a run that was started is not known")
        if run.report is not None:
            return self._output(caller, run.report)
        told: dict[str, object] = {
            "run_id": run.id,
            "sequence": run.sequence,
            "status": "running",
            "group": run.group,
        }
        text = f"{run.sequence} is running; ask for its result with run_id {run.id}"
        return ToolOutput(value=told, text=text)

    def _output(self, caller: Caller, report: RunReport) -> ToolOutput:
        seen = self._policy.sees_everything(caller)
        return run_output(report if seen else report.masked())

    async def call(self, invocation: Invocation) -> object:
        """Make a call by name, for `seq_when_call` if its condition is true."""
        arguments = invocation.arguments
        when = _condition(arguments.get("when"))
        if isinstance(when, ToolError):
            return when
        caller = invocation.caller
        output = await self._engine.call_target(
            caller, arguments["target"], _inputs(arguments), when=when
        )
        if isinstance(output, ToolError):
            return self._with_near(output, caller, arguments["target"])
        # Inside a run the engine needs the true reasons; they are masked at its end.
        if caller.run is not None or self._policy.sees_everything(caller):
            return output
        return masked_output(output)

    def _with_near(self, error: ToolError, caller: Caller, target: object) -> ToolError:
        """Return the error of a name that no sequence has, with what may be meant."""
        detail = error.detail
        if not isinstance(detail, Phrase) or detail.code != "no_sequence":
            return error
        name = str(target).strip().removeprefix("#").partition("/")[0]
        near = nearest(name, self._names(caller))
        if not near:
            return error
        return replace(
            error,
            detail=detail.naming(near=" / ".join(near)),
            hint=f"Did you mean {' or '.join(near)}? {error.hint}",
        )

    def _run_facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        if "name" not in arguments:
            return CallFacts(parallel_safe=not arguments.get("cancel"))
        name = str(arguments["name"])
        target = name if name.strip().startswith("#") else f"#{name}"
        return self._engine.facts_of(caller, target, _inputs(arguments))

    def _call_facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        return self._engine.facts_of(caller, arguments["target"], _inputs(arguments))


def _patience(limit: float | None) -> float:
    """Return the seconds to wait: a little less than the door does."""
    return MODELS_WAIT if limit is None else min(MODELS_WAIT, limit * 0.9)


def _inputs(arguments: Arguments) -> Mapping[str, object]:
    args = arguments.get("args")
    return args if isinstance(args, Mapping) else {}


def _condition(text: object) -> Condition | ToolError | None:
    if not isinstance(text, str):
        return None
    try:
        return parse_condition(text)
    except LanguageError as err:
        return ToolError(
            reason=Reason.CONDITION,
            field="when",
            detail=err.problem.message,
            hint=err.problem.hint,
        )


def _one_of_two(both: bool) -> ToolError:
    given = "both are given" if both else "neither is given"
    return ToolError(
        reason=Reason.VALUE if both else Reason.REQUIRED,
        field="name",
        detail=f"name or run_id is needed, and {given}",
        hint="Give the name of a sequence to run it, or the run_id of a run.",
    )


def _cancel_needs_run() -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="cancel",
        detail="cancel is given with a name",
        hint="Give the run_id of the run to cancel.",
    )


def _unknown_run(run_id: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="run_id",
        detail=f"there is no run {run_id[:64]!r} of yours",
        hint="Run ids come from seq_run; only the last runs are kept.",
    )
