"""HomeAgent's two ways to run several actions: a batch and a sequence.

Above `home`. Both go through HomeAgent's own actions, as an automation's call does, so
everything that a caller waits for is in the time.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from .figure import BenchmarkError
from .home import Home

type Call = Mapping[str, object]


def call(tool: str, arguments: Mapping[str, object]) -> Call:
    """Return one call of a batch."""
    return {"tool": tool, "arguments": arguments}


def batch_run(home: Home, calls: Sequence[Call]) -> Callable[[], Awaitable[object]]:
    """Return what runs `homeagent.call_tools` and gives its response."""

    async def run() -> object:
        return await home.act("call_tools", {"calls": list(calls)})

    return run


def check_batch(*, parallel: bool) -> Callable[[object], None]:
    """Return a check: the batch succeeded, and ran the way it should."""

    def check(answer: object) -> None:
        match answer:
            case {"success": True, "parallel": how} if how is parallel:
                return
        raise BenchmarkError(f"the batch should have succeeded: {str(answer)[:500]}")

    return check


async def sequence_run(
    home: Home,
    name: str,
    groups: Sequence[Mapping[str, object]],
    args: Mapping[str, object],
) -> Callable[[], Awaitable[object]]:
    """Create a sequence; return what runs it and gives its report."""
    data = {"name": name, "groups": [dict(group) for group in groups]}
    made = await home.act("seq_create", data)
    if made.get("success") is not True:
        raise BenchmarkError(f"the sequence was refused: {str(made)[:500]}")

    async def run() -> object:
        return await home.act("seq_run", {"name": name, "args": dict(args)})

    return run


def check_report(*, parallel: bool) -> Callable[[object], None]:
    """Return a check: the run is ok, and all its groups ran the way they should."""

    def check(answer: object) -> None:
        match answer:
            case {"status": "ok", "groups": [*groups]} if all(
                group["parallel"] is parallel for group in groups
            ):
                return
        raise BenchmarkError(f"the run should have been ok: {str(answer)[:500]}")

    return check
