"""A proxy in front of several pages: each connection goes to the next of them that lives."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle
from queue import SimpleQueue
from threading import Thread
from urllib.parse import urlsplit


@contextmanager
def page_proxy(pages: Sequence[str]) -> Iterator[str]:
    """The address of one that runs meanwhile, in a thread of its own."""
    turns = cycle([urlsplit(page).port for page in pages])
    listening: SimpleQueue[tuple[int, asyncio.Event, asyncio.AbstractEventLoop]] = SimpleQueue()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):
            for _ in pages:
                with suppress(OSError):
                    theirs, ours = await asyncio.open_connection("127.0.0.1", next(turns))
                    await asyncio.gather(_pass_on(reader, ours), _pass_on(theirs, writer))
                    return
            writer.close()

    async def listen() -> None:
        enough = asyncio.Event()
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        listening.put((server.sockets[0].getsockname()[1], enough, asyncio.get_running_loop()))
        await enough.wait()
        server.close()

    thread = Thread(target=lambda: asyncio.run(listen()), daemon=True)
    thread.start()
    port, enough, loop = listening.get()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        loop.call_soon_threadsafe(enough.set)
        thread.join()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until one end is closed; then both are."""
    with suppress(OSError):
        while piece := await reader.read(1 << 16):
            writer.write(piece)
            await writer.drain()
    writer.close()
