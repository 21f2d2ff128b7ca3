"""How big a sequence may be (§2.6 of the pages, and what storage can hold).

Lowest layer of the language; imports nothing.
"""

from typing import Final

MAX_GROUPS: Final = 200
MAX_TOOLS: Final = 200
"""Tools in one group."""

MAX_BYTES: Final = 256 * 1024
"""Bytes of a sequence's text, in UTF-8."""

MAX_NAME: Final = 64
"""Characters of the name of a sequence or a group."""

MAX_DEPTH: Final = 64
"""Levels of objects and arrays within each other."""

MAX_OPERATORS: Final = 64
"""`&&`, `||`, `!` and parentheses in one condition."""

MAX_RETRIES: Final = 10
DEFAULT_TIMEOUT: Final = 30.0
"""Seconds that a group may take where it says nothing."""

MAX_HOURS: Final = 1000
"""The longest time limit of a group."""

MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1
"""What every JSON reader and Home Assistant's own storage can hold."""

MAX_CALL_DEPTH: Final = 4
"""Calls of other sequences within each other: a structural constant (§8.3)."""
