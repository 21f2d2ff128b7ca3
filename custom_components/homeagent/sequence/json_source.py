r"""A strict reader of JSON that knows where everything stands.

    value  = object | array | text | number | "true" | "false" | "null" | reference
    object = "{" [ member { "," member } ] "}"
    member = text ":" value
    array  = "[" [ value { "," value } ] "]"

What is not JSON is an error; where the intention is plain the reader goes on behind it,
so that one reading tells as many errors as possible. A bare reference (§7.1) is read as a
value; whether one may stand there is for `document` to say.
"""

from functools import partial
import re
from typing import Final

from .findings import Findings
from .json_numbers import read_number
from .limits import MAX_DEPTH
from .nodes import Content, Node
from .problems import Path, show
from .reference_syntax import scan_dollar
from .sources import Source
from .strings import scan_string

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_NUMBER: Final = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?P<real>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
)
_WORD: Final = re.compile(r"[^\s{}\[\],:\"';]+")
_WORDS: Final = {"true": True, "false": False, "null": None}
_OTHER_WORDS: Final = {
    "none": "null",
    "nil": "null",
    "undefined": "null",
    "nan": "null",
}


class _Stop(Exception):  # noqa: N818  never leaves this module
    """The rest cannot be read; the error is told already."""


class _Reader:
    """One pass over `source.text[at:end]`."""

    def __init__(
        self, source: Source, findings: Findings, path: Path, at: int, end: int
    ) -> None:
        self.source = source
        self.text = source.text
        self.findings = findings
        self.path: list[str | int] = list(path)
        self.at = at
        self.end = end
        self.depth = 0

    def fault(self, code: str, at: int | None = None, **placeholders: str) -> None:
        place = partial(self.source.spot, self.at if at is None else at)
        self.findings.error(code, tuple(self.path), place, **placeholders)

    def stop(self, code: str, at: int | None = None, **placeholders: str) -> _Stop:
        self.fault(code, at, **placeholders)
        return _Stop()

    def peek(self) -> str:
        """Return the next character that is no space, empty at the end."""
        space = _SPACE.match(self.text, self.at, self.end)
        assert space is not None
        self.at = space.end()
        return self.text[self.at] if self.at < self.end else ""

    def found(self) -> str:
        """Return what stands next, for a message."""
        if self.at >= self.end:
            return "the end of the text"
        word = _WORD.match(self.text, self.at, self.end)
        return show(word.group() if word else self.text[self.at])

    def value(self) -> Node:
        """Read one value of whatever kind."""
        char = self.peek()
        start = self.at
        if char == "{":
            return self.object()
        if char == "[":
            return self.array()
        content: Content
        if char == '"':
            content = self.string()
        elif char == "'":
            self.fault("single_quotes")
            content = self.string()
        elif char == "$":
            content = self.reference()
        else:
            content = self.word()
        return Node(value=content, source=self.source, start=start, end=self.at)

    def string(self) -> str:
        """Read a text."""
        scanned = scan_string(self.text, self.at)
        if not self.at < scanned.end <= self.end:
            raise self.stop("string_open")
        for fault in scanned.faults:
            self.fault(fault.code, fault.at, found=show(fault.found))
        self.at = scanned.end
        return scanned.value

    def reference(self) -> Content:
        """Read a reference that stands without quotes."""
        scanned = scan_dollar(self.text, self.at)
        if scanned.flaw:
            self.fault(scanned.flaw.code, scanned.flaw.at, **scanned.flaw.placeholders)
        elif isinstance(scanned.value, str):
            raise self.stop("expected_value", found=self.found())
        self.at = scanned.end
        return None if isinstance(scanned.value, str) else scanned.value

    def word(self) -> Content:
        """Read a number or one of the three words; name what only looks like one."""
        number = _NUMBER.match(self.text, self.at, self.end)
        word = _WORD.match(self.text, self.at, self.end)
        if word is None:
            raise self.stop("expected_value", found=self.found())
        text = word.group()
        if number is not None and number.end() == word.end():
            content: Content = self.number(text, real=bool(number["real"]))
        elif text in _WORDS:
            content = _WORDS[text]
        else:
            self.strange_word(text)
            content = None
        self.at = word.end()
        return content

    def number(self, text: str, *, real: bool) -> int | float | None:
        """Return a number that every JSON reader can hold."""
        value = read_number(text, real=real)
        if value is None:
            self.fault("number_range", found=show(text))
        return value

    def strange_word(self, text: str) -> None:
        """Tell what a word that is no JSON value may have meant."""
        lower = text.lower()
        nearest = _OTHER_WORDS.get(lower, lower if lower in _WORDS else "")
        if text.startswith(("//", "/*", "#")):
            raise self.stop("comment")
        if nearest:
            self.fault("strange_word", found=show(text), nearest=nearest)
        elif text[0] in "+-.0123456789":
            self.fault("bad_number", found=show(text), nearest=show(text))
        else:
            raise self.stop("strange_word", found=show(text), nearest=show(text))

    def array(self) -> Node:
        """Read `[…]`."""
        start = self.enter()
        elements: list[Node] = []
        while self.more("]", start, empty=not elements):
            self.path.append(len(elements))
            elements.append(self.value())
            self.path.pop()
        return self.leave(elements, start)

    def object(self) -> Node:
        """Read `{…}`."""
        start = self.enter()
        members: dict[str, Node] = {}
        keys: dict[str, int] = {}
        while self.more("}", start, empty=not members):
            at = self.at
            key = self.key()
            self.path.append(key)
            if key in keys:
                self.fault("duplicate_key", at, found=show(key))
            node = self.value()
            if key not in keys:
                members[key], keys[key] = node, at
            self.path.pop()
        return self.leave(members, start, keys)

    def key(self) -> str:
        """Read a member's key and its colon."""
        at = self.at
        if self.text[at] == "'":
            self.fault("single_quotes")
        key = self.string() if self.text[at] in "\"'" else self.bare_key()
        if self.peek() != ":":
            raise self.stop("expected_colon", found=self.found(), key=show(key))
        self.at += 1
        return key

    def bare_key(self) -> str:
        """Read a key without quotes, if it is one: a word and then a colon."""
        at = self.at
        word = _WORD.match(self.text, at, self.end)
        if word is not None:
            self.at = word.end()
            key = word.group()
            if self.peek() == ":" and (key[0].isalpha() or key[0] == "_"):
                self.fault("unquoted_key", at, found=show(key), nearest=show(key))
                return key
        self.at = at
        raise self.stop("expected_key", found=self.found())

    def enter(self) -> int:
        """Step into an object or array; return where it began."""
        start = self.at
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.stop("too_deep", limit=str(MAX_DEPTH))
        self.at += 1
        return start

    def leave(
        self,
        value: Content,
        start: int,
        keys: dict[str, int] | None = None,
    ) -> Node:
        """Step out behind the closing bracket."""
        self.depth -= 1
        self.at += 1
        return Node(
            value=value, source=self.source, start=start, end=self.at, keys=keys or {}
        )

    def more(self, closing: str, start: int, *, empty: bool) -> bool:
        """Stand before the next member or element; false at the closing bracket."""
        char = self.peek()
        if char == closing:
            return False
        if not empty:
            if char == ",":
                comma = self.at
                self.at += 1
                char = self.peek()
                if char == closing:
                    self.fault("trailing_comma", comma)
                    return False
            elif char and char in "\"'{[$":
                self.fault("missing_comma", found=self.found())
            else:
                raise self.expected_end(closing, start, char)
        if not char or char in "}],":
            raise self.expected_end(closing, start, char)
        return True

    def expected_end(self, closing: str, start: int, char: str) -> _Stop:
        """Tell that an object or array is not closed where it should be."""
        if not char:
            return self.stop("not_closed", start, found=show(self.text[start]))
        return self.stop("expected_end", found=self.found(), closing=f"`{closing}`")


def read_json(
    source: Source,
    findings: Findings,
    path: Path = (),
    start: int = 0,
    end: int | None = None,
) -> Node | None:
    """Read one value that takes the whole of a piece of a source.

    Returns None where nothing could be read. Whatever is wrong is among the errors of
    `findings`. Total, linear, and never deeper than `MAX_DEPTH`.
    """
    reader = _Reader(
        source, findings, path, start, len(source.text) if end is None else end
    )
    try:
        if not reader.peek():
            raise reader.stop("empty_text")
        node = reader.value()
        if reader.peek():
            reader.fault("text_behind", found=reader.found())
    except _Stop:
        return None
    return node
