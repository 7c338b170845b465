"""Calls to a running server, from any task. With `lines`, the only module that knows the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from mcp import Client, MCPError
from mcp.client import Transport
from mcp_types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    CallToolResult,
    EmbeddedResource,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)
from pydantic import ValidationError

from locator_search.adapters.mcp_services.failures import ended, in_one_line, refusal
from locator_search.adapters.mcp_services.results import Answer
from locator_search.adapters.mcp_services.transport.lines import LARGEST_LINE, TOO_LARGE
from locator_search.core.clock import within
from locator_search.core.errors import BadServiceAnswer, ServiceError, ServiceTimedOut

MOST_PAGES = 20
TIME_OUTS_IN_A_ROW = 2
"""After so many time-outs in a row a process is given up; the next use starts another one."""

Answered = TypeVar("Answered")
REFUSED = "Server returned an error response"
"""The words of the SDK for any refusal over HTTP."""


class Peer(Protocol):
    """The other side of a connection."""

    async def last_words(self) -> str:
        """The words it said before it ended, or refused."""
        ...


@dataclass
class ServerConnection:
    """A running server. Setting `over` makes its task end it."""

    peer: Peer
    client: Client
    rate_limit: tuple[str, ...]
    over: asyncio.Event
    tools: dict[str, Tool] = field(default_factory=dict)
    time_outs: int = 0

    async def call_tool(self, name: str, arguments: Mapping[str, Any], seconds: float) -> Answer:
        """Call a tool and return its answer. Raises ServiceError."""
        result = await self._within(self.client.call_tool(name, dict(arguments)), seconds)
        answer = _answer_of(result)
        if result.is_error:
            raise refusal(answer.text, self.rate_limit)
        return answer

    async def read_resource(self, uri: str, seconds: float) -> Answer:
        """The text of a resource. Raises ServiceError."""
        result = await self._within(self.client.read_resource(uri), seconds)
        return Answer("\n".join(each.text for each in result.contents if isinstance(each, TextResourceContents)))

    async def list_tools(self) -> dict[str, Tool]:
        """Every tool by its name."""
        tools: dict[str, Tool] = {}
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await self.client.list_tools(cursor=cursor)
            tools.update((tool.name, tool) for tool in page.tools)
            cursor = page.next_cursor
            if not cursor:
                break
        return tools

    async def _within(self, call: Awaitable[Answered], seconds: float) -> Answered:
        seconds = within(seconds)  # tasks begun for a question know its deadline
        try:
            async with asyncio.timeout(seconds):
                answered = await call
        except TimeoutError:
            self.time_outs += 1
            if self.time_outs >= TIME_OUTS_IN_A_ROW:
                self.over.set()
            raise ServiceTimedOut("no_answer", seconds=f"{seconds:.3g}") from None
        except Exception as error:
            self.time_outs = 0
            is_refusal = isinstance(error, MCPError) and error.message == REFUSED
            last_words = await self.peer.last_words() if self.over.is_set() or is_refusal else ""
            raise translated(error, self.rate_limit, last_words) from None
        self.time_outs = 0
        return answered


@asynccontextmanager
async def connected(
    peer: Peer, streams: Transport, rate_limit: tuple[str, ...], over: asyncio.Event
) -> AsyncIterator[ServerConnection]:
    """The connection to a server, once it answers. Must be left in the task in which it was entered."""
    async with Client(streams, cache=None) as client:
        connection = ServerConnection(peer, client, rate_limit, over)
        connection.tools = await connection.list_tools()
        yield connection


def translated(error: Exception, rate_limit: tuple[str, ...], last_words: str) -> ServiceError:
    """An error of the SDK as ours. `last_words` are those of the server."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, ValidationError):
        return BadServiceAnswer("no_mcp")
    if not isinstance(error, MCPError):
        # The SDK raises bare RuntimeErrors for answers that break the tool's own schema.
        return BadServiceAnswer("unusable", detail=in_one_line(str(error)))
    if error.code == CONNECTION_CLOSED:
        return ended(last_words)
    if error.code == REQUEST_TIMEOUT:
        return ServiceTimedOut("error", detail=in_one_line(error.message))
    if error.code == TOO_LARGE:
        return BadServiceAnswer("too_large", mib=str(LARGEST_LINE // 2**20))
    return refusal(last_words if error.message == REFUSED and last_words else error.message, rate_limit)


def _answer_of(result: CallToolResult) -> Answer:
    parts = tuple(each.text for each in result.content if isinstance(each, TextContent))
    named = [each.model_dump() for each in result.content if isinstance(each, ResourceLink)]
    brought = [each.resource.model_dump() for each in result.content if isinstance(each, EmbeddedResource)]
    return Answer("\n".join(parts), result.structured_content, parts, (*named, *brought))
