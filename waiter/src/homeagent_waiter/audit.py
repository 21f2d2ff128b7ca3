"""The audit log: one JSON object a line for every decision, rotated by size.

Sits beside the executor; decides nothing. The file belongs to its user alone (0600).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
import json
import os
from pathlib import Path
from typing import Any

from .executor import Outcome
from .gate.plan import Plan, Refusal

NAME = "audit.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One decision. ``ms`` is how long it ran, ``None`` where nothing ran."""

    request: str
    who: str
    line: str
    decision: str
    stage: str | None = None
    code: str | None = None
    exit_codes: tuple[int | None, ...] | None = None
    bytes: int | None = None
    ms: int | None = None
    note: str | None = None


def entry(
    line: str,
    decision: Plan | Refusal,
    outcome: Outcome | None = None,
    *,
    request: str,
    who: str,
    note: str | None = None,
) -> Entry:
    """Return the entry of a decision and of what came of it."""
    if isinstance(decision, Refusal):
        return Entry(
            request=request,
            who=who,
            line=line,
            decision="refuse",
            stage=decision.stage,
            code=decision.code,
            note=note,
        )
    ran: dict[str, Any] = {}
    if outcome is not None:
        ran = {
            "exit_codes": outcome.exit_codes,
            "bytes": outcome.stdout_bytes + outcome.stderr_bytes,
            "ms": round(outcome.duration * 1000),
        }
    return Entry(
        request=request, who=who, line=line, decision="accept", note=note, **ran
    )


class AuditLog:
    """Writes entries to ``folder``; keeps ``files`` of at most ``size`` bytes."""

    def __init__(self, folder: Path, *, size: int, files: int) -> None:
        self._path = folder / NAME
        self._size = size
        self._files = files

    def write(self, what: Entry) -> None:
        """Append an entry. Raises ``OSError`` when it cannot be kept."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        record = {"time": now} | asdict(what)
        text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
        data = text.encode() + b"\n"
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._rotate(len(data))
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        opened = os.open(self._path, flags, 0o600)
        try:
            if os.geteuid() == 0:
                # What root writes in a service's folder must be that service's.
                folder = self._path.parent.stat()
                os.fchown(opened, folder.st_uid, folder.st_gid)
            os.write(opened, data)
        finally:
            os.close(opened)

    def _rotate(self, more: int) -> None:
        """Make room: the oldest file goes, each other moves on by one."""
        try:
            if self._path.stat().st_size + more <= self._size:
                return
        except FileNotFoundError:
            return
        kept = [self._path, *(self._numbered(n) for n in range(1, self._files))]
        for younger, older in reversed(list(pairwise(kept))):
            if younger.exists():
                younger.replace(older)
        self._path.unlink(missing_ok=True)

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{NAME}.{number}")
