"""Pictures on their way to a model, and the texts that stand for those it cannot see.

Above `messages`. A tool's pictures come after all answers of the reply, labelled: most
servers want the answers directly behind the calls.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ..kernel.contract import ToolResult
from ..kernel.records import record
from .messages import Asked, Message, Picture, Shown
from .words import say

LARGEST = 8 * 1024 * 1024
"""Bytes of a picture that is sent."""


class AttachedFile(Protocol):
    """A file that belongs to what the person said."""

    @property
    def path(self) -> Path:
        """Where it is."""
        ...

    @property
    def mime_type(self) -> str:
        """What it is."""
        ...


@record
class Seen:
    """The pictures to send, and the texts for what is not sent."""

    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()


def read_files(files: Sequence[AttachedFile], *, sees: bool, language: str) -> Seen:
    """Read attached files; waits for the disk, so it belongs in the executor."""
    pictures: list[Picture] = []
    notes: list[str] = []
    for file in files:
        label = file.path.name
        if not file.mime_type.startswith("image/"):
            notes.append(say("file_hidden", language, label=label, kind=file.mime_type))
        elif not sees:
            notes.append(say("picture_hidden", language, label=label))
        else:
            data = _read(file.path)
            if data is None:
                notes.append(say("file_missing", language, label=label))
            else:
                pictures.append(_picture(file.mime_type, data, label))
    return Seen(pictures=tuple(pictures), notes=tuple(notes))


def _picture(mime_type: str, data: bytes, label: str) -> Picture:
    # Cameras say this, servers know the registered name only.
    known = "image/jpeg" if mime_type == "image/jpg" else mime_type
    return Picture(mime_type=known, data=data, label=label)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= LARGEST else None
    except OSError:
        return None


def of_result(result: ToolResult, *, sees: bool, language: str) -> Seen:
    """Return what comes with a result."""
    pictures: list[Picture] = []
    notes: list[str] = []
    for attachment in result.attachments:
        label = attachment.title or result.tool
        if not attachment.mime_type.startswith("image/"):
            notes.append(
                say("file_hidden", language, label=label, kind=attachment.mime_type)
            )
        elif sees:
            labelled = f"{result.call_id}: {label}"
            pictures.append(_picture(attachment.mime_type, attachment.data, labelled))
        else:
            notes.append(say("picture_hidden", language, label=label))
    return Seen(pictures=tuple(pictures), notes=tuple(notes))


def without_pictures(messages: Sequence[Message], language: str) -> list[Message]:
    """Return the messages with a text in the place of each picture."""

    def hide(picture: Picture) -> str:
        return say("picture_hidden", language, label=picture.label)

    hidden: list[Message] = []
    for message in messages:
        if isinstance(message, Asked) and message.pictures:
            text = "\n".join([message.text, *map(hide, message.pictures)])
            hidden.append(Asked(text=text))
        elif isinstance(message, Shown):
            hidden.append(Asked(text="\n".join(map(hide, message.pictures))))
        else:
            hidden.append(message)
    return hidden
