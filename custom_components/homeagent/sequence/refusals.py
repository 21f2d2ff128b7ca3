"""What access would surely refuse, told before the first tool runs (page 2 §2.4).

Below `engine`; imports the kernel and the engine's pure parts. Of refusals only what is
certain counts: calls that no condition prevents, with the arguments they will have. A
person is asked for all that may need a yes, once, before anything runs (page 1 §1.6).
"""

from functools import reduce
from itertools import islice

from ..kernel.agreements import agreed_call
from ..kernel.contract import Agreed, Arguments, Caller, Tool, Verdict
from ..kernel.errors import Reason, ToolError
from ..kernel.records import record
from .model import CALL_TOOLS, Group
from .ports import MayUse
from .preflight import Preflight
from .reach import MOST_REACHED, Reach, Reached
from .report import PlacedError
from .run_words import say
from .scope import Callee, Place


@record
class Looked:
    """What stands before a run: what is refused, and what a person must agree to.

    `asks` are the calls as they will be made; `steps` tells them to people.
    """

    refused: tuple[PlacedError, ...] = ()
    asks: frozenset[Agreed] = frozenset()
    steps: tuple[str, ...] = ()

    def unconfirmed(self) -> PlacedError:
        """Return the one error that asks for all of them."""
        error = ToolError(
            reason=Reason.UNCONFIRMED,
            detail=say("agree_first", steps=reduce(_and, self.steps)),
            hint="Ask the person; only their own yes can release the run.",
        )
        return PlacedError(error=error)


def look_ahead(
    callee: Callee,
    flight: Preflight,
    place: Place,
    caller: Caller,
    reach: Reach,
    may_use: MayUse,
) -> Looked:
    """Go through all calls that a run may come to.

    Groups whose inputs are wrong are left out: nothing is certain of them.
    """
    refused: list[PlacedError] = []
    asks: dict[Agreed, None] = {}
    steps: dict[str, None] = {}
    granted: dict[str, bool] = {}
    wrong = {placed.group for placed in flight.errors}
    for group in callee.groups:
        if not callee.runs(group) or group.name in wrong:
            continue
        if _is_granted(group, caller, reach, may_use, granted):
            continue
        reached = reach.of_group(group, flight.inputs[group.name], place)
        for each in islice(reached, MOST_REACHED):
            match _judged(each, caller, may_use):
                case ToolError() as error:
                    refused.append(PlacedError(error=error, group=group.name))
                case Agreed() as needed:
                    asks[needed] = None
                    step = say("step_in_group", tool=each.entry.tool, group=group.name)
                    steps[step] = None
                case _:
                    pass
    return Looked(refused=tuple(refused), asks=frozenset(asks), steps=tuple(steps))


def _and(done: str, one: str) -> str:
    return say("steps", first=done, following=one)


def _is_granted(
    group: Group,
    caller: Caller,
    reach: Reach,
    may_use: MayUse,
    known: dict[str, bool],
) -> bool:
    """Whether access allows all that a group may call, whatever the arguments.

    What a call by name reaches must be looked for. `known` keeps the answers by tool.
    """
    for entry in group.tools:
        name = entry.tool
        if name not in known:
            tool = reach.tools.find(name)
            known[name] = name not in CALL_TOOLS and (
                tool is None or may_use(caller, tool, None).always
            )
        if not known[name]:
            return False
    return True


def _judged(
    reached: Reached, caller: Caller, may_use: MayUse
) -> Agreed | ToolError | None:
    tool = reached.tool
    if tool is None:
        return None
    arguments = _checked(tool, reached.arguments)
    decision = may_use(caller, tool, arguments)
    if decision.verdict is Verdict.ASK:
        if arguments is None and reached.arguments is not None:
            return None  # wrong arguments: the call will fail whoever agrees
        reduced = decision.arguments
        return agreed_call(
            tool.definition.name, arguments if reduced is None else reduced
        )
    if decision.verdict is Verdict.ALLOW or not reached.certain:
        return None
    return ToolError(
        reason=Reason.UNAUTHORIZED,
        field=reached.entry.tool,
        detail=decision.detail or say("tool_refused", tool=reached.entry.tool),
        hint="Ask an administrator of this home for access.",
    )


def _checked(tool: Tool, arguments: Arguments | None) -> Arguments | None:
    """Return arguments as the door will judge them; None where they are not known."""
    if arguments is None:
        return None
    checked = tool.check(arguments)
    return None if checked.problems else checked.arguments
