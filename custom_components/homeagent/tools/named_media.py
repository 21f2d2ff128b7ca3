"""The entities that media are of: a camera's picture is the camera, however it is named.

Pure; used by access control. Home Assistant plays `media-source://camera/<entity>` and
signs addresses of its own pictures for whoever is to play them, so that such a text, in
whatever argument, names the entity as `entity_id` would (page 3 §3.3).
"""

from collections.abc import Iterator, Mapping
import re
from typing import Final
from urllib.parse import unquote

_SOURCE: Final = re.compile(r"media-source://(\w+)/(\1\.\w+)", re.ASCII | re.IGNORECASE)
_PROXY: Final = re.compile(r"(?:camera|image|media_player)_proxy", re.IGNORECASE)
_PICTURED: Final = re.compile(
    r"(?<![\w.])(?:camera|image|media_player)\.\w+", re.ASCII | re.IGNORECASE
)


def entities_of_media(arguments: Mapping[str, object]) -> frozenset[str]:
    """Return the entities whose pictures, streams or voices any argument asks for."""
    return frozenset(
        found.lower() for text in _texts(arguments) for found in _named(text)
    )


def _named(text: str) -> Iterator[str]:
    plain = unquote(text) if "%" in text else text
    for match in _SOURCE.finditer(plain):
        yield match[2]
    if _PROXY.search(plain):
        yield from _PICTURED.findall(plain)


def _texts(value: object) -> Iterator[str]:
    """Go through all texts: wrong arguments may be nested deeply, or without end."""
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            # Nearly all texts name no media, which is told quickly.
            if "://" in one or "_proxy" in one or "%" in one:
                yield one
        elif isinstance(one, Mapping | list | tuple) and id(one) not in seen:
            seen.add(id(one))
            waiting += one.values() if isinstance(one, Mapping) else one
