"""The ServiceGateway: many servers behind one synchronous face."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from locator_search.adapters.mcp_services.failures import failure_of
from locator_search.adapters.mcp_services.loop_thread import LoopThread
from locator_search.adapters.mcp_services.server import Server
from locator_search.core.clock import within
from locator_search.core.errors import ServiceError, ServiceMisconfigured, ServiceRateLimited
from locator_search.core.service_faults import ServiceFault
from locator_search.model import FetchReply, SearchReply, Service, ServiceFailure, ServiceHit, ServiceQuery

MARGIN_SECONDS = 5.0
"""The caller's thread waits so much longer than the time-out, should the loop itself be held up."""
GRACE_SECONDS = 0.5
"""A call's own time-out ends first, so that its server notices that the process may hang."""
CLOSE_SECONDS = 12.0
logger = logging.getLogger(__name__)

Asked = TypeVar("Asked", ServiceQuery, ServiceHit)
Reply = TypeVar("Reply", SearchReply, FetchReply)


class McpServiceGateway:
    """One process for each service, started when first needed. Thread-safe; calls do not know of each other."""

    def __init__(
        self, servers: Sequence[Server], question_seconds: float, patience_seconds: float, mask: Callable[[str], str]
    ) -> None:
        self._servers = {server.name: server for server in servers}
        self._seconds = question_seconds
        self._patience = patience_seconds
        self._mask = mask
        self._loop = LoopThread()
        self._closed = False

    def configured(self) -> tuple[Service, ...]:
        """Every configured service; one whose program is not there has failed already."""
        return tuple(server.configured for server in self._all)

    def prepare(self) -> None:
        """Begin to start every server that does not run."""
        self._loop.submit(_all_begun(self._all))

    def services(self) -> tuple[Service, ...]:
        """Every configured service, started; a slow one does not hold the others."""
        longest = max((server.limits.start_seconds + server.limits.fetch_seconds for server in self._all), default=0.0)
        future = self._loop.submit(_all_settled(self._all, self._patience))
        try:
            with contextlib.suppress(TimeoutError):
                future.result(within(longest + MARGIN_SECONDS))
        finally:
            future.cancel()
        return tuple(server.service for server in self._all)

    def search(
        self,
        queries: Sequence[ServiceQuery],
        max_results: int = 3,
        on_reply: Callable[[SearchReply], None] | None = None,
    ) -> list[SearchReply]:
        """Put all queries at the same time."""

        async def ask(query: ServiceQuery, is_limited: Callable[[], bool]) -> SearchReply:
            return SearchReply(query, tuple(await self._server(query.service).search(query, max_results, is_limited)))

        return self._at_once(queries, ask, SearchReply, on_reply)

    def fetch(
        self, hits: Sequence[ServiceHit], on_reply: Callable[[FetchReply], None] | None = None
    ) -> list[FetchReply]:
        """Read the bodies of all hits at the same time."""

        async def ask(hit: ServiceHit, is_limited: Callable[[], bool]) -> FetchReply:
            return FetchReply(hit, await self._server(hit.service).fetch(hit, is_limited))

        return self._at_once(hits, ask, FetchReply, on_reply)

    def readable(self, hits: Sequence[ServiceHit]) -> list[ServiceHit]:
        """All: here, whoever asks is who the servers act for."""
        return list(hits)

    def close(self) -> None:
        """End every server."""
        if self._closed:
            return
        self._closed = True
        future = self._loop.submit(_all_closed(self._all))
        with contextlib.suppress(TimeoutError):
            future.result(CLOSE_SECONDS)
        self._loop.stop()

    def _at_once(
        self,
        asked: Sequence[Asked],
        ask: Callable[[Asked, Callable[[], bool]], Awaitable[Reply]],
        empty: Callable[[Asked], Reply],
        on_reply: Callable[[Reply], None] | None,
    ) -> list[Reply]:
        """A reply for everything asked, whatever happens, within the deadline of the question where there is one.

        Leaving early cancels what is under way. `ask` is handed a check whether its service has answered, during this
        call, that it is asked too often.
        """
        seconds = within(self._seconds)
        limited: set[str] = set()
        arrived: queue.SimpleQueue[tuple[int, Reply] | None] = queue.SimpleQueue()

        async def one(number: int, each: Asked) -> None:
            started = time.monotonic()
            try:
                async with asyncio.timeout(seconds + GRACE_SECONDS):
                    reply = await ask(each, lambda: each.service in limited)
            except TimeoutError:
                reply = replace(empty(each), failure=_too_late(seconds))
            except ServiceError as error:
                if isinstance(error, ServiceRateLimited):
                    limited.add(each.service)
                reply = replace(empty(each), failure=failure_of(error, self._mask))
            except Exception as error:
                logger.exception("A service could not be asked")
                fault = ServiceFault("unforeseen", {"detail": type(error).__name__})
                reply = replace(empty(each), failure=ServiceFailure("bad_answer", fault))
            arrived.put((number, replace(reply, seconds=time.monotonic() - started)))

        async def everything() -> None:
            await asyncio.gather(*(one(number, each) for number, each in enumerate(asked)))

        replies: dict[int, Reply] = {}
        ends_at = time.monotonic() + seconds + MARGIN_SECONDS
        future = self._loop.submit(everything())
        future.add_done_callback(lambda _: arrived.put(None))  # after the last reply, or when all was closed
        try:
            while arrival := arrived.get(timeout=max(0.0, ends_at - time.monotonic())):
                number, reply = arrival
                replies[number] = reply
                if on_reply is not None:
                    on_reply(reply)
        except queue.Empty:
            logger.warning("Services could not be asked in time: the event loop is held up")
        finally:
            future.cancel()
        late = _too_late(seconds)
        return [
            replies.get(number) or replace(empty(each), failure=late, seconds=seconds)
            for number, each in enumerate(asked)
        ]

    @property
    def _all(self) -> tuple[Server, ...]:
        return tuple(self._servers.values())

    def _server(self, name: str) -> Server:
        if name not in self._servers:
            raise ServiceMisconfigured("no_service", name=name)
        return self._servers[name]


async def _all_begun(servers: Sequence[Server]) -> None:
    for server in servers:
        server.begin()


async def _all_settled(servers: Sequence[Server], patience: float) -> None:
    """Wait until every server is ready or has failed; `patience` seconds more, once one is ready, for the slow ones."""
    settling = [asyncio.create_task(server.settle()) for server in servers]
    try:
        for settled in asyncio.as_completed(settling):
            await settled
            if any(server.is_ready for server in servers):
                break
        await asyncio.wait(settling, timeout=patience)
    finally:
        for each in settling:
            each.cancel()


async def _all_closed(servers: Sequence[Server]) -> None:
    await asyncio.gather(*(server.close() for server in servers), return_exceptions=True)


def _too_late(seconds: float) -> ServiceFailure:
    return ServiceFailure("timed_out", ServiceFault("no_answer", {"seconds": f"{seconds:.3g}"}))
