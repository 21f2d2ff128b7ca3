"""The keys that the objects of a sequence's text may have (§7.2; page 2 §2.1).

Lowest layer of the language; imports nothing.
"""

from collections.abc import Mapping
from typing import Final

SEQUENCE_KEYS: Final = ("name", "description", "groups")

GROUP_KEYS: Final = (
    "name",
    "description",
    "in",
    "out",
    "tools",
    "when",
    "parallel",
    "timeout",
    "on_error",
    "retries",
    "missing",
    "call_only",
)

ENTRY_KEYS: Final = ("tool", "args", "as", "select", "fallback", "unsafe_serial")

INPUT_KEYS: Final = ("type", "description", "default", "required", "enum")
OUTPUT_KEYS: Final = ("type", "description")

OWNERS: Final[Mapping[str, tuple[str, ...]]] = {
    "the group": GROUP_KEYS,
    "the tool": ENTRY_KEYS,
    "an input": INPUT_KEYS,
}
"""Whose keys they are, for one that stands in the wrong object."""
