"""A model server that says what a test tells it to, byte by byte.

A real HTTP server on this machine: the real client connects to it. What it cannot find in
its script is an error that the test sees.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
import json
from typing import Any

from aiohttp import web

type Body = dict[str, Any]
type Step = bytes | asyncio.Event | Callable[[], Awaitable[object]]
"""Bytes to send, something to wait for, or something to do in between."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer: its parts are sent one by one; `broken` ends it without an end."""

    steps: Sequence[Step] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream"
    broken: bool = False


type Script = Reply | Callable[[Body], Reply]


class Watch:
    """Wakes whoever waits for something to become so."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()

    def touch(self) -> None:
        """Tell that something changed."""
        self._changed.set()

    async def until(self, done: Callable[[], object]) -> None:
        """Wait until it is so, looking after every change."""
        async with asyncio.timeout(20):
            while not done():
                self._changed.clear()
                await self._changed.wait()


@dataclass
class ScriptedServer:
    """The server; `requests` are the bodies that came, `keys` the keys with them."""

    url: str = ""
    script: deque[Script] = field(default_factory=deque)
    always: Script | None = None
    requests: list[Body] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    models: Sequence[str] = ("scripted",)
    open_now: int = 0
    watch: Watch = field(default_factory=Watch)

    def say(self, *replies: Script) -> None:
        """Put replies at the end of the script."""
        self.script.extend(replies)

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.keys.append(request.headers.get("Authorization"))
        step = self.script.popleft() if self.script else self.always
        if step is None:
            return web.json_response(
                {"error": {"message": "the script has no more replies"}}, status=418
            )
        reply = step if isinstance(step, Reply) else step(body)
        self.open_now += 1
        self.watch.touch()
        try:
            return await self._send(request, reply)
        finally:
            self.open_now -= 1
            self.watch.touch()

    async def _send(self, request: web.Request, reply: Reply) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=dict(reply.headers))
        response.content_type = reply.content_type
        await response.prepare(request)
        for step in reply.steps:
            if isinstance(step, bytes):
                if step:
                    await response.write(step)
            elif isinstance(step, asyncio.Event):
                await step.wait()
            else:
                await step()
        if reply.broken:
            assert request.transport is not None
            request.transport.abort()
        else:
            await response.write_eof()
        return response

    async def _list(self, request: web.Request) -> web.Response:
        data = [{"id": name, "object": "model"} for name in self.models]
        return web.json_response({"object": "list", "data": data})


@asynccontextmanager
async def open_server() -> AsyncIterator[ScriptedServer]:
    """Start a server on a free port of this machine; stop it at the end."""
    server = ScriptedServer()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", server._complete)
    app.router.add_get("/v1/models", server._list)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        server.url = f"http://127.0.0.1:{port}/v1"
        yield server
    finally:
        with suppress(TimeoutError):
            await runner.cleanup()


def event(data: object) -> bytes:
    """Return one event of a stream."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


DONE = b"data: [DONE]\n\n"


def chunk(delta: Body, finish: str | None = None) -> bytes:
    """Return one chunk of a streamed reply."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return event({"id": "c", "object": "chat.completion.chunk", "choices": [choice]})


def words(*pieces: str, finish: str = "stop") -> Reply:
    """Return a streamed reply of words."""
    first = chunk({"role": "assistant", "content": ""})
    said = [chunk({"content": piece}) for piece in pieces]
    return Reply(steps=[first, *said, chunk({}, finish), DONE])


def fragment(
    index: int, name: str, arguments: object, call_id: str | None = None
) -> Body:
    """Return one whole call as it stands in a chunk."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {
        "index": index,
        "id": f"call_{index}" if call_id is None else call_id,
        "type": "function",
        "function": {"name": name, "arguments": text},
    }


def calls(
    *made: tuple[str, object], text: str = "", finish: str = "tool_calls"
) -> Reply:
    """Return a streamed reply of calls, as OpenAI sends them."""
    steps = [chunk({"role": "assistant", "content": text or None})]
    for index, (name, arguments) in enumerate(made):
        whole = fragment(index, name, arguments)
        told = whole["function"]["arguments"]
        whole["function"] = {"name": name, "arguments": ""}
        steps.append(chunk({"tool_calls": [whole]}))
        half = len(told) // 2
        steps += [
            chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
            for part in (told[:half], told[half:])
            if part
        ]
    return Reply(steps=[*steps, chunk({}, finish), DONE])


def refusal(
    status: int, message: str, headers: Mapping[str, str] | None = None, **more: object
) -> Reply:
    """Return an error as servers send them."""
    body = json.dumps({"error": {"message": message, **more}}).encode()
    return Reply(
        steps=[body],
        status=status,
        headers=headers or {},
        content_type="application/json",
    )


def whole(message: Body, finish: str = "stop") -> Reply:
    """Return a reply that is not streamed."""
    body = {
        "id": "c",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return Reply(steps=[json.dumps(body).encode()], content_type="application/json")
