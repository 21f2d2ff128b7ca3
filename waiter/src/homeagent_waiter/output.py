"""What a command printed, kept within bounds and made harmless. Starts nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
import re
import unicodedata


@dataclass(slots=True)
class Capped:
    """Keeps the head and the tail of a stream of bytes, ``most`` in all."""

    most: int
    total: int = 0
    _head: bytearray = field(default_factory=bytearray)
    _tail: bytearray = field(default_factory=bytearray)

    @property
    def truncated(self) -> bool:
        """Return whether something in the middle is gone."""
        return self.total > self.most

    def add(self, data: bytes) -> None:
        """Take what came; memory stays below twice ``most`` and one read."""
        self.total += len(data)
        room = self.most // 2 - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        kept = self.most - self.most // 2
        if len(self._tail) > 2 * kept:
            del self._tail[:-kept]

    def text(self) -> str:
        """Return head and tail, with a line between that says how much is gone."""
        kept = self.most - self.most // 2
        if not self.truncated:
            return readable(bytes(self._head + self._tail))
        gone = self.total - len(self._head) - kept
        head = _without_broken_end(bytes(self._head))
        tail = _without_broken_start(bytes(self._tail[-kept:]))
        mark = f"\n[… {gone} bytes left out …]\n"
        return readable(head) + mark + readable(tail)


def _without_broken_end(data: bytes) -> bytes:
    """Take off a character that the cut went through."""
    for length in range(1, min(4, len(data)) + 1):
        byte = data[-length]
        if byte < 0x80:
            return data
        if byte >= 0xC0:
            whole = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return data if length >= whole else data[:-length]
    return data


def _without_broken_start(data: bytes) -> bytes:
    start = 0
    while start < min(3, len(data)) and 0x80 <= data[start] < 0xC0:
        start += 1
    return data[start:]


_HARMLESS = re.compile(r"[\n\t\x20-\x7e]*")


def readable(data: bytes) -> str:
    r"""Return bytes as text: bad bytes as ``\xff``, control and bidi characters named.

    Line ends become ``\n``; tabs stay.
    """
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    if _HARMLESS.fullmatch(text):
        return text
    return "".join(map(_harmless, text))


def _harmless(char: str) -> str:
    if char in "\n\t" or char.isprintable() or unicodedata.category(char) == "Zs":
        return char
    return char.encode("unicode_escape").decode("ascii")
