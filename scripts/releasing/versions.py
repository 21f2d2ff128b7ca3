"""The version, wherever it is written; this is the one place that knows where."""

from dataclasses import dataclass
from pathlib import Path
import re

from .errors import ReleaseError

_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file that names the version; `before` and `after` stand around it, once."""

    path: str
    before: str
    after: str


PLACES = (
    Place(
        path="custom_components/homeagent/manifest.json",
        before='"version": "',
        after='"',
    ),
    Place(
        path="waiter/src/homeagent_waiter/__init__.py",
        before='__version__ = "',
        after='"',
    ),
)


def parse(text: str) -> tuple[int, int, int]:
    """Return the three numbers of a version; raises ReleaseError."""
    found = _VERSION.fullmatch(text)
    if found is None:
        raise ReleaseError(f"{text!r} is no version; it would be such as 1.2.3.")
    major, minor, patch = map(int, found.groups())
    return major, minor, patch


def read(root: Path) -> str:
    """Return the version that all places name; raises ReleaseError if they differ."""
    found = {place.path: _read(root, place) for place in PLACES}
    if len(set(found.values())) > 1:
        told = ", ".join(f"{path}: {version}" for path, version in found.items())
        raise ReleaseError(f"The versions differ ({told}); make them one.")
    return next(iter(found.values()))


def write(root: Path, version: str) -> None:
    """Write a version at all places; nothing else in the files changes."""
    parse(version)
    for place in PLACES:
        path = root / place.path
        text = path.read_text(encoding="utf-8")
        old = f"{place.before}{_read(root, place)}{place.after}"
        new = f"{place.before}{version}{place.after}"
        path.write_text(text.replace(old, new), encoding="utf-8")


def _read(root: Path, place: Place) -> str:
    text = (root / place.path).read_text(encoding="utf-8")
    parts = text.split(place.before)
    if len(parts) != 2 or place.after not in parts[1]:
        raise ReleaseError(f"{place.path} does not name the version exactly once.")
    return parts[1].partition(place.after)[0]
