"""The bytes of a model server's answer, taken apart into JSON objects.

Pure; above the kernel's JSON only. Servers differ: events with or without blank lines
between them, comments that keep the connection alive, one object instead of a stream,
any content type. Whatever comes in, nothing is raised; what cannot be read is counted.
"""

from dataclasses import dataclass, field
import json
import re

from ..kernel.json_text import NotJsonError, decode_json

type Payload = dict[str, object]

LONGEST_EVENT = 8 * 1024 * 1024
"""Bytes of one event, or of an answer that is no stream; more is garbage."""

_LINE_END = re.compile(rb"\r\n|\n|\r(?=.)", re.DOTALL)
_FIELD = re.compile(r"(data|event|id|retry)(?::|$)")


@dataclass(slots=True)
class PayloadReader:
    """Feeds on bytes in pieces of any size.

    `done` is true once the server said `[DONE]`; what comes after it is not read.
    `garbage` counts the pieces that were no JSON object.
    """

    done: bool = False
    garbage: int = 0
    _seen: bool = False
    _pending: bytearray = field(default_factory=bytearray)
    _data: list[str] = field(default_factory=list)
    _rest: list[str] = field(default_factory=list)
    _size: int = 0
    _scanned: int = 0

    def feed(self, piece: bytes) -> list[Payload]:
        """Take some bytes; return the objects that are complete now."""
        self._pending += piece
        found: list[Payload] = []
        start = 0
        for match in _LINE_END.finditer(self._pending, self._scanned):
            self._line(bytes(self._pending[start : match.start()]), found)
            start = match.end()
        del self._pending[:start]
        if len(self._pending) > LONGEST_EVENT:
            self._pending.clear()
            self.garbage += 1
        # The last byte may be the first half of a line's end.
        self._scanned = max(len(self._pending) - 1, 0)
        return found

    def close(self) -> list[Payload]:
        """Return what the end of the answer completes; also where it broke off."""
        found: list[Payload] = []
        if self._pending:
            self._line(bytes(self._pending).rstrip(b"\r"), found)
            self._pending.clear()
        self._end_event(found)
        whole = "\n".join(self._rest)
        self._rest.clear()
        if not self._seen and whole.strip() and not self._take(whole, found):
            self.garbage += 1
        return found

    def _line(self, raw: bytes, found: list[Payload]) -> None:
        if self.done:
            return
        line = raw.decode(errors="replace").removeprefix("\ufeff")
        if not line.strip():
            self._end_event(found)
        elif match := _FIELD.match(line):
            if match[1] == "data":
                self._add_data(line[5:].removeprefix(" "), found)
        elif not line.startswith(":"):
            self._other(line, found)

    def _add_data(self, text: str, found: list[Payload]) -> None:
        if text.strip() == "[DONE]":
            self._end_event(found)
            self.done = True
            return
        if not text.strip():
            return
        # Some servers leave out the blank lines: then each line is an event.
        if self._take(text, found):
            self._forget()
            return
        self._data.append(text)
        self._size += len(text)
        if self._size > LONGEST_EVENT:
            self._forget()

    def _other(self, line: str, found: list[Payload]) -> None:
        """Take a line that is no event: an object of its own, or part of a whole."""
        if self._seen or not self._rest:
            if self._take(line, found):
                return
            if self._seen:
                self.garbage += 1
                return
        self._size += len(line)
        if self._size <= LONGEST_EVENT:
            self._rest.append(line)

    def _take(self, text: str, found: list[Payload]) -> bool:
        try:
            value = _decoded(text)
        except NotJsonError:
            return False
        # Some servers wrap an error in a list.
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, dict):
            self._seen = True
            found.append(value)
        else:
            self.garbage += 1
        return True

    def _end_event(self, found: list[Payload]) -> None:
        """Take an event that stands on several lines, if it is one."""
        if len(self._data) > 1 and self._take("\n".join(self._data), found):
            self._data.clear()
        self._forget()

    def _forget(self) -> None:
        """Begin anew; lines that were not taken are garbage."""
        self.garbage += bool(self._data)
        self._data.clear()
        self._size = 0


def _decoded(text: str) -> object:
    """Return what a text holds; what a server wraps its answer in need not be strict."""
    try:
        return decode_json(text)
    except NotJsonError as error:
        try:
            loose: object = json.loads(text)
        except ValueError, RecursionError:
            raise error from None
        return loose
