"""JSON-RPC over the pipes of a child, one message per line: the transport the SDK's client is given.

The SDK's own parses one long line in quadratic time and holds it whole; here a line beyond the limit is thrown away as
it comes, and the request it answers fails at once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, jsonrpc_message_adapter

from locator_search.adapters.mcp_services.transport.child import Child

LARGEST_LINE = 4 * 2**20
"""Bytes. Parsing that much holds up the other services for less than a tenth of a second."""
TOO_LARGE = -32099
"""Our own error code, from the range left to implementations."""
_PIECE = 1 << 16
_EDGE = 256
_ID_FIRST = re.compile(rb'^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)')
_ID_LAST = re.compile(rb'"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def message_streams(child: Child, on_end: Callable[[], None]) -> AsyncIterator[Streams]:
    """The streams of one connection. `on_end` is called when the server closes its stdout, which is how it dies."""
    incoming_writer, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_reader = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        async with incoming_writer:
            try:
                async for message in _messages(child.stdout):
                    await incoming_writer.send(message)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                pass  # the session is over
            finally:
                on_end()

    async def write() -> None:
        async with outgoing_reader:
            async for message in outgoing_reader:
                line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    child.stdin.write(line.encode() + b"\n")
                    await child.stdin.drain()
                except (OSError, RuntimeError):
                    on_end()
                    return

    tasks = [asyncio.create_task(read()), asyncio.create_task(write())]
    try:
        yield incoming, outgoing
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for stream in (incoming, outgoing, incoming_writer, outgoing_reader):
            stream.close()


async def _messages(stdout: asyncio.StreamReader) -> AsyncIterator[SessionMessage]:
    line = _Line()
    while piece := await stdout.read(_PIECE):
        *ends, rest = piece.split(b"\n")
        for end in ends:
            line.add(end)
            message = line.message()
            if message is not None:
                yield message
            line = _Line()
        line.add(rest)


class _Line:
    """A line as it comes in, of which no more than the limit is ever held."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._head = b""
        self._last = b""

    def add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= LARGEST_LINE:
            self._pieces.append(piece)
            return
        if self._pieces:
            whole = b"".join(self._pieces)
            self._head, self._last = whole[:_EDGE], whole[-_EDGE:]
            self._pieces = []
        self._last = (self._last + piece)[-_EDGE:]

    def message(self) -> SessionMessage | None:
        """The line as a message; None for anything else that some servers print."""
        if self._size > LARGEST_LINE:
            return self._refusal()
        line = b"".join(self._pieces)
        if not line.strip():
            return None
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except (ValueError, RecursionError):
            return None

    def _refusal(self) -> SessionMessage | None:
        found = _ID_FIRST.search(self._head) or _ID_LAST.search(self._last)
        if found is None:
            return None
        error = ErrorData(code=TOO_LARGE, message=f"The answer is larger than {LARGEST_LINE // 2**20} MiB.")
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=int(found[1]), error=error))
