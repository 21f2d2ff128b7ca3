"""A line between two ends that can begin to swallow everything, closing nothing."""

import asyncio
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class StallingProxy:
    """Listens at `url` and passes on to another address, until it stalls.

    `connections` counts those that were begun.
    """

    def __init__(self, target: str) -> None:
        """Take the address to pass on to."""
        parts = urlsplit(target)
        self._host, self._port = parts.hostname, parts.port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = True
        self.connections = 0

    async def __aenter__(self) -> Self:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close everything."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """The address of this end."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def stall(self) -> None:
        """Swallow everything from now on."""
        self._flowing = False

    def flow(self) -> None:
        """Pass on what comes over new connections; the old ones stay dead."""
        for task in self._tasks:
            task.cancel()
        self._flowing = True

    def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        there_reader, there_writer = await asyncio.open_connection(
            self._host, self._port
        )
        try:
            await asyncio.gather(
                self._pass_on(reader, there_writer),
                self._pass_on(there_reader, writer),
            )
        finally:
            writer.close()
            there_writer.close()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(65536):
            if self._flowing:
                writer.write(data)
                await writer.drain()
        while not self._flowing:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        writer.close()
