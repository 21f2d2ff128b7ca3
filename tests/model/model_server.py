"""A real small model, served on this machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import os
from pathlib import Path
import socket

import aiohttp

CONTEXT = 4096
"""Tokens that the model is given."""

READY_SECONDS = 120


@asynccontextmanager
async def open_model(log: Path) -> AsyncIterator[str]:
    """Start the server; return the address of its API."""
    python, model = (
        os.environ[name] for name in ("HOMEAGENT_MODEL_PYTHON", "HOMEAGENT_MODEL_FILE")
    )
    port = _free_port()
    options = {
        "--model": model,
        "--host": "127.0.0.1",
        "--port": str(port),
        "--chat_format": "chatml-function-calling",
        "--n_ctx": str(CONTEXT),
        # The same words get the same answer.
        "--seed": "1",
        "--n_threads": "2",
        "--n_threads_batch": "2",
    }
    arguments = [part for option in options.items() for part in option]
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            python,
            "-m",
            "llama_cpp.server",
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            url = f"http://127.0.0.1:{port}/v1"
            await _until_ready(url, process, log)
            yield url
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _until_ready(
    url: str, process: asyncio.subprocess.Process, log: Path
) -> None:
    async with asyncio.timeout(READY_SECONDS), aiohttp.ClientSession() as session:
        while process.returncode is None:
            try:
                async with session.get(f"{url}/models") as answer:
                    if answer.status == 200:
                        return
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(0.2)
    raise RuntimeError(f"the model server ended; {log} tells why")
