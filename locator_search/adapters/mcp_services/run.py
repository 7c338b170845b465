"""One run of a server, from start to end, inside one task: the SDK's client must be left where it was entered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from locator_search.adapters.mcp_services.child import Child, running_child
from locator_search.adapters.mcp_services.configuration import Transport
from locator_search.adapters.mcp_services.failures import ended, in_one_line
from locator_search.core.errors import ServiceError, ServiceTimedOut

if TYPE_CHECKING:
    from locator_search.adapters.mcp_services.connection import ServerConnection

logger = logging.getLogger(__name__)


async def run(
    transport: Transport,
    start_seconds: float,
    rate_limit: tuple[str, ...],
    mask: Callable[[str], str],
    begun: asyncio.Future[ServerConnection],
) -> None:
    """Run a server until it ends or this task is cancelled. `begun` becomes its connection, or a ServiceError."""
    over = asyncio.Event()
    child: Child | None = None
    failure: Exception | None = None
    deadline = asyncio.timeout(start_seconds)
    try:
        async with deadline, running_child(transport, mask) as child:
            # The SDK takes a second to import: all servers have been started by now and import theirs meanwhile.
            from locator_search.adapters.mcp_services.connection import connected

            async with connected(child, rate_limit, over) as connection:
                child.was_ready = True
                deadline.reschedule(None)
                if not begun.done():
                    begun.set_result(connection)
                    await over.wait()
    except TimeoutError:
        detail = in_one_line(child.tail.reason) if child else ""
        failure = ServiceTimedOut("not_ready", seconds=f"{start_seconds:g}", detail=detail)
    except Exception as error:
        failure = _first(error)
        logger.debug("A server of live search ended: %s", failure)
    finally:
        over.set()
        if not begun.done():
            begun.set_exception(_start_failure(failure, rate_limit, child.tail.reason if child else ""))


def _start_failure(failure: Exception | None, rate_limit: tuple[str, ...], stderr_line: str) -> ServiceError:
    from mcp import MCPError

    from locator_search.adapters.mcp_services.connection import translated

    if isinstance(failure, MCPError | ServiceError):
        return translated(failure, rate_limit, stderr_line)
    return ended(stderr_line or (str(failure) if failure else ""))


def _first(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
