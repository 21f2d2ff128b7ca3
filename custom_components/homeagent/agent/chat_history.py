"""Home Assistant's chat log as messages for a model, and our results as its entries.

Above `messages` and `healing`. The log may hold what other agents said in the same
conversation; whatever is in it, a history comes out that a server takes.
"""

from collections.abc import Mapping, Sequence

from homeassistant.components.conversation import (
    AssistantContent,
    Content,
    SystemContent,
    ToolResultContent,
    UserContent,
)
from homeassistant.helpers import llm

from ..kernel.arguments import parse_arguments
from ..kernel.contract import ToolResult, UnparsedArguments
from ..kernel.json_text import encode_json
from ..kernel.json_values import to_json_value
from ..kernel.rendering import render_value
from .healing import heal
from .messages import Answered, Asked, Made, Message, Said
from .words import FILLERS, say

ARG_ERROR = "__arg_error"
"""Key that stands in the place of arguments that could not be parsed (page 1 §1.2)."""


def read_log(content: Sequence[Content], language: str) -> list[Message]:
    """Return the log as a healed history, without instructions.

    Attachments of earlier turns are named, not shown again; the caller adds those of
    the turn under way.
    """
    messages: list[Message] = []
    for each in content:
        messages += _read(each, language)
    return heal(messages)


def last_said(content: Sequence[Content]) -> str:
    """Return what was said last before the person's words that end the log."""
    before = content[:-1] if isinstance(content[-1], UserContent) else content
    if before and isinstance(last := before[-1], AssistantContent):
        return last.content or ""
    return ""


def _read(content: Content, language: str) -> list[Message]:
    match content:
        case SystemContent():
            return []
        case UserContent():
            names = [
                say("picture_before", language, label=attachment.path.name)
                for attachment in content.attachments or ()
            ]
            return [Asked(text="\n".join([content.content, *names]))]
        case AssistantContent():
            return [_said(content)]
        case ToolResultContent():
            return [_answered(content)]


def _said(content: AssistantContent) -> Said:
    text = (content.content or "").strip()
    return Said(
        text="" if text in FILLERS else text,
        calls=tuple(
            Made(
                id=call.id,
                function=call.tool_name,
                arguments=encode_json(to_json_value(call.tool_args)),
            )
            for call in content.tool_calls or ()
        ),
    )


def _answered(content: ToolResultContent) -> Answered:
    data = content.result.data
    match data:
        case {"text": str(text)} | {"error": str(text)} if len(data) == 1:
            pass
        case _:
            text = render_value(data)
    return Answered(
        call_id=content.tool_call_id,
        function=content.tool_name,
        text=text,
        failed=content.result.error,
    )


def result_data(result: ToolResult, text: str) -> llm.ToolResult:
    """Return what the log keeps of a result: the text that the model reads."""
    if result.success:
        return llm.ToolResult(data={"text": text})
    return llm.ToolResult(data={"error": text}, error=True)


def log_arguments(raw: str) -> dict[str, object]:
    """Return a call's arguments for the log, or what was wrong with them."""
    parsed = parse_arguments(raw)
    if isinstance(parsed, UnparsedArguments):
        return {ARG_ERROR: parsed.error.detail}
    plain = to_json_value(parsed)
    return dict(plain) if isinstance(plain, Mapping) else {}
