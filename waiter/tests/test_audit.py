"""The audit log: every decision on a line, and not for ever."""

from __future__ import annotations

import json
from pathlib import Path
import stat

from conftest import EVERYTHING

from homeagent_waiter.audit import AuditLog, entry
from homeagent_waiter.executor import Outcome
from homeagent_waiter.gate import decide

OUTCOME = Outcome(
    stdout="x", stderr="", exit_code=0, exit_codes=(0,), truncated=False, duration=0.0125,
    stdout_bytes=5, stderr_bytes=2,
)  # fmt: skip


def lines(file: Path) -> list[dict[str, object]]:
    """Return what a log holds."""
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_decision_is_kept(tmp_path: Path) -> None:
    """Time, request, who, line, decision and code, exit codes, bytes, ms."""
    log = AuditLog(tmp_path / "state", size=100_000, files=2)
    for line, outcome in (("ls", OUTCOME), ("rm\nx", None)):
        decision = decide(line, EVERYTHING)
        log.write(entry(line, decision, outcome, request="7", who="admin"))
    ran, refused = lines(tmp_path / "state/audit.jsonl")
    assert ran.pop("time")
    assert ran == {
        "request": "7", "who": "admin", "line": "ls", "decision": "accept", "stage": None,
        "code": None, "exit_codes": [0], "bytes": 7, "ms": 12, "note": None,
    }  # fmt: skip
    assert (refused["line"], refused["decision"]) == ("rm\nx", "refuse")
    assert (refused["stage"], refused["code"]) == ("lexer", "line")


def test_log_is_rotated(tmp_path: Path) -> None:
    """The youngest are kept, in files that only their user may read."""
    folder = tmp_path / "state"
    log = AuditLog(folder, size=1000, files=3)
    for number in range(40):
        log.write(entry("ls", decide("ls", EVERYTHING), request=str(number), who="x"))
    files = sorted(folder.iterdir(), key=lambda file: file.name, reverse=True)
    assert [file.name for file in files] == [
        "audit.jsonl.2",
        "audit.jsonl.1",
        "audit.jsonl",
    ]
    assert all(file.stat().st_size <= 1000 for file in files)
    kept = [int(str(each["request"])) for file in files for each in lines(file)]
    assert kept == list(range(kept[0], 40))
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
