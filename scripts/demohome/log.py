"""Read Home Assistant's log; imports nothing of ours."""

from dataclasses import dataclass
import re

_HEAD = re.compile(
    r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ (?P<level>[A-Z]+) \(.*?\) \[(?P<name>\S+)\] "
)
# The integration, not a folder that happens to be called like it.
_NAMED = re.compile(r"custom_components/homeagent|(?<![\w/-])homeagent", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One entry, a traceback and whatever else was printed after it included."""

    level: str
    logger: str
    text: str

    @property
    def is_about_being_custom(self) -> bool:
        """Whether it is what Home Assistant says of every custom integration."""
        return "which has not been tested by Home Assistant" in self.text


def entries(log: str) -> list[LogEntry]:
    """Split a log into its entries; what was printed before the first is left out."""
    found: list[LogEntry] = []
    for line in log.splitlines():
        if head := _HEAD.match(line):
            entry = LogEntry(level=head["level"], logger=head["name"], text=line)
            found.append(entry)
        elif found:
            last = found[-1]
            text = f"{last.text}\n{line}"
            found[-1] = LogEntry(level=last.level, logger=last.logger, text=text)
    return found


def complaints(log: str) -> list[str]:
    """Return warnings and errors that name HomeAgent, but what all custom ones get."""
    return [
        entry.text
        for entry in entries(log)
        if _NAMED.search(entry.text)
        and entry.level in {"WARNING", "ERROR", "CRITICAL"}
        and not entry.is_about_being_custom
    ]
