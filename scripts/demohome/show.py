"""A run's report as a person reads it, and a refused sequence; imports jsonish, plan.

Pure: takes data, returns lines. Every number comes from the report, but the places
where bars begin, which come from Home Assistant's event bus (`starts`).
"""

from collections.abc import Iterator, Mapping
import json

from .jsonish import JsonObject, as_list, as_number, as_object, as_objects
from .plan import Entry, target
from .starts import Starts

_WIDTH = 30
_LABEL = 45


def report_lines(
    report: JsonObject, entries: Mapping[str, tuple[Entry, ...]], starts: Starts
) -> Iterator[str]:
    """Tell a run: each group, what ran at the same time and how long, the outputs."""
    total = as_number(report["duration"], "the run's duration")
    yield f"{report['sequence']}: {report['status']} in {_time(total)}"
    for error in as_objects(report["errors"], "the errors of the run"):
        yield from _indent(problem_lines(error), 2)
    for group in as_objects(report["groups"], "the groups of the run"):
        yield ""
        yield from _indent(_group_lines(group, entries, starts, total, _LABEL), 2)
    out = as_object(report["out"], "the outputs of the run")
    written = {name: slots for name, slots in out.items() if slots}
    if written:
        yield ""
        yield "  Outputs"
        for name, slots in written.items():
            for slot, value in as_object(slots, "the outputs of a group").items():
                text = json.dumps(value, ensure_ascii=False)
                yield f"    {name}.{slot} = {text}"


def problem_lines(error: JsonObject) -> Iterator[str]:
    """Tell one error, then what to do about it, then those it lists besides."""
    place = f" at {error['field']}" if error.get("field") else ""
    first, *more = str(error.get("detail") or "no details").splitlines()
    yield f"{error['reason']}{place}: {first}"
    yield from _indent(iter(more), 2)
    if error.get("hint"):
        yield f"  -> {error['hint']}"
    for other in as_list(error.get("also") or [], "the further errors"):
        yield from problem_lines(as_object(other, "a further error"))


def overlap(group: JsonObject) -> tuple[float, float]:
    """Return the sum of a group's tool durations and its own duration, in seconds."""
    tools = as_objects(group["tools"], "the tools of a group")
    spent = sum(as_number(tool["duration"], "a duration") for tool in tools)
    return spent, as_number(group["duration"], "a group's duration")


def _group_lines(
    group: JsonObject,
    entries: Mapping[str, tuple[Entry, ...]],
    starts: Starts,
    total: float,
    width: int,
) -> Iterator[str]:
    name = str(group["name"])
    tools = as_objects(group["tools"], "the tools of a group")
    spent, duration = overlap(group)
    if not any(tool["attempts"] for tool in tools):
        status = str(group["status"]).replace("_", " ")
        yield f"{name}: {status}{_why(group.get('why'))}"
        return
    order = _order(group, len(tools))
    yield f"{name}: {group['status']}, {order}, {_time(duration)}"
    for tool in tools:
        lines = _tool_lines(name, tool, entries, starts, total, width - 2)
        yield from _indent(lines, 2)
    if group["parallel"] is True and len(tools) > 1:
        yield (
            f"  The durations of its {len(tools)} actions add up to {_time(spent)}; "
            f"together they took {_time(duration)}."
        )


def _order(group: JsonObject, count: int) -> str:
    if count == 1:
        return "1 action"
    if group["parallel"] is True:
        return f"{count} actions at the same time"
    return f"{count} actions one after the other{_why(group.get('parallel_why'))}"


def _tool_lines(
    group: str,
    tool: JsonObject,
    entries: Mapping[str, tuple[Entry, ...]],
    starts: Starts,
    total: float,
    width: int,
) -> Iterator[str]:
    index = int(as_number(tool["index"], "a tool's index"))
    duration = as_number(tool["duration"], "a tool's duration")
    label = _label(str(tool["tool"]), entries[group][index])
    bar = _bar(starts.get((group, index)), duration, total)
    status = str(tool["status"]).replace("_", " ")
    yield f"{label:<{width}} {status:<8}{_time(duration):>7}  {bar}".rstrip()
    if tool["error"] is not None:
        yield from _indent(problem_lines(as_object(tool["error"], "an error")), 2)
    for warning in as_list(tool["warnings"], "the warnings of a tool"):
        yield f"  warning: {warning}"
    if tool["run"] is not None:
        run = as_object(tool["run"], "a nested report")
        for inner in as_objects(run["groups"], "the groups of a nested report"):
            lines = _group_lines(inner, entries, starts, total, width - 2)
            yield from _indent(lines, 2)


def _label(tool: str, entry: Entry) -> str:
    entity = target(entry)
    return tool if entity is None else f"{tool} {entity.partition('.')[2]}"


def _bar(start: float | None, duration: float, total: float) -> str:
    """Draw a tool on a line as long as the run; nothing where its start is unknown."""
    if start is None or total <= 0:
        return ""
    scale = _WIDTH / total
    left = min(round(start * scale), _WIDTH - 1)
    length = min(max(round(duration * scale), 1), _WIDTH - left)
    return f"|{' ' * left}{'=' * length}{' ' * (_WIDTH - left - length)}|"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.0995 else f"{seconds * 1000:.1f} ms"


def _why(reason: object) -> str:
    return f" ({reason})" if reason else ""


def _indent(lines: Iterator[str], width: int) -> Iterator[str]:
    return (f"{' ' * width}{line}" if line else line for line in lines)
