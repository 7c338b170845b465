"""One run of a server, from start to end, inside one task: the SDK's client must be left where it was entered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locator_search.adapters.mcp_services.configuration import Transport
from locator_search.adapters.mcp_services.failures import ended, in_one_line
from locator_search.adapters.mcp_services.transport.child import Child, running_child
from locator_search.core.errors import ServiceError, ServiceTimedOut, ServiceUnavailable
from locator_search.ports import SignIns

if TYPE_CHECKING:
    from locator_search.adapters.mcp_services.connection import ServerConnection
    from locator_search.adapters.mcp_services.transport.remote import Remote

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class How:
    """How the server of a service is run: a person is shown an address to sign in at where `ask` is given, and asked
    nothing otherwise."""

    name: str
    transport: Transport
    start_seconds: float
    rate_limit: tuple[str, ...]
    mask: Callable[[str], str]
    sign_ins: SignIns
    ask: Callable[[str], None] | None = None


async def run(how: How, begun: asyncio.Future[ServerConnection]) -> None:
    """Run a server until it ends or this task is cancelled. `begun` becomes its connection, or a ServiceError."""
    over = asyncio.Event()
    peers: list[Child | Remote] = []
    failure: Exception | None = None
    deadline = asyncio.timeout(how.start_seconds)
    try:
        opening = _elsewhere(how, over, peers) if how.transport.url else _here(how, over, peers)
        async with deadline, opening as connection:
            deadline.reschedule(None)
            if not begun.done():
                begun.set_result(connection)
                await over.wait()
    except TimeoutError:
        failure = ServiceTimedOut("not_ready", seconds=f"{how.start_seconds:g}", detail=in_one_line(_reason(peers)))
    except Exception as error:
        failure = _first(error)
        logger.debug("A server of live search ended: %s", failure)
    finally:
        _tell_its_end(peers, failure)
        over.set()
        if not begun.done():
            begun.set_exception(_start_failure(failure, how, _reason(peers)))


@asynccontextmanager
async def _here(how: How, over: asyncio.Event, peers: list[Child | Remote]) -> AsyncIterator[ServerConnection]:
    """The connection to a process of our own."""
    async with running_child(how.transport, how.mask) as child:
        peers.append(child)
        # The SDK takes a second to import: all servers have been started by now and import theirs meanwhile.
        from locator_search.adapters.mcp_services.connection import connected
        from locator_search.adapters.mcp_services.transport.lines import message_streams

        async with connected(child, message_streams(child, over.set), how.rate_limit, over) as connection:
            child.was_ready = True
            yield connection


@asynccontextmanager
async def _elsewhere(how: How, over: asyncio.Event, peers: list[Child | Remote]) -> AsyncIterator[ServerConnection]:
    """The connection to an address. A server whose requests carry `Authorization` already is not signed in to."""
    from locator_search.adapters.mcp_services.connection import connected
    from locator_search.adapters.mcp_services.transport.oauth import SignIn, asking
    from locator_search.adapters.mcp_services.transport.remote import Remote, remote_streams

    transport, remote = how.transport, Remote()
    peers.append(remote)
    async with AsyncExitStack() as stack:
        sign_in = None
        if "authorization" not in map(str.lower, transport.headers):
            sign_in = (
                await stack.enter_async_context(asking(transport.url, how.name, how.sign_ins, how.ask))
                if how.ask
                else SignIn(transport.url, how.name, how.sign_ins)
            )
        streams = remote_streams(transport, remote, sign_in)
        yield await stack.enter_async_context(connected(remote, streams, how.rate_limit, over))


def _tell_its_end(peers: list[Child | Remote], failure: Exception | None) -> None:
    """Calls that were under way learn why a connection elsewhere ended; a process has said it on stderr."""
    for peer in peers:
        if not isinstance(peer, Child):
            peer.reason = peer.reason or str(failure or "")
            peer.ended.set()


def _reason(peers: list[Child | Remote]) -> str:
    return next((peer.tail.reason if isinstance(peer, Child) else peer.reason for peer in peers), "")


def _start_failure(failure: Exception | None, how: How, last_words: str) -> ServiceError:
    from mcp import MCPError

    from locator_search.adapters.mcp_services.connection import translated

    if isinstance(failure, MCPError | ServiceError):
        return translated(failure, how.rate_limit, last_words)
    said = last_words or (str(failure) if failure else "")
    return ServiceUnavailable("unreachable", detail=in_one_line(said)) if how.transport.url else ended(said)


def _first(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
