r"""Gate, first stage: takes a line apart. Knows no command and reads no file.

A line is one pipeline of plain words (design page 4, §4.3)::

    line     = command *7("|" command)
    command  = 1*word [ "2>/dev/null" / "2>&1" ]
    word     = 1*( plain / "\" any / "'" *any "'" / '"' *any '"' )

Everything else that a shell would understand is refused, never dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import re

from .plan import Code, Stderr
from .refused import RefusedError, shown

MOST_BYTES = 4096
MOST_COMMANDS = 8
REDIRECTIONS = {"2>/dev/null": Stderr.DROP, "2>&1": Stderr.STDOUT}
_SPECIAL = frozenset(";&<>(){}!#\n")
_GLOB = frozenset("*?[")
# A pattern with an unquoted bracket that has no other one.
_UNBALANCED = re.compile(r"^(?:\\.|[^\[\]\\]|\[(?:\\.|[^\[\]\\])+\])*+[\[\]]")
_HINTS = {
    "$": "variables and substitutions are not expanded; quote a literal $ with '…'",
    "`": "commands are not substituted; quote a literal ` with '…'",
    "&": "one pipeline only; the only redirections are 2>/dev/null and 2>&1",
    "<": "nothing is redirected in; name the file as an operand",
    ">": "the only redirections are 2>/dev/null and 2>&1, at the end of a command",
    "#": "there are no comments; quote a literal # with '…'",
    ";": "one pipeline only; send several lines one by one",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word: what it says, how it was written, and its glob pattern if it is one.

    ``glob`` has every character of ``text`` that is not to match as a pattern behind a
    backslash; it is ``None`` for a word without unquoted ``* ? [``.
    """

    text: str
    written: str
    glob: str | None = None

    @property
    def bare(self) -> bool:
        """Return whether nothing of it was quoted or escaped."""
        return self.text == self.written


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The words of one command, and where its standard error goes."""

    words: tuple[Word, ...]
    stderr: Stderr = Stderr.KEEP


def lex(line: str) -> tuple[Command, ...]:
    """Return the commands of a line, or raise ``RefusedError`` with ``line``."""
    _check_characters(line)
    commands = [_command(part) for part in _split(line)]
    if len(commands) > MOST_COMMANDS:
        raise _refused("|", f"at most {MOST_COMMANDS} commands in one pipeline")
    return tuple(commands)


def _refused(token: str, hint: str) -> RefusedError:
    return RefusedError(Code.LINE, shown(token), hint)


def _check_characters(line: str) -> None:
    """Refuse what is too long, unprintable or invisible."""
    for char in line:
        if not char.isprintable():
            name = "a line break" if char in "\r\n" else f"U+{ord(char):04X}"
            raise _refused(char, f"one line of printable characters; {name} is none")
    if len(line.encode()) > MOST_BYTES:
        raise _refused(line, f"at most {MOST_BYTES} bytes")
    if not line.strip(" "):
        raise _refused(line, "a command such as 'df -h'")


def _split(line: str) -> Iterator[list[Word]]:
    """Give the words of each command between the pipes."""
    words: list[Word] = []
    at = 0
    while at < len(line):
        if line[at] == " ":
            at += 1
        elif line[at] == "|":
            yield words
            words = []
            at += 1
        else:
            word, at = _word(line, at)
            words.append(word)
    yield words


def _command(words: list[Word]) -> Command:
    """Take the redirection off the end of a command."""
    stderr = Stderr.KEEP
    if words and words[-1].written in REDIRECTIONS and words[-1].text == "":
        stderr = REDIRECTIONS[words[-1].written]
        words = words[:-1]
    for word in words:
        if word.text == "" and word.written in REDIRECTIONS:
            raise _refused(word.written, "a redirection stands at the end of a command")
    if not words:
        raise _refused("|", "a command on both sides of |")
    return Command(words=tuple(words), stderr=stderr)


def _word(line: str, start: int) -> tuple[Word, int]:
    """Read one word that begins at ``start``; return it and where it ends."""
    for redirection in REDIRECTIONS:
        end = start + len(redirection)
        if line.startswith(redirection, start) and line[end : end + 1] in (
            "",
            " ",
            "|",
        ):
            return Word(text="", written=redirection), end
    if line[start] == "~":
        raise _refused("~", "~ is not expanded; write the whole path")
    text: list[str] = []
    pattern: list[str] = []
    globs = False
    at = start
    while at < len(line) and line[at] not in " |":
        char = line[at]
        if char in "'\"":
            quoted, at = _quoted(line, at)
            text.append(quoted)
            pattern.extend("\\" + each for each in quoted)
            continue
        if char == "\\":
            char, at = _escaped(line, at, first=at == start)
            pattern.append("\\" + char)
        elif char in _SPECIAL or char in "$`":
            hint = _HINTS.get(char, f"quote a literal {char} with '…'")
            raise _refused(char, hint)
        else:
            globs = globs or char in _GLOB
            pattern.append(char if char in "*?[]!^-" else "\\" + char)
            at += 1
        text.append(char)
    _check_doubtful(line[start:at], "".join(pattern))
    glob = "".join(pattern) if globs else None
    return Word(text="".join(text), written=line[start:at], glob=glob), at


def _escaped(line: str, at: int, *, first: bool) -> tuple[str, int]:
    """Read a backslash and the character that it makes plain."""
    if at + 1 >= len(line):
        raise _refused("\\", "a character after the backslash")
    char = line[at + 1]
    # Parsers disagree about an escape behind a quote or a bracket.
    doubtful = not first and line[at - 1] in "'\"]"
    if char in "$`" or (first and char == " ") or doubtful:
        raise _refused("\\" + char, f"quote a literal {char!r} with '…'")
    return char, at + 2


def _check_doubtful(written: str, pattern: str) -> None:
    """Refuse what parsers of this language read in different ways."""
    if written.startswith(("==", "=~")) or _UNBALANCED.search(pattern):
        raise _refused(
            written, "quote == and =~ at the beginning, and brackets without the other"
        )


def _quoted(line: str, at: int) -> tuple[str, int]:
    """Read a quoted text; return what it says and where it ends."""
    quote = line[at]
    said: list[str] = []
    here = at + 1
    while here < len(line):
        char = line[here]
        if char == quote:
            return "".join(said), here + 1
        if quote == '"':
            if char in "$`":
                raise _refused(char, _HINTS[char])
            if char == "\\" and line[here + 1 : here + 2] in ('"', "\\"):
                here += 1
                char = line[here]
        said.append(char)
        here += 1
    raise _refused(line[at:], f"a closing {quote}")
