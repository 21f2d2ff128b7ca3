"""Time limits as people write them: `500ms`, `30s`, `2m`, `1m30s`, `1h` (page 2 §2.1).

    duration = [ digits "h" ] [ digits "m" ] [ digits "s" ] [ digits "ms" ]

At least one part, and more than nothing together. Pure; imports its limits only.
"""

import re
from typing import Final

from .limits import MAX_HOURS

_DURATION: Final = re.compile(
    r"(?=[0-9])(?:(?P<h>[0-9]{1,9})h)?(?:(?P<m>[0-9]{1,9})m(?!s))?"
    r"(?:(?P<s>[0-9]{1,9})s)?(?:(?P<ms>[0-9]{1,9})ms)?"
)
_MILLISECONDS: Final = {"h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
_LONGEST: Final = MAX_HOURS * _MILLISECONDS["h"]
LONGEST_TEXT: Final = 40
_LOOSE_PART: Final = re.compile(
    r"\s*([0-9]{1,9}(?:[.,][0-9]{1,9})?)\s*([a-z]*)\.?\s*,?"
)
_LOOSE_UNITS: Final = {
    "": "s",
    "hr": "h",
    "hrs": "h",
    "hour": "h",
    "hours": "h",
    "min": "m",
    "mins": "m",
    "minute": "m",
    "minutes": "m",
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "msec": "ms",
    "millis": "ms",
    "millisecond": "ms",
    "milliseconds": "ms",
} | {unit: unit for unit in _MILLISECONDS}


def parse_duration(text: str) -> float | None:
    """Return seconds; None for what is not a duration above zero, or is too long."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return None
    total = sum(int(match[unit] or 0) * size for unit, size in _MILLISECONDS.items())
    return total / 1000 if 0 < total <= _LONGEST else None


def format_duration(seconds: float) -> str:
    """Return the shortest spelling of a number of seconds, exact to the millisecond."""
    rest = round(seconds * 1000)
    parts = []
    for unit, size in _MILLISECONDS.items():
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts)


def nearest_duration(found: object) -> str:
    """Return the right spelling of what was probably meant, empty for no idea."""
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return ""
    if isinstance(found, int) and abs(found) > _LONGEST:
        return ""
    text = str(found).lower().strip()
    total, at = 0.0, 0
    while at < len(text) <= LONGEST_TEXT:
        part = _LOOSE_PART.match(text, at)
        unit = _LOOSE_UNITS.get(part[2]) if part else None
        if part is None or unit is None:
            return ""
        total += float(part[1].replace(",", ".")) * _MILLISECONDS[unit]
        at = part.end()
    if not 1 <= total <= _LONGEST:
        return ""
    return format_duration(total / 1000)
