"""Finds and reads ``waiter.yaml``; the model is in ``config`` (design page 4, §4.2).

An invalid first file ends the start; the next is not tried. Errors say key and line.
"""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
import stat
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails
import yaml

from .config import Config, Settings
from .paths import SYSTEM_CONFIG, user_config

MOST_BYTES = 256 * 1024


class ConfigError(Exception):
    """The configuration cannot be used; the text says where and what is legal."""


def find_config() -> Path | None:
    """Return the first of the usual files that is there."""
    for path in (user_config(), SYSTEM_CONFIG):
        if os.path.lexists(path):
            return path
    return None


def load_config(path: Path | None = None) -> Config:
    """Return the configuration of a file, or of the first of the usual ones.

    With no file at all it is the built-in one. Raises ``ConfigError``.
    """
    found = path or find_config()
    if found is None:
        return Config()
    text = _read(found)
    reader = _Reader()
    try:
        settings = Settings.model_validate(reader.read(text))
    except _KeyError as err:
        raise ConfigError(f"{found}: line {err.line}: {err}") from err
    except yaml.YAMLError as err:
        raise ConfigError(f"{found}: {_words(err)}") from err
    except ValidationError as err:
        said = [_said(each, reader) for each in err.errors()]
        raise ConfigError("\n".join(f"{found}: {each}" for each in said)) from err
    except (ValueError, RecursionError) as err:
        # A date that is none, or brackets in brackets without end.
        raise ConfigError(f"{found}: no YAML: {err}") from err
    return Config(source=found.absolute(), **dict(settings))


def _read(path: Path) -> str:
    """Return the text of a file that nobody else may write."""
    try:
        # A FIFO would wait for somebody to write; so it is told to be no file.
        with open(path, "rb", opener=_at_once) as opened:
            facts = os.fstat(opened.fileno())
            _check_owner(path, facts)
            data = opened.read(MOST_BYTES + 1)
    except OSError as err:
        raise ConfigError(f"{path}: cannot be read: {err.strerror}") from err
    if len(data) > MOST_BYTES:
        raise ConfigError(f"{path}: larger than {MOST_BYTES} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as err:
        raise ConfigError(f"{path}: is no UTF-8 text at byte {err.start}") from err


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _check_owner(path: Path, facts: os.stat_result) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise ConfigError(f"{path}: is no file")
    if facts.st_uid not in (0, os.geteuid()):
        raise ConfigError(f"{path}: belongs to user {facts.st_uid}; chown it to root")
    if facts.st_mode & 0o022:
        mode = stat.S_IMODE(facts.st_mode)
        raise ConfigError(f"{path}: others may write it ({mode:o}); chmod go-w {path}")


def _words(err: yaml.YAMLError) -> str:
    """Say where a text is no YAML."""
    if isinstance(err, yaml.MarkedYAMLError) and err.problem_mark is not None:
        line = err.problem_mark.line + 1
        return f"line {line}: no YAML: {err.problem or err.context}"
    return f"no YAML: {err}"


class _KeyError(Exception):
    """There is no key where one should be, or one stands twice."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


class _Reader(yaml.constructor.SafeConstructor):
    """Makes values of nodes, and remembers the line of each."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[tuple[str | int, ...], int] = {}
        self.written: dict[tuple[str | int, ...], str] = {}

    def read(self, text: str) -> Any:
        """Return the values of a text, which must be keys and values or nothing."""
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            raise _KeyError(1, "the file must be keys and values")
        return self.value(node, ())

    def value(self, node: yaml.Node, place: tuple[str | int, ...]) -> Any:
        """Return the value of a node; its place and those below get lines."""
        self.lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return dict(self._items(node, place))
        if isinstance(node, yaml.SequenceNode):
            return [
                self.value(each, (*place, index))
                for index, each in enumerate(node.value)
            ]
        self.written[place] = node.value
        return self.construct_object(node)

    def _items(
        self, node: yaml.MappingNode, place: tuple[str | int, ...]
    ) -> Iterator[tuple[str, Any]]:
        seen: set[str] = set()
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = self.construct_object(key_node)
            if not isinstance(key, str):
                raise _KeyError(line, f"the key {key_node.value!r} is no text")
            if key in seen:
                raise _KeyError(line, f"the key {key!r} stands there twice")
            seen.add(key)
            self.lines[*place, key] = line
            yield key, self.value(value_node, (*place, key))


def _said(error: ErrorDetails, reader: _Reader) -> str:
    """Say where an error is, what is wrong and what is legal."""
    place = tuple(error["loc"])
    while place and place not in reader.lines:
        place = place[:-1]
    line = reader.lines.get(place, 1)
    key = ".".join(map(str, place)) or "the file"
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        message = "is no key here; legal are " + ", ".join(_legal(place[:-1]))
    elif isinstance(error["input"], bool) and error["type"] == "string_type":
        word = reader.written.get(place, str(error["input"]))
        message = f"{word} is a boolean in YAML 1.1; write {word!r} in quotes"
    elif error["input"] is not None and error["type"] != "value_error":
        message += f", not {str(error['input'])[:60]!r}"
    return f"line {line}: {key}: {message}"


def _legal(place: tuple[str | int, ...]) -> list[str]:
    """Return the keys that may stand at a place."""
    model: Any = Settings
    for step in place:
        field = model.model_fields.get(step)
        model = field.annotation if field is not None else Settings
    return sorted(getattr(model, "model_fields", {}))
