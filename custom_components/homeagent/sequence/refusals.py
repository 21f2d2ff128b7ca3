"""What access would surely refuse, told before the first tool runs (page 2 §2.4).

Below `engine`; imports the kernel and the engine's pure parts. Only what is certain
counts: calls that no condition prevents, with the arguments they will have.
"""

from collections.abc import Iterator
from itertools import islice

from ..kernel.contract import Caller, Verdict
from ..kernel.errors import Reason, ToolError
from .ports import MayUse
from .preflight import Preflight
from .reach import MOST_REACHED, Reach, Reached
from .report import PlacedError
from .scope import Callee, Place


def refusals(
    callee: Callee,
    flight: Preflight,
    place: Place,
    caller: Caller,
    reach: Reach,
    may_use: MayUse,
) -> Iterator[PlacedError]:
    """Go through what would be refused, and ask once for all that needs a yes.

    Groups whose inputs are wrong are left out: nothing is certain of them.
    """
    asked: list[str] = []
    wrong = {placed.group for placed in flight.errors}
    for group in callee.groups:
        if not callee.runs(group) or group.name in wrong:
            continue
        reached = reach.of_group(group, flight.inputs[group.name], place)
        for each in islice(reached, MOST_REACHED):
            match _verdict(each, caller, may_use):
                case ToolError() as error:
                    yield PlacedError(error=error, group=group.name)
                case Verdict.ASK:
                    asked.append(f"{each.entry.tool} in {group.name}")
                case _:
                    pass
    if asked:
        yield PlacedError(error=_unconfirmed(list(dict.fromkeys(asked))))


def _verdict(reached: Reached, caller: Caller, may_use: MayUse) -> Verdict | ToolError:
    tool = reached.tool
    if tool is None or not reached.certain:
        return Verdict.ALLOW
    arguments = None
    if reached.arguments is not None:
        checked = tool.check(reached.arguments)
        arguments = None if checked.problems else checked.arguments
    decision = may_use(caller, tool, arguments)
    if decision.verdict is not Verdict.REFUSE:
        return decision.verdict
    return ToolError(
        reason=Reason.UNAUTHORIZED,
        field=reached.entry.tool,
        detail=decision.detail or f"{reached.entry.tool} is not allowed",
        hint="Ask an administrator of this home for access.",
    )


def _unconfirmed(steps: list[str]) -> ToolError:
    return ToolError(
        reason=Reason.UNCONFIRMED,
        detail=f"a person must agree first to {', '.join(steps)}",
        hint="Ask the person; only their own yes can release the run.",
    )
