"""Near names: what someone may have meant by a name that does not exist.

Lowest layer of the kernel; imports nothing of this integration.
"""

from collections.abc import Iterable
from difflib import get_close_matches
import re

LONGEST = 200
"""Characters of a name that are compared: what is longer is no name, only slow."""

_SEPARATORS = re.compile(r"[\s.:/_-]+")


def nearest(name: str, candidates: Iterable[str], n: int = 3) -> tuple[str, ...]:
    """Return up to `n` candidates that look like `name`, the nearest first.

    Case and the kind of separator do not count: `Light.turnOn` is near
    `light__turn_on`. A candidate that holds the whole name counts as near, too.
    """
    wanted = _plain(name)
    if not wanted or n < 1:
        return ()
    spellings: dict[str, list[str]] = {}
    for candidate in dict.fromkeys(candidates):
        spellings.setdefault(_plain(candidate), []).append(candidate)
    close = get_close_matches(wanted, spellings, n=n, cutoff=0.6)
    if len(wanted) > 2:
        close += sorted(
            (plain for plain in spellings if wanted in plain and plain not in close),
            key=len,
        )
    return tuple([each for plain in close for each in spellings[plain]][:n])


def _plain(name: str) -> str:
    return _SEPARATORS.sub("_", name[:LONGEST].strip().casefold())
