"""The messages of a conversation, and their form for a chat completions server.

Pure; above the kernel only. What the model said and what tools answered are messages of
their own kinds, so that no text can pose as another (page 3 §3.3).
"""

from base64 import b64encode

from ..kernel.json_values import well_formed
from ..kernel.records import record

type Wire = dict[str, object]


@record
class Picture:
    """A picture that a model may see; `label` says what it is."""

    mime_type: str
    data: bytes
    label: str


@record
class Instructions:
    """What the model is told before everything else."""

    text: str


@record
class Asked:
    """What the person said."""

    text: str
    pictures: tuple[Picture, ...] = ()


@record
class Made:
    """One call as the model made it: the function's name, its arguments as JSON text."""

    id: str
    function: str
    arguments: str


@record
class Said:
    """What the model said, and the calls it made with it.

    `thought` is sent back under `thought_key` to servers that want it for their calls.
    """

    text: str = ""
    calls: tuple[Made, ...] = ()
    thought: str = ""
    thought_key: str | None = None


@record
class Answered:
    """What came of one call."""

    call_id: str
    function: str
    text: str
    failed: bool = False


@record
class Shown:
    """Pictures that calls brought, after all answers of their reply."""

    pictures: tuple[Picture, ...]


type Message = Instructions | Asked | Said | Answered | Shown


def to_wire(message: Message) -> Wire:
    """Return a message as the server takes it."""
    match message:
        case Instructions():
            return {"role": "system", "content": well_formed(message.text)}
        case Asked():
            return {"role": "user", "content": _content(message.text, message.pictures)}
        case Shown():
            return {"role": "user", "content": _content("", message.pictures)}
        case Answered():
            return {
                "role": "tool",
                "tool_call_id": message.call_id,
                "content": well_formed(message.text),
            }
        case Said():
            return _said(message)


def _said(message: Said) -> Wire:
    wire: Wire = {"role": "assistant", "content": well_formed(message.text)}
    if message.calls:
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function, "arguments": call.arguments},
            }
            for call in message.calls
        ]
        if message.thought_key and message.thought:
            wire[message.thought_key] = well_formed(message.thought)
    return wire


def _content(text: str, pictures: tuple[Picture, ...]) -> object:
    if not pictures:
        return well_formed(text)
    parts: list[Wire] = []
    if text:
        parts.append({"type": "text", "text": well_formed(text)})
    for picture in pictures:
        encoded = b64encode(picture.data).decode()
        url = f"data:{picture.mime_type};base64,{encoded}"
        parts.append({"type": "text", "text": well_formed(f"[{picture.label}]")})
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts
