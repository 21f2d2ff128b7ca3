"""The report of a run, for the person who started it in the editor.

Above `wording`; pure: reads the JSON form of page 2 §2.4. Whatever came out of tools is
data and cannot become markup.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from .markdown import alert, code_block, escaped
from .wording import Wording

_KINDS: Final = {"ok": "tip", "partial": "warning"}
_GOOD: Final = frozenset({"ok", "skipped", "passed_by"})


def report_markdown(report: object, text: str, wording: Wording) -> str:
    """Return a report as a box with its status, and a line for each group and tool.

    `text` is told where there is no report: the run was refused.
    """
    if not isinstance(report, Mapping) or "status" not in report:
        return alert("caution", escaped(wording("status_failed")), [escaped(text)])
    status = str(report["status"])
    seconds = f"{float(report.get('duration', 0)):.2f}"
    title = wording("ran", status=wording(f"status_{status}"), seconds=seconds)
    errors = [escaped(_error(each)) for each in _rows(report, "errors")]
    blocks = [alert(_KINDS.get(status, "caution"), escaped(title), errors)]
    blocks += ["\n".join(_group(group, wording)) for group in _rows(report, "groups")]
    out = report.get("out")
    if isinstance(out, Mapping) and any(out.values()):
        blocks.append(code_block(_json(out), "json"))
    return "\n\n".join(blocks)


def _group(group: Mapping[str, object], wording: Wording) -> Iterator[str]:
    status = wording(f"status_{group['status']}")
    why = f" ({group['why']})" if group.get("why") else ""
    yield f"**{escaped(str(group['name']))}**: {escaped(f'{status}{why}')}"
    if group.get("parallel") is False and group.get("parallel_why"):
        yield f"- {escaped(wording('in_order', why=str(group['parallel_why'])))}"
    for tool in _rows(group, "tools"):
        told = str(tool["status"])
        error = tool.get("error")
        line = f"{tool['tool']}: {wording(f'status_{told}')}"
        if isinstance(error, Mapping):
            line += f": {_error(error)}"
        yield f"- {escaped(line)}"
        for warning in _texts(tool, "warnings"):
            yield f"  - {escaped(warning)}"


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


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, indent=2)
