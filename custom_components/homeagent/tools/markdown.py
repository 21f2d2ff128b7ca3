"""Text that comes from elsewhere, inside Markdown that people are shown.

Lowest layer of the tools; imports nothing of this integration. Names and states are
data: shown in Home Assistant's dialogs they must not become markup (page 3 §3.3).
"""

import re

_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-.!|~&:$^=\"']")


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def warning(text: str) -> str:
    """Return a warning box with a text; nothing for no text."""
    return f"\n\n> [!WARNING]\n> {plain(text)}" if text else ""
