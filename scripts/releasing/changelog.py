"""The changelog's sections; pure. Its form is that of Keep a Changelog."""

import re

from .errors import ReleaseError

UNRELEASED = "## [Unreleased]"
_SECTION = re.compile(r"^## \[(?P<name>[^\]]+)\].*$", re.MULTILINE)


def released(text: str, version: str, date: str) -> str:
    """Return the changelog with what was unreleased as the section of a version.

    Raises ReleaseError if nothing was, or if there is a section of that version.
    """
    if _find(text, version) is not None:
        raise ReleaseError(f"CHANGELOG.md has a section of {version} already.")
    told = section(text, "Unreleased")
    if not told:
        raise ReleaseError(f"CHANGELOG.md tells of nothing below {UNRELEASED}.")
    heading = f"{UNRELEASED}\n\n## [{version}] - {date}"
    return text.replace(UNRELEASED, heading, 1)


def section(text: str, name: str) -> str:
    """Return what stands below a section's heading; raises ReleaseError if none does."""
    start = _find(text, name)
    if start is None:
        raise ReleaseError(f"CHANGELOG.md has no section [{name}].")
    following = _SECTION.search(text, start)
    end = len(text) if following is None else following.start()
    return text[start:end].strip()


def _find(text: str, name: str) -> int | None:
    """Return where the text below a heading begins."""
    for found in _SECTION.finditer(text):
        if found["name"] == name:
            return found.end()
    return None
