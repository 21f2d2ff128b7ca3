"""`seq_call` and `seq_when_call`, for a dry run: what exists besides the fake tools.

They are declared as in the integration. Their work is the engine's; what the integration
adds to it concerns callers from outside, of which there are none here.
"""

from collections.abc import Iterable, Mapping

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Invocation,
    Tool,
)
from custom_components.homeagent.kernel.function_tool import FunctionTool
from custom_components.homeagent.sequence.conditions import parse_condition
from custom_components.homeagent.sequence.engine import Engine
from custom_components.homeagent.tools.sequence_definitions import (
    SEQ_CALL,
    SEQ_WHEN_CALL,
)


def calls_by_name(engine: Engine) -> Iterable[Tool]:
    """Make the two tools that call by name."""

    async def work(invocation: Invocation) -> object:
        arguments = invocation.arguments
        when = arguments.get("when")
        return await engine.call_target(
            invocation.caller,
            arguments["target"],
            _inputs(arguments),
            # An entry's own condition is judged by now; what comes here is "true".
            when=parse_condition(when) if isinstance(when, str) else None,
        )

    def judge(arguments: Arguments, caller: Caller) -> CallFacts:
        return engine.facts_of(caller, arguments["target"], _inputs(arguments))

    for definition in (SEQ_CALL, SEQ_WHEN_CALL):
        yield FunctionTool(definition=definition, work=work, judge=judge)


def _inputs(arguments: Arguments) -> Mapping[str, object]:
    args = arguments.get("args")
    return args if isinstance(args, Mapping) else {}
