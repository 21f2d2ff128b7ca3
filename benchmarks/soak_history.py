"""Whether the history after the soak tells what happened, and can be written and read.

Above `soak_home`.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
import json
from pathlib import Path

from homeassistant.util import dt as dt_util

from custom_components.homeagent.kernel.journal import NoJournal
from custom_components.homeagent.storage import KEY
from custom_components.homeagent.tools.history import (
    MOST_BYTES_OF_BATCHES,
    MOST_BYTES_OF_RUNS,
    History,
)

from .soak_home import BATCHES_KEPT, RUNS_KEPT, Soak


async def check_history(soak: Soak) -> Mapping[str, int]:
    """Note as faults what is wrong in it; return how much it keeps."""
    runtime = soak.agent.home.runtime
    figures = runtime.history.figures()
    _check_runs(soak)
    if figures["batches"] > BATCHES_KEPT:
        soak.faults.add(f"more than {BATCHES_KEPT} batches are kept: {figures}")
    if figures["bytes"] > MOST_BYTES_OF_RUNS + MOST_BYTES_OF_BATCHES:
        soak.faults.add(f"the history is too large: {figures}")
    runtime.store.changed()
    await runtime.store.async_write()
    path = Path(soak.hass.config.path(".storage", KEY))
    stored = json.loads(await asyncio.to_thread(path.read_text, "utf-8"))["data"]
    again = _empty(soak)
    unread = again.restore(stored)
    if unread or again.export() != runtime.history.export():
        soak.faults.add(f"what was written is not what is read; unread: {unread}")
    return figures


def _empty(soak: Soak) -> History:
    runtime = soak.agent.home.runtime
    empty = History(
        inner=NoJournal(),
        registry=runtime.registry,
        now=dt_util.utcnow,
        changed=lambda: None,
    )
    empty.keep(runs=RUNS_KEPT, batches=BATCHES_KEPT)
    return empty


def _check_runs(soak: Soak) -> None:
    """Compare each run with what its caller was told, and look for the last of them."""
    kept: dict[str, str] = {}
    by_sequence: Counter[str] = Counter()
    for run in soak.agent.home.runtime.history.runs():
        report = run["report"]
        status = report.get("status") if isinstance(report, dict) else None
        if str(run["run_id"]) in kept:
            soak.faults.add(f"a run is kept twice: {run['run_id']}")
        kept[str(run["run_id"])] = str(status)
        by_sequence[str(run["sequence"])] += 1
    for run_id, status in soak.ended.items():
        if kept.get(run_id, status) != status:
            soak.faults.add(f"{run_id} ended {status}, and is kept as {kept[run_id]}")
    for run_id in list(soak.ended)[-1:]:
        if run_id not in kept:
            soak.faults.add(f"the last run is not kept: {run_id}")
    if too_many := [name for name, n in by_sequence.items() if n > RUNS_KEPT]:
        soak.faults.add(f"more than {RUNS_KEPT} runs are kept of {too_many}")
