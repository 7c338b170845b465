"""Runs the server over stdio or HTTP, and ends it without leaving anything behind."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from locator_search.core.errors import ConfigurationError, LocatorError
from locator_search.core.masking import mask
from locator_search.core.reader import reading_as
from locator_search.guard import Guard, Health, names_of, read_sign_in, refuse_open_doors
from locator_search.health.readiness import probes
from locator_search.locales.said import error_in_words
from locator_search.mcp_server.callers import Callers
from locator_search.mcp_server.index_tools import IndexTools
from locator_search.mcp_server.server import make_server
from locator_search.mcp_server.texts import Sentences

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from locator_search.config.settings import Settings

HOST = "127.0.0.1"
PATH = "/mcp"
LAST_ANSWERS_SECONDS = 2
"""Time for answers that are under way when the HTTP server is told to end."""


def serve_stdio(settings: Settings) -> None:
    """Speak MCP over stdin and stdout until stdin ends, or the process is told to."""
    with _open_tools(settings) as tools:
        try:
            server_for(tools, settings).run("stdio")
        except* BrokenPipeError:  # the client is gone
            pass


def serve_http(settings: Settings, port: int, announce: Callable[[str], None]) -> None:
    """Speak MCP over HTTP on loopback until the process is told to end. Port 0 takes a free one.

    `announce` is told the URL. Requests with the Host or Origin of another machine are refused. Every request stands
    for itself, so a restart or a proxy in between loses nothing. With permissions, each brings its person's token.
    Raises ConfigurationError where the port is taken, or nobody could prove who they are.
    """
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    if not settings.locator_permissions:  # else `Callers` needs the sign-in
        refuse_open_doors(HOST, read_sign_in(), settings.naming_people)
    names = names_of(settings.locator_allowed_hosts, [settings.locator_mcp_url])
    with _open_tools(settings) as tools, _listening(port) as listener:
        url = f"http://{HOST}:{listener.getsockname()[1]}{PATH}"
        callers = Callers(settings, settings.locator_mcp_url or url) if settings.locator_permissions else None
        app = server_for(tools, settings, callers).streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            json_response=True,
            # The guard holds Host and Origin against one rule for all our servers, the ports of this machine included.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        config = uvicorn.Config(
            Health(Guard(app, names, settings.locator_language), **probes(settings)),
            http="h11",  # the other parser keeps blanks around values of headers, which MCP compares
            log_config=None,
            timeout_graceful_shutdown=LAST_ANSWERS_SECONDS,
        )
        announce(url)
        with reading_as(None):  # whoever started the server is not who calls
            uvicorn.Server(config).run(sockets=[listener])


def server_for(tools: IndexTools, settings: Settings, callers: Callers | None = None) -> MCPServer[Any]:
    """An MCP server over these tools, in the language of the settings."""
    say = Sentences.of(settings.locator_language)
    return make_server(tools, _error_wording(settings), say.wrong_arguments, callers)


@contextmanager
def _open_tools(settings: Settings) -> Iterator[IndexTools]:
    """The tools, closed at the end, and by a signal from within its handler: a read of stdin cannot be interrupted, so
    an ordinary end of the program would wait for one more line."""
    tools = IndexTools(settings)

    def end(*_: object) -> None:
        _ignore_signals()
        tools.close()
        os._exit(0)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        yield tools
    finally:
        _ignore_signals()
        tools.close()


def _ignore_signals() -> None:
    """Ignore signals: closing must not begin twice, nor be broken off."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen()  # clients that read the address may connect at once
        except OSError as error:
            raise ConfigurationError(
                f"Port {port} of {HOST} cannot be listened on: {error.strerror}.",
                hint="Name another one with --port, or 0 for a free one.",
            ) from None
        yield listener


def _error_wording(settings: Settings) -> Callable[[LocatorError], str]:
    """Words an error for somebody who may sit at another machine: no secret, and no path of this one."""
    home = settings.home
    replacements = {str(home): "LOCATOR_HOME", str(home.resolve()): "LOCATOR_HOME"}

    def wording(error: LocatorError) -> str:
        message = mask(" ".join(" ".join(error_in_words(error, settings.locator_language)).split()))
        for path in sorted(replacements, key=len, reverse=True):
            message = message.replace(path, replacements[path])
        return message

    return wording
