"""What ``waiter.yaml`` may hold (design page 4, §4.2). Reads no file.

Everything is strict: no text becomes a number, and an unknown key is an error.
"""

from __future__ import annotations

from pathlib import Path
import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from .gate.never import WITHOUT_GRAMMAR, runs_words

COMMAND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
HOST_NAME = re.compile(
    r"(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*"
    r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)


def _command(name: str) -> str:
    if not COMMAND.fullmatch(name):
        raise ValueError(f"{name!r} is no bare command name such as 'df'")
    return name


def _listed(name: str) -> str:
    if name not in WITHOUT_GRAMMAR and runs_words(name):
        raise ValueError(f"{name!r} runs what it is told and can never be allowed")
    return _command(name)


def _unchecked(name: str) -> str:
    if runs_words(name):
        raise ValueError(f"{name!r} runs what it is told and can never be allowed")
    return _command(name)


def _host_name(name: str) -> str:
    if not HOST_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no host name such as 'nas.example.org'")
    return name.lower().rstrip(".")


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"{str(path)!r} is no absolute path")
    return path


def _pattern(text: str) -> str:
    if not text.startswith("/") or "\0" in text:
        raise ValueError(
            f"{text!r} is no absolute path or pattern such as '/srv/keys/*'"
        )
    return text


def _url(text: str) -> str:
    parts = urlsplit(text)
    try:
        port_is_legal = parts.port is None or parts.port > 0
    except ValueError:
        port_is_legal = False
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_legal:
        raise ValueError(
            f"{text!r} is no address such as 'http://homeassistant.local:8123'"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("the address holds more than scheme, host, port and path")
    return text.rstrip("/")


def _pin(text: str) -> str:
    plain = text.removeprefix("sha256:").replace(":", "").lower()
    if not re.fullmatch(r"[0-9a-f]{64}", plain):
        raise ValueError(
            "a pin is the SHA-256 of the certificate, 64 hexadecimal digits"
        )
    return plain


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"{str(value).lower()} is no number of seconds such as 15")  # noqa: TRY004
    return value


AbsolutePath = Annotated[Path, Field(strict=False), AfterValidator(_absolute)]


class Model(BaseModel):
    """What all parts of the configuration share."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Tls(Model):
    """How the certificate of Home Assistant is checked."""

    ca_file: AbsolutePath | None = None
    pin: Annotated[str, AfterValidator(_pin)] | None = None


class Limits(Model):
    """What a command may take: seconds, bytes per stream, how many."""

    timeout: Annotated[
        float, BeforeValidator(_no_boolean), Field(strict=False, ge=1, le=300)
    ] = 15
    output: Annotated[int, Field(ge=1024, le=1024 * 1024)] = 64 * 1024
    at_once: Annotated[int, Field(ge=1, le=32)] = 4
    per_minute: Annotated[int, Field(ge=1, le=6000)] = 60


class Metrics(Model):
    """Whether and how often, in seconds, the host is measured."""

    enabled: bool = True
    interval: Annotated[int, Field(ge=10, le=3600)] = 60


class Log(Model):
    """What the waiter tells of itself, and the size of its audit log in bytes."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    audit_size: Annotated[int, Field(ge=64 * 1024, le=1024**3)] = 4 * 1024 * 1024
    audit_files: Annotated[int, Field(ge=1, le=20)] = 4


class Settings(Model):
    """All keys of ``waiter.yaml``.

    ``url`` is ``None`` only where ``check`` and ``once`` are all that is wanted; the link
    needs it.
    """

    url: Annotated[str, AfterValidator(_url)] | None = None
    key_file: AbsolutePath | None = None
    name: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    tls: Tls = Tls()
    device_authorized: bool = False
    device_cmd_allowlist: (
        Annotated[list[Annotated[str, AfterValidator(_listed)]], Field(max_length=500)]
        | None
    ) = None
    device_cmd_unchecked: Annotated[
        list[Annotated[str, AfterValidator(_unchecked)]], Field(max_length=100)
    ] = []
    device_dns_allow: Annotated[
        list[Annotated[str, AfterValidator(_host_name)]], Field(max_length=500)
    ] = []
    read_deny: Annotated[
        list[Annotated[str, AfterValidator(_pattern)]], Field(max_length=500)
    ] = []
    limits: Limits = Limits()
    metrics: Metrics = Metrics()
    log: Log = Log()


class Config(Settings):
    """The settings, and the file that they were read from, if any."""

    source: Annotated[Path, Field(strict=False)] | None = None
