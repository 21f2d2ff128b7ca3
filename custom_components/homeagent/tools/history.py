"""What ran, kept for later: the last runs of each sequence and the last batches.

Takes records and runs as they are and brings them into JSON only when somebody reads or
stores them, without secrets. Knows no storage; `storage` has that (page 5 §5.6).
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
import json
from typing import Final, override

from ..kernel.contract import ToolCall, ToolRegistry
from ..kernel.journal import CallRecord, Journal
from ..sequence.names import folded
from ..sequence.runs import Run
from ..sequence.scope import scope_of
from .history_entries import Entry, batch_entry, run_entry, shorten
from .tool_call import ToolCalling

MOST_RUNS: Final = 50
"""Runs kept of each sequence."""

MOST_BATCHES: Final = 500
MOST_BYTES_OF_RUNS: Final = 3 * 1024 * 1024
MOST_BYTES_OF_BATCHES: Final = 1024 * 1024
"""Bytes of JSON that are kept in all; the oldest go first."""


@dataclass(slots=True, kw_only=True, eq=False)
class _Kept:
    """An entry, made when it is first asked for; `size` is its JSON's length."""

    make: Callable[[], Entry] | None
    run_id: str | None = None
    data: Entry = field(default_factory=dict)
    size: int = 0

    def get(self) -> Entry:
        if self.make is not None:
            self.data = self.make()
            self.size = len(json.dumps(self.data))
            self.make = None  # It holds on to all that the calls returned.
        return self.data


@dataclass(slots=True, kw_only=True, eq=False)
class _RunNotes:
    """A run and what its calls were."""

    run: Run
    time: str
    records: list[CallRecord] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOff:
    """A run that went on when Home Assistant ended, without an end of its own."""

    sequence: str
    run_id: str


class History(Journal):
    """A journal that keeps what it passes on, and the runs."""

    def __init__(
        self,
        *,
        inner: Journal,
        registry: ToolRegistry,
        now: Callable[[], datetime],
        changed: Callable[[], None],
    ) -> None:
        """Pass records on to `inner`; tell `changed` of everything new."""
        self._inner = inner
        self._registry = registry
        self._now = now
        self._changed = changed
        self._going: dict[str, _RunNotes] = {}
        self._runs: dict[str, deque[_Kept]] = {}
        self._by_id: dict[str, _Kept] = {}
        self._batches: deque[_Kept] = deque(maxlen=MOST_BATCHES)
        self._most_runs = MOST_RUNS
        self._cut_off: list[CutOff] = []

    def keep(self, *, runs: int | None, batches: int | None) -> None:
        """Keep so many runs of each sequence, and so many batches; None changes nothing.

        What is too much goes at once, the oldest first.
        """
        if runs is not None:
            self._most_runs = min(runs, MOST_RUNS)
            for kept in self._runs.values():
                self._trim(kept)
        if batches is not None:
            most = min(batches, MOST_BATCHES)
            self._batches = deque(self._batches, maxlen=most)

    @override
    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Keep the calls with their run, or as a batch."""
        self._inner.batch_ended(records)
        scope = scope_of(records[0].caller) if records else None
        if scope is not None and (notes := self._going.get(scope.run.id)):
            notes.records.extend(records)
        elif records:
            time = self._time()
            self._batches.append(
                _Kept(make=lambda: batch_entry(records, time, self._schema))
            )
            self._changed()

    def run_begun(self, run: Run) -> None:
        """Note that a run goes on: if it never ends, it was interrupted."""
        self._going[run.id] = _RunNotes(run=run, time=self._time())
        self._changed()

    def run_finished(self, run: Run) -> None:
        """Keep a run that ended, also one that did not begin."""
        notes = self._going.pop(run.id, None) or _RunNotes(run=run, time=self._time())
        report = run.report  # The run itself sheds it before long.
        self._keep(
            run.sequence,
            run.id,
            lambda: run_entry(
                notes.run, report, notes.time, notes.records, self._schema
            ),
        )
        self._changed()

    def _keep(self, sequence: str, run_id: str, make: Callable[[], Entry]) -> None:
        kept = _Kept(make=make, run_id=run_id)
        runs = self._runs.setdefault(folded(sequence), deque())
        runs.append(kept)
        self._by_id[run_id] = kept
        self._trim(runs)

    def _trim(self, runs: deque[_Kept]) -> None:
        while len(runs) > self._most_runs:
            self._forget(runs.popleft())

    def _forget(self, kept: _Kept) -> None:
        if kept.run_id is not None and self._by_id.get(kept.run_id) is kept:
            del self._by_id[kept.run_id]

    def find(self, run_id: str) -> Entry | None:
        """Return a run that ended: its report stands under `report`."""
        kept = self._by_id.get(run_id)
        return None if kept is None else kept.get()

    def runs(self) -> Iterator[Entry]:
        """Go through all runs that ended, by sequence, oldest first."""
        for kept in self._by_id.values():
            yield kept.get()

    def batches(self) -> Iterator[Entry]:
        """Go through the batches, oldest first."""
        for kept in self._batches:
            yield kept.get()

    def figures(self) -> dict[str, int]:
        """Return how many runs and batches are kept, and the bytes of their JSON."""
        kept = [*self._by_id.values(), *self._batches]
        return {
            "runs": len(self._by_id),
            "batches": len(self._batches),
            "bytes": sum(len(json.dumps(one.get())) for one in kept),
        }

    def export(self) -> dict[str, list[Entry]]:
        """Return what is to be stored, within its bounds; drops what is too old."""
        self._shrink()
        going = [
            run_entry(notes.run, None, notes.time, notes.records, self._schema)
            for notes in self._going.values()
        ]
        return {"runs": [*self.runs(), *going], "batches": list(self.batches())}

    def _shrink(self) -> None:
        """Drop what is too old; batches never push out runs."""
        for kept, most in (
            (list(self._by_id.values()), MOST_BYTES_OF_RUNS),
            (list(self._batches), MOST_BYTES_OF_BATCHES),
        ):
            kept.sort(key=lambda one: str(one.get()["time"]))
            total = sum(one.size for one in kept)
            for one in kept:
                if total <= most:
                    break
                total -= one.size
                self._drop(one)

    def _drop(self, kept: _Kept) -> None:
        if kept in self._batches:
            self._batches.remove(kept)
            return
        self._forget(kept)
        for runs in self._runs.values():
            if kept in runs:
                runs.remove(kept)

    def restore(self, stored: object) -> int:
        """Take over what was stored; return how many entries could not be read.

        A run that went on when Home Assistant ended was cancelled by that.
        """
        unread = 0
        data = stored if isinstance(stored, Mapping) else {}
        for entry in _entries(data.get("runs")):
            run_id, sequence = entry.get("run_id"), entry.get("sequence")
            if isinstance(run_id, str) and isinstance(sequence, str):
                whole = _ended(entry)
                if whole is not entry:
                    self._cut_off.append(CutOff(sequence=sequence, run_id=run_id))
                self._keep(sequence, run_id, partial(dict, whole))
            else:
                unread += 1
        for entry in _entries(data.get("batches")):
            self._batches.append(_Kept(make=partial(dict, entry)))
        return unread

    def take_cut_off(self) -> list[CutOff]:
        """Return the restored runs that nobody was told the end of, once, oldest first."""
        cut_off, self._cut_off = self._cut_off, []
        return cut_off

    def _time(self) -> str:
        return self._now().isoformat()

    def _schema(self, call: ToolCall) -> Mapping[str, object] | None:
        """Return the schema of a call's arguments, which says what is a secret."""
        tool = self._registry.find(shorten(call.tool))
        if isinstance(tool, ToolCalling) and isinstance(call.arguments, Mapping):
            return tool.whole_schema(call.arguments)
        return None if tool is None else tool.definition.parameters


def _entries(stored: object) -> list[Entry]:
    if not isinstance(stored, list):
        return []
    return [entry for entry in stored if isinstance(entry, dict)]


def _ended(entry: Entry) -> Entry:
    if isinstance(entry.get("report"), dict):
        return entry
    report: Entry = {
        "run_id": entry["run_id"],
        "sequence": entry["sequence"],
        "status": "cancelled",
        "success": False,
        "duration": 0.0,
        "errors": [],
        "groups": [],
        "out": {},
        "text": f"{entry['sequence']}: cancelled, as Home Assistant ended during the run",
    }
    return {**entry, "report": report}
