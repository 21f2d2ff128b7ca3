"""What an agent is set to: the data of its subentry.

Beside the flow that edits it and the entity that reads it; imports nothing of ours but
names. Whatever is stored, settings come out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

SUBENTRY_TYPE: Final = "conversation"

CONF_URL: Final = "url"
CONF_KEY: Final = "api_key"
CONF_MODEL: Final = "model"
CONF_PROMPT: Final = "prompt"
CONF_TOOL_CHOICE: Final = "tool_choice"
CONF_CONTEXT: Final = "context"
CONF_VISION: Final = "vision"
CONF_SIMPLE: Final = "simple_tools"

TOOL_CHOICES: Final = ("auto", "required", "none")

DEFAULT_URL: Final = "http://localhost:11434/v1"
DEFAULT_CONTEXT: Final = 16_384
SMALLEST_CONTEXT: Final = 2_048
LARGEST_CONTEXT: Final = 2_000_000
"""Tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the model is, and how it is used; `prompt` is a template of the user's.

    `simple` is for small models: tools are shown in their simplest form.
    """

    url: str
    model: str
    key: str = ""
    prompt: str = ""
    tool_choice: str = "auto"
    context: int = DEFAULT_CONTEXT
    vision: bool = False
    simple: bool = False

    @classmethod
    def of(cls, data: Mapping[str, object]) -> Settings:
        """Read the data of a subentry."""
        choice = str(data.get(CONF_TOOL_CHOICE) or "auto")
        return cls(
            url=str(data.get(CONF_URL) or ""),
            model=str(data.get(CONF_MODEL) or ""),
            key=str(data.get(CONF_KEY) or ""),
            prompt=str(data.get(CONF_PROMPT) or ""),
            tool_choice=choice if choice in TOOL_CHOICES else "auto",
            context=_whole(data.get(CONF_CONTEXT)),
            vision=data.get(CONF_VISION) is True,
            simple=data.get(CONF_SIMPLE) is True,
        )

    @property
    def server_name(self) -> str:
        """The server's host and port, without what may be secret in an address."""
        return server_name(self.url)


def server_name(url: str) -> str:
    """Return host and port of an address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    return f"{host}:{port}" if port else host


def is_address(url: str) -> bool:
    """Whether a text is the address of a web server."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return False


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return DEFAULT_CONTEXT
    return min(max(int(value), SMALLEST_CONTEXT), LARGEST_CONTEXT)
