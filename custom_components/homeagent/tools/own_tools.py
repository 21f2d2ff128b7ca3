"""The small tools of our own, all together; the composition root registers them."""

from ..kernel.contract import Tool
from .camera_snapshot import CameraSnapshot
from .entity_finding import EntityFinding
from .reading_history import HistoryReading
from .reading_logbook import LogbookReading
from .reading_ports import ReadingPorts
from .reading_states import StateReading
from .reading_statistics import StatisticsReading
from .wait_tool import Sleep, Waiting


def small_tools(ports: ReadingPorts, sleep: Sleep) -> list[Tool]:
    """Return the tools that read, and the one that waits."""
    return [
        *StateReading(ports).tools(),
        *EntityFinding(ports).tools(),
        *HistoryReading(ports).tools(),
        *LogbookReading(ports).tools(),
        *StatisticsReading(ports).tools(),
        *CameraSnapshot(ports).tools(),
        *Waiting(ports.hass, sleep).tools(),
    ]
