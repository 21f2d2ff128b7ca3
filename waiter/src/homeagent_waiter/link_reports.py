"""Link: fixed reports, so that nobody needs to know a command (design page 4 §4.4).

Figures that psutil has come from there; everything else through the same gate as any
command, with the owner's list: a report never reads what its owner did not allow. What
a system does not have is left out, and said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
import re

from . import metrics
from .link_work import Answer, Request

_BLOCK = Path("/sys/block")
_DISK = re.compile(r"(sd[a-z]{1,3}|nvme\d{1,3}n\d{1,3}|mmcblk\d{1,2})")
MOST_DISKS = 32
CPU_SECONDS = 0.5
"""How long processes are watched to see which are busy."""

Run = Callable[[Request], Awaitable[Answer]]


def lines_of(kind: str) -> list[str]:
    """Return the command lines of a report, each with what another cannot tell."""
    if kind == "smart":
        # A sleeping disk is left alone by -n standby.
        return [f"smartctl -n standby -H -A /dev/{name}" for name in disk_names()]
    return _LINES.get(kind, [])


_LINES = {
    "raid": ["cat /proc/mdstat", "zpool status", "zpool list"],
    "services": ["systemctl --failed --no-pager"],
    "errors": [
        "journalctl -p err -n 50 --no-pager",
        "dmesg --level=err,crit,alert,emerg",
    ],
    "containers": ["docker ps -a"],
}
_FIRST_ONLY = frozenset({"errors"})
"""Reports whose lines are one another's stand-in."""


def disk_names(folder: Path = _BLOCK) -> list[str]:
    """Return the names of the real disks."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return []
    return sorted(name for name in names if _DISK.fullmatch(name))[:MOST_DISKS]


async def report(request: Request, run: Run) -> Answer:
    """Make a report; ``run`` answers a command. ``request.report`` is its kind."""
    kind = request.report or ""
    if kind == "disks":
        return {"report": {"kind": kind, "disks": await _thread(metrics.disks)}}
    if kind == "processes":
        await _thread(metrics.busiest)
        await asyncio.sleep(CPU_SECONDS)
        return {"report": {"kind": kind, "processes": await _thread(metrics.busiest)}}
    return await _by_commands(kind, request, run)


async def _by_commands(kind: str, request: Request, run: Run) -> Answer:
    parts: list[dict[str, object]] = []
    missing: list[str] = []
    for line in lines_of(kind):
        answer = await run(replace(request, command=line, report=None))
        outcome = answer.get("outcome")
        if not isinstance(outcome, dict):
            if _is_for_all(answer):
                return answer
            missing.append(f"{line}: {_why(answer)}")
            continue
        text = outcome["stdout"] or outcome["stderr"]
        parts.append({"source": line, "text": text, "exit_code": outcome["exit_code"]})
        if kind in _FIRST_ONLY and outcome["exit_code"] == 0:
            break
    if parts:
        return {"report": {"kind": kind, "parts": parts, "missing": missing}}
    return _nothing(kind, missing)


def _nothing(kind: str, missing: list[str]) -> Answer:
    detail = "; ".join(missing) or "this host has nothing of the kind"
    return {
        "error": {
            "code": "no_source",
            "detail": f"no report on {kind}: {detail}",
            "hint": "The owner of the host can list the command in its waiter.yaml.",
        }
    }


def _is_for_all(answer: Answer) -> bool:
    """Whether every other command would be answered in the same way."""
    refusal, error = answer.get("refusal"), answer.get("error")
    return (
        isinstance(refusal, dict) and refusal.get("code") == "remote_control_off"
    ) or (isinstance(error, dict) and error.get("code") == "no_audit")


def _why(answer: Answer) -> str:
    for key in ("refusal", "error"):
        if isinstance(held := answer.get(key), dict):
            code = held.get("code")
            return "not in the list of commands" if code == "not_allowed" else str(code)
    return "no answer"


async def _thread(
    work: Callable[[], list[dict[str, object]]],
) -> list[dict[str, object]]:
    return await asyncio.to_thread(work)
