"""The names by which models call tools: letters, digits, `_` and `-`, not too long.

Pure: names in, names out. The way back is the table that was made with them.
"""

from collections.abc import Iterable
import re

from .action_names import LONGEST, llm_name

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_HASHED = "___"
"""In the middle of a name only where a hash follows."""


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """Return tool name -> function name, each function name once.

    A tool whose name another one's function already has gets a name with a hash.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for tool in tools:
        name = _function_name(tool)
        if name in taken:
            name = _hashed(tool)
        names[tool] = name
        taken.add(name)
    return names


def _function_name(tool: str) -> str:
    is_plain = _PLAIN.fullmatch(tool) and len(tool) <= LONGEST and _HASHED not in tool
    return tool if is_plain else llm_name(tool)


def _hashed(tool: str) -> str:
    # With a dot at its end no name is an action's: it is always given a hash.
    return llm_name(f"{tool}.")
