"""The frame of our servers: tools that only read, syntax help as a resource, failures in one sentence."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Never

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import ToolAnnotations

from locator_search.core.errors import LocatorError, RateLimited

READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)


def new_server(name: str, syntax: dict[str, str]) -> MCPServer[Any]:
    """A server without tools. `syntax` says how queries are written, by kind: the resource `syntax://{kind}`."""
    server: MCPServer[Any] = MCPServer(name, version=version("document-locator"), log_level="ERROR")

    @server.resource(
        "syntax://{kind}",
        name="search-syntax",
        description=f"How queries are written. Kinds: {', '.join(syntax)}",
        mime_type="text/plain",
    )
    def search_syntax(kind: str) -> str:
        if kind not in syntax:
            raise ResourceError(f"There is no syntax help for `{kind}`.")
        return syntax[kind]

    return server


@contextmanager
def errors_as_answers() -> Iterator[None]:
    """Turn our errors into answers of a tool. A rate limit is worded as hosts expect it."""
    try:
        yield
    except RateLimited as error:
        raise ToolError(f"rate_limited: {_sentence(error)}") from error
    except LocatorError as error:
        raise ToolError(_sentence(error)) from error


def serve(server: MCPServer[Any], close: Callable[[], None] = lambda: None) -> Never:
    """Serve until stdin ends, or the process is told to end."""

    def end(*_: object) -> Never:
        close()
        os._exit(0)  # a read of stdin cannot be interrupted, and calls under way are not waited for

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        server.run("stdio")
    except* BrokenPipeError:  # the host is gone
        pass
    end()


def _sentence(error: LocatorError) -> str:
    return " ".join(f"{error.message} {error.hint}".split())
