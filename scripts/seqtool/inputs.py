"""What the command is given: files, standard input, and JSON in them.

Above the core's strict JSON reader, so that a slip in the tools or in the arguments is
told as one in a sequence is: all at once, with line, column and caret.
"""

import os
import stat
from typing import BinaryIO, Final

from custom_components.homeagent.sequence.findings import Findings
from custom_components.homeagent.sequence.json_source import read_json
from custom_components.homeagent.sequence.nodes import Node
from custom_components.homeagent.sequence.plain_values import plain_value
from custom_components.homeagent.sequence.problems import printable
from custom_components.homeagent.sequence.sources import Source

from .problem_lines import problem_lines

STANDARD_INPUT: Final = "-"

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class BadInput(Exception):  # noqa: N818  named for what it is
    """What was given cannot be used; the text, of some lines, is for the person."""


def shown_name(path: str) -> str:
    """Return how messages name a file."""
    return "<stdin>" if path == STANDARD_INPUT else printable(path)


def read_bytes(path: str, limit: int, stdin: BinaryIO | None) -> bytes:
    """Return a file's bytes, or those of standard input, at most one over the limit.

    Devices are refused, and a pipe that nobody writes into: they might never end.

    Raises:
        BadInput: what the path names cannot be read.
    """
    try:
        if path != STANDARD_INPUT:
            return _read_file(path, limit)
        if stdin is None:
            raise BadInput("standard input is closed")
        return stdin.read(limit + 1)
    except FileNotFoundError as error:
        raise BadInput(f"there is no file {shown_name(path)}") from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BadInput(f"{shown_name(path)} cannot be read: {why}") from error
    except ValueError as error:
        raise BadInput(f"{shown_name(path)} cannot be the name of a file") from error


def _read_file(path: str, limit: int) -> bytes:
    # Without waiting: opening a pipe waits for somebody who writes into it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISFIFO(mode):
            return _read_pipe(path, descriptor, limit)
        if not stat.S_ISREG(mode):
            kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "special")
            raise BadInput(f"{shown_name(path)} is {kind}, not a file")
        return _read_on(descriptor, limit + 1)
    finally:
        os.close(descriptor)


def _read_pipe(path: str, descriptor: int, limit: int) -> bytes:
    """Read a pipe, such as a shell's `<(…)`, if there is somebody who writes into it."""
    try:
        first = os.read(descriptor, limit + 1)
    except BlockingIOError:
        first = None  # somebody is there who has not written yet
    if first == b"":
        raise BadInput(f"{shown_name(path)} is a pipe that nobody writes into")
    os.set_blocking(descriptor, True)
    begin = first or b""
    return begin + _read_on(descriptor, limit + 1 - len(begin))


def _read_on(descriptor: int, most: int) -> bytes:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read(most)


def decode(data: bytes, name: str) -> str:
    """Return the characters of UTF-8 text, without its byte order mark.

    Raises:
        BadInput: with the place of the first byte that is none.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        spot = Source(before).spot(len(before))
        raise BadInput(
            f"{name}:{spot.line}:{spot.column}: the byte"
            f" 0x{data[error.start]:02x} is not UTF-8 text"
        ) from error


def read_node(text: str, findings: Findings) -> Node | None:
    """Return a JSON text as nodes that know their places; what is wrong is told."""
    return read_json(Source(text), findings)


def demand_clean(name: str, findings: Findings) -> None:
    """Go on only if nothing was found.

    Raises:
        BadInput: with everything that was found.
    """
    problems = findings.errors.in_order()
    if problems:
        lines = [line for each in problems for line in problem_lines(name, each)]
        raise BadInput("\n".join(["this cannot be used:", *lines]))


def read_arguments(text: str) -> dict[str, object]:
    """Return the arguments of a run, a JSON object.

    Raises:
        BadInput: with everything that is wrong.
    """
    findings = Findings()
    node = read_node(text, findings)
    value = None if node is None else plain_value(node, (), findings)
    demand_clean("--args", findings)
    if not isinstance(value, dict):
        raise BadInput('--args must be a JSON object, such as {"room": "kitchen"}')
    return value
