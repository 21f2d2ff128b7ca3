"""How much of what somebody else wrote an error repeats; imports nothing."""

LONGEST_QUOTE = 200
"""Characters of one quoted text, marker included."""

_KEPT = 160


def quoted(text: str) -> str:
    """Return a text as an error repeats it: a long one is cut, and says so."""
    if len(text) <= LONGEST_QUOTE:
        return text
    return f"{text[:_KEPT]}… ({len(text) - _KEPT} more characters)"
