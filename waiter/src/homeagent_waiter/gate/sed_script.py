r"""Gate, the language hidden in sed: addresses and ``p d q = n s///``. Pure.

::

    script   = [ command *( ";" command ) ]
    command  = [ address [ "," address ] ] [ "!" ] verb
    address  = number [ "~" number ] / "$" / "/" regex "/" [ "I" / "M" ]
             / "\" delimiter regex delimiter [ "I" / "M" ]
             / "+" number / "~" number                    ; behind "," only
    verb     = "p" / "d" / "=" / "n" / "q" [ number ]
             / "s" delimiter regex delimiter text delimiter *flag
    flag     = "g" / "p" / "i" / "I" / "m" / "M" / number

There is no way to read or write a file or to run a program in it; the flags ``w`` and
``e`` and all other commands are refused.
"""

from __future__ import annotations

import re

from .plan import Code
from .refused import RefusedError, shown

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_FLAG = re.compile(r"g|p|i|I|m|M|[1-9][0-9]{0,5}", re.ASCII)
_BRACKETS = re.compile(r"\^?+\]?+(?:\[:[a-z]{1,10}:\]|\\[tnrfv]|[^\[\]\\])*\]")
_VERBS = "p d q = n s"


def check_script(script: str, code: Code) -> list[str]:
    """Return the patterns of a script that only shows, or raise ``RefusedError``.

    ``code`` is that of the refusal.
    """
    read = _Script(script, code)
    read.check()
    return read.patterns


class _Script:
    """Reads a script from left to right; ``at`` is where it is."""

    def __init__(self, script: str, code: Code) -> None:
        self.script = script
        self.code = code
        self.at = 0
        self.patterns: list[str] = []

    def check(self) -> None:
        """Read all commands."""
        while self.at < len(self.script):
            self._spaces()
            if self._take(";"):
                continue
            if self.at < len(self.script):
                self._command()
                self._end()

    def _refused(self, hint: str) -> RefusedError:
        token = self.script[self.at :] or self.script
        return RefusedError(self.code, shown(token), hint)

    def _peek(self) -> str:
        return self.script[self.at : self.at + 1]

    def _take(self, char: str) -> bool:
        found = self._peek() == char
        self.at += found
        return found

    def _spaces(self) -> None:
        while self._take(" "):
            pass

    def _number(self) -> bool:
        match = _NUMBER.match(self.script, self.at)
        if match is not None:
            self.at = match.end()
        return match is not None

    def _command(self) -> None:
        if self._address(second=False):
            self._spaces()
            if self._take(","):
                self._spaces()
                if not self._address(second=True):
                    raise self._refused("a second address after ,")
        self._spaces()
        if self._take("!"):
            self._spaces()
        self._verb()

    def _address(self, *, second: bool) -> bool:
        """Take an address, if there is one."""
        if second and self._peek() in ("+", "~"):
            self.at += 1
            if not self._number():
                raise self._refused("a number")
            return True
        if self._take("$"):
            return True
        if self._number():
            if self._take("~") and not self._number():
                raise self._refused("a number after ~")
            return True
        if self._take("/"):
            self._until("/", "an address")
        elif self._take("\\"):
            self._until(self._delimiter(), "an address")
        else:
            return False
        while self._peek() in ("I", "M"):
            self.at += 1
        return True

    def _verb(self) -> None:
        verb = self._peek()
        if verb in ("p", "d", "=", "n"):
            self.at += 1
        elif verb == "q":
            self.at += 1
            self._spaces()
            self._number()
        elif verb == "s":
            self.at += 1
            delimiter = self._delimiter()
            self._until(delimiter, "the pattern of s")
            self._until(delimiter, "the text of s", regex=False)
            self._flags()
        else:
            raise self._refused(f"allowed are addresses and the commands {_VERBS}")

    def _delimiter(self) -> str:
        delimiter = self._peek()
        if not delimiter or delimiter not in "/|#,:@%_+=~^-!.&\"'":
            raise self._refused("a plain delimiter such as / or #")
        self.at += 1
        return delimiter

    def _until(self, delimiter: str, what: str, *, regex: bool = True) -> None:
        """Read up to the delimiter; a backslash makes the next character plain."""
        start = self.at
        while self.at < len(self.script):
            char = self.script[self.at]
            self.at += 1
            if char == delimiter:
                if regex:
                    pattern = self.script[start : self.at - 1]
                    # Behind a backslash a delimiter means what it does elsewhere.
                    self.patterns.append(pattern.replace("\\" + delimiter, delimiter))
                return
            if char == "\\":
                self.at += 1
            elif char == "[" and regex:
                self._brackets(delimiter)
        self.at = start
        raise self._refused(f"{what} up to {delimiter}")

    def _brackets(self, delimiter: str) -> None:
        r"""Read a bracket expression behind its ``[``.

        Programs differ in where one ends that holds the delimiter, a backslash or
        another ``[``, so there may be none of these, but for classes like ``[:space:]``
        and ``\t`` and its like, behind which it goes on whoever reads it.
        """
        match = _BRACKETS.match(self.script, self.at)
        if match is None or delimiter in match[0]:
            raise self._refused(
                "plain brackets such as [^0-9], [ \\t] or [[:space:]], without the delimiter"
            )
        self.at = match.end()

    def _flags(self) -> None:
        while (match := _FLAG.match(self.script, self.at)) is not None:
            self.at = match.end()

    def _end(self) -> None:
        self._spaces()
        if self.at < len(self.script) and not self._take(";"):
            raise self._refused(
                "after a command only ; (the flags of s are g p i m and a number)"
            )
