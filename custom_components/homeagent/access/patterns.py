"""Tool patterns of rules: `light.*`, `host_run`.

Lowest layer of the package; imports nothing of this integration. `*` stands for any
characters but a dot, so that no pattern reaches beyond the domain that it names.
"""

from collections.abc import Iterable
from functools import lru_cache
import re


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in pattern.split("*")]
    return re.compile("[^.]*".join(parts))


def matches(patterns: Iterable[str], tool: str) -> bool:
    """Whether one of the patterns names the tool."""
    return any(_compiled(pattern).fullmatch(tool) for pattern in patterns)


def is_pattern(text: str) -> bool:
    """Whether a text can be a pattern: what it names begins with a plain character."""
    return _PATTERN.fullmatch(text) is not None


_PATTERN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_*-]*(\.[A-Za-z0-9_*-]+)*")
