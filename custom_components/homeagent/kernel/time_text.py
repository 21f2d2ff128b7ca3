"""Seconds as people and models read them: no more digits than anybody wants.

Lowest layer of the kernel; imports nothing of this integration.
"""

_WHOLE = 10.0
"""Seconds from which no fraction is told."""


def seconds_text(seconds: float) -> str:
    """Return seconds with a fitting number of digits: `0.25`, `2`, `3.4`, `51`."""
    if seconds >= _WHOLE:
        return f"{seconds:.0f}"
    return f"{round(seconds, 1 if seconds >= 1 else 2):g}"
