"""The report of a run, for the person who started it in the editor.

Above `wording`; pure: reads the JSON form of page 2 §2.4. Whatever came out of tools is
data and cannot become markup.
"""

from collections.abc import Iterator, Mapping
import json
from typing import Final

from ..sequence.report import Status
from .markdown import alert, code_block, escaped
from .wording import Wording

_KINDS: Final = {
    "ok": "tip",
    "partial": "warning",
    "failed": "caution",
    "cancelled": "caution",
}
"""The box in which a run's status is told."""

_STATUSES: Final = frozenset(map(str, Status))


def report_markdown(report: object, text: str, wording: Wording) -> str:
    """Return a report as a box with its status, and a line for each group and tool.

    `text` is told where there is no report: the run was refused.
    """
    if not isinstance(report, Mapping) or report.get("status") not in _KINDS:
        return alert("caution", escaped(wording("status_failed")), [escaped(text)])
    duration = report.get("duration")
    seconds = f"{duration:.2f}" if isinstance(duration, int | float) else "?"
    title = wording("ran", status=_status(report, wording), seconds=seconds)
    errors = [escaped(_error(each)) for each in _rows(report, "errors")]
    blocks = [alert(_KINDS[report["status"]], escaped(title), errors)]
    blocks += ["\n".join(_group(group, wording)) for group in _rows(report, "groups")]
    out = report.get("out")
    if isinstance(out, Mapping) and any(out.values()):
        told = json.dumps(out, ensure_ascii=False, indent=2, default=str)
        blocks.append(code_block(told, "json"))
    return "\n\n".join(blocks)


def _status(row: Mapping[str, object], wording: Wording) -> str:
    status = row.get("status")
    return wording(f"status_{status}") if status in _STATUSES else str(status)


def _group(group: Mapping[str, object], wording: Wording) -> Iterator[str]:
    why = f" ({group['why']})" if group.get("why") else ""
    told = escaped(f"{_status(group, wording)}{why}")
    yield f"**{escaped(str(group.get('name')))}**: {told}"
    tools = _rows(group, "tools")
    if len(tools) > 1 and group.get("parallel") is False and group.get("parallel_why"):
        yield f"- {escaped(wording('in_order', why=str(group['parallel_why'])))}"
    for tool in tools:
        error = tool.get("error")
        line = f"{tool.get('tool')}: {_status(tool, wording)}"
        if isinstance(error, Mapping):
            line += f": {_error(error)}"
        yield f"- {escaped(line)}"
        yield from (f"  - {escaped(each)}" for each in _texts(tool, "warnings"))


def _error(error: Mapping[str, object]) -> str:
    parts = (str(error.get(key) or "") for key in ("detail", "hint"))
    return " ".join(
        part if part.endswith(".") else f"{part}." for part in parts if part
    )


def _rows(value: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    rows = value.get(key)
    listed = rows if isinstance(rows, list) else []
    return [row for row in listed if isinstance(row, Mapping)]


def _texts(value: Mapping[str, object], key: str) -> list[str]:
    texts = value.get(key)
    return [str(text) for text in texts] if isinstance(texts, list) else []
