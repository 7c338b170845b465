"""A server elsewhere, over streamable HTTP: signed in where it asks for it, and no answer larger than ours may be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from locator_search.adapters.mcp_services.configuration import Transport
from locator_search.adapters.mcp_services.transport.lines import LARGEST_LINE

CONNECT_SECONDS, READ_SECONDS = 30.0, 300.0
"""Of one request; calls have limits of their own."""
LAST_WORDS_SECONDS = 0.3


@dataclass
class Remote:
    """The connection to a server elsewhere: what it refused last, or why it ended."""

    reason: str = ""
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def last_words(self) -> str:
        """The reason for its end, which may be known a moment after the end itself."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await self.ended.wait()
        return self.reason

    async def take(self, response: httpx2.Response) -> None:
        """Look at a response before it is read."""
        refused = f"HTTP {response.status_code} {response.reason_phrase}".strip()
        self.reason = refused if response.is_error else ""
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            stream = response.stream
            if isinstance(stream, httpx2.AsyncByteStream):
                response.stream = _Capped(stream)


class _Capped(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > LARGEST_LINE:
                raise httpx2.StreamError(f"The answer is larger than {LARGEST_LINE // 2**20} MiB.")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


@asynccontextmanager
async def remote_streams(
    transport: Transport, remote: Remote, auth: httpx2.Auth | None
) -> AsyncIterator[TransportStreams]:
    """The streams of one connection. Nothing is read compressed, so that the limit holds for what is unpacked, too."""
    async with (
        httpx2.AsyncClient(
            headers={**transport.headers, "Accept-Encoding": "identity"},
            timeout=httpx2.Timeout(CONNECT_SECONDS, read=READ_SECONDS),
            auth=auth,
            event_hooks={"response": [remote.take]},
        ) as client,
        streamable_http_client(transport.url, http_client=client, max_sse_event_size=LARGEST_LINE) as streams,
    ):
        yield streams
