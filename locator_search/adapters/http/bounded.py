"""HTTP requests that end in time as a whole, whatever a server does.

The time-outs of HTTP clients hold for one wait on the socket: a server that sends one byte a second is waited for
for ever. Here a request, from the look-up of the name to the last byte of the answer, has one time-out, its `read`
time-out, and never more than is left until the deadline of the question it is asked for.
"""

from __future__ import annotations

import asyncio
import threading
from functools import cache

import httpx2

from locator_search.core.clock import within

LONGEST_SECONDS = 600.0
"""For requests without a time-out of their own."""
MARGIN_SECONDS = 5.0
"""A caller waits so much longer, should the event loop itself be held up."""
LARGEST_ANSWER = 256 * 2**20
"""Bytes, unpacked."""
_PACKING = (b"content-encoding", b"content-length", b"transfer-encoding")


class AnswerTooLarge(httpx2.TransportError):
    """The answer is longer than anybody wants to read."""


class BoundedTransport(httpx2.BaseTransport):
    """For the `transport` of an `httpx2.Client`. Proxies are those of the environment; redirects are not followed.

    Requests run in the event loop of one thread of this process, because only there they can be broken off anywhere.
    """

    def __init__(self, largest: int = LARGEST_ANSWER) -> None:
        self._loop = _loop()
        self._client = httpx2.AsyncClient(timeout=None)
        self._largest = largest

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The whole answer. Raises httpx2.ReadTimeout, AnswerTooLarge, or another httpx2.TransportError."""
        seconds = within(request.extensions.get("timeout", {}).get("read") or LONGEST_SECONDS)
        future = asyncio.run_coroutine_threadsafe(self._answer(request, seconds), self._loop)
        try:
            return future.result(seconds + MARGIN_SECONDS)
        except TimeoutError:
            raise httpx2.ReadTimeout("There was no answer in time.") from None
        finally:
            future.cancel()

    def close(self) -> None:
        """Close the connections that are kept."""
        asyncio.run_coroutine_threadsafe(self._client.aclose(), self._loop).result(MARGIN_SECONDS)

    async def _answer(self, request: httpx2.Request, seconds: float) -> httpx2.Response:
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.send(request, stream=True)
                try:
                    content = await self._content(response)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise httpx2.ReadTimeout("There was no answer in time.") from None
        headers = [(name, value) for name, value in response.headers.raw if name.lower() not in _PACKING]
        return httpx2.Response(response.status_code, headers=headers, content=content)

    async def _content(self, response: httpx2.Response) -> bytes:
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > self._largest:
                raise AnswerTooLarge(f"The answer has more than {self._largest // 2**20} MiB.")
        return bytes(content)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="http", daemon=True).start()
    return loop
