"""The text of `tools` into its entries (§7.1): `{…} ; {…} ;`.

    tools   = { entry ";" }
    entry   = "{" … "}"

A `;` separates only at depth 0 and outside of texts, so that the semicolons of a shell
command never do. Nothing is passed by: what stands elsewhere is a fault. Pure; knows
nothing of what an entry contains.
"""

from dataclasses import dataclass
import re
from typing import Final

_TOKEN: Final = re.compile(
    r"""
      (?P<text> " [^"\\]* (?: \\. [^"\\]* )* (?P<quote> "? ) )
    | (?P<open> [{\[] )
    | (?P<close> [}\]] )
    | (?P<end> ; )
    | (?P<other> [^\s{}\[\];"]+ | \S )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One entry: `text[start:end]` is `{…}`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFault:
    """What is wrong between the entries, by a code of the catalogue.

    `inner_end` is the first `;` inside of what is not closed.
    """

    code: str
    at: int
    found: str = ""
    inner_end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The entries of a text, in order, and all faults between them."""

    pieces: tuple[Piece, ...]
    faults: tuple[SplitFault, ...]


class _Splitter:
    """One pass over the tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[Piece] = []
        self.faults: list[SplitFault] = []
        self.opened: list[int] = []
        self.inner_end: int | None = None
        self.unmatched: int | None = None  # the last bracket closed by another kind
        self.pending = False  # an entry is complete and its `;` has not come
        self.junk = False  # a fault was told; nothing more until `{` or `;`

    def fault(self, code: str, at: int, found: str = "") -> None:
        self.faults.append(
            SplitFault(code=code, at=at, found=found, inner_end=self.inner_end)
        )

    def run(self) -> Split:
        """Take every token, then look at what is left open."""
        for token in _TOKEN.finditer(self.text):
            if token.lastgroup == "text" and not token["quote"]:
                self.fault("tools_text_open", token.start())
                self.opened.clear()
                self.pending = False
                break
            if self.opened:
                self.inside(token)
            else:
                self.between(token)
        self.finish()
        return Split(pieces=tuple(self.pieces), faults=tuple(self.faults))

    def inside(self, token: re.Match[str]) -> None:
        """Follow the depth within an entry."""
        match token.lastgroup:
            case "open":
                self.opened.append(token.start())
            case "close":
                start = self.opened.pop()
                if self.text[start] + token.group() not in {"{}", "[]"}:
                    self.unmatched = start
                if not self.opened:
                    self.pieces.append(Piece(start=start, end=token.end()))
                    self.pending, self.inner_end = True, None
            case "end" if self.inner_end is None:
                self.inner_end = token.start()
            case _:
                pass

    def between(self, token: re.Match[str]) -> None:
        """Demand `{`, and behind an entry `;`."""
        found, at = token.group(), token.start()
        if found == ";":
            if not self.pending and not self.junk:
                self.fault("empty_tool", at)
            self.pending = self.junk = False
        elif found == "{":
            if self.pending and not self.junk:
                self.fault("missing_semicolon", at)
            self.pending = self.junk = False
            self.unmatched = None
            self.opened.append(at)
        elif not self.junk:
            self.fault(self.name_fault(found), at, found)
            self.pending, self.junk = False, True

    def name_fault(self, found: str) -> str:
        """Return the code for what stands where only `{` or `;` may."""
        if found.startswith("；"):  # as Chinese keyboards write it
            return "wide_semicolon"
        return "text_behind_tool" if self.pending else "text_between_tools"

    def finish(self) -> None:
        """Tell what the end of the text leaves open."""
        if self.opened:
            code = "tools_brace_open" if self.inner_end is None else "tools_brace_lost"
            lost = self.opened[-1] if self.unmatched is None else self.unmatched
            self.fault(code, lost)
        elif self.pending:
            self.fault("missing_last_semicolon", len(self.text))


def split(text: str) -> Split:
    """Return the entries of a `tools` text and everything that is wrong between them.

    Total and linear. A fault leaves the entries that it does not touch as they are.
    """
    start = len(text) - len(text.lstrip())
    if text.startswith("[", start):
        return Split(pieces=(), faults=(SplitFault(code="tools_array_text", at=start),))
    return _Splitter(text).run()
