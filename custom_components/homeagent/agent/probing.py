"""Trying a model server out, before an agent is saved: does it answer, does it know tools?

Above `server`. Nothing of the home is sent; the tool that is offered does nothing.
"""

from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from ..kernel.records import record
from .messages import Asked, Instructions
from .reply import ReplyReader
from .server import Limits, ModelRequest, OpenAIServer, as_trouble, secrets_of
from .troubles import Kind, Sent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from openai import AsyncOpenAI

PROBE_LIMITS: Final = Limits(silence=30.0, in_all=60.0)

_LIST_SECONDS: Final = 15.0
_MOST_MODELS: Final = 500

_TOOL: Final = {
    "type": "function",
    "function": {
        "name": "ready",
        "description": "Tells that you can call tools.",
        "parameters": {
            "type": "object",
            "properties": {"answer": {"type": "string", "enum": ["yes"]}},
            "required": ["answer"],
        },
    },
}


@record
class Probed:
    """What a model server can do."""

    streams: bool
    calls_tools: bool


async def probe(client: Callable[[], Awaitable[AsyncOpenAI]], model: str) -> Probed:
    """Ask the model to call a tool; raises `ServerTrouble` where it does not answer."""
    server = OpenAIServer(client=client, model=model, limits=PROBE_LIMITS)
    request = ModelRequest(
        messages=[
            Instructions(text="You test whether you can call tools."),
            Asked(text='Call the tool "ready" with the answer "yes" now.'),
        ],
        tools=[_TOOL],
    )
    reader = ReplyReader()
    async with aclosing(server.reply(request, reader)) as pieces:
        async for _ in pieces:
            pass
    return Probed(streams=server.streaming, calls_tools=bool(reader.calls()))


async def list_models(
    client: Callable[[], Awaitable[AsyncOpenAI]],
) -> Sequence[str]:
    """Return the models that a server offers, none where it does not tell.

    Raises `ServerTrouble` where it cannot be reached or does not accept the key.
    """
    secrets: Sequence[str] = ()
    models: list[str] = []
    try:
        made = await client()
        secrets = secrets_of(made)
        async for model in made.models.list(timeout=_LIST_SECONDS):
            models.append(str(model.id))
            if len(models) >= _MOST_MODELS:
                break
    except Exception as error:
        trouble = as_trouble(
            error, Sent(tools=False, stream=False, pictures=False), secrets
        )
        if trouble.kind in {Kind.UNREACHABLE, Kind.BAD_KEY, Kind.FORBIDDEN}:
            raise trouble from error
    return sorted(models)
