"""One configured service: starts its server when it is needed, and again when it died, but not for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextvars import Context
from dataclasses import replace
from typing import TYPE_CHECKING

from locator_search.adapters.mcp_services.arguments import fitted
from locator_search.adapters.mcp_services.configuration import Limits, ServerEntry, Transport
from locator_search.adapters.mcp_services.contract import Contract, contract_with
from locator_search.adapters.mcp_services.failures import error_of, failure_of, is_rate_limit, refusal
from locator_search.adapters.mcp_services.results import Answer, body_of, folders_of, hits_of
from locator_search.adapters.mcp_services.run import How, run
from locator_search.adapters.mcp_services.start_times import StartTimes
from locator_search.adapters.mcp_services.templates import fill_all
from locator_search.adapters.mcp_services.transport.child import is_installed
from locator_search.core.errors import (
    BadServiceAnswer,
    ServiceError,
    ServiceMisconfigured,
    ServiceRateLimited,
    ServiceTimedOut,
)
from locator_search.core.service_faults import ServiceFault
from locator_search.model import Service, ServiceFailure, ServiceHit, ServiceQuery, ServiceSearch
from locator_search.ports import SignIns

if TYPE_CHECKING:
    from locator_search.adapters.mcp_services.connection import ServerConnection

STARTS, WITHIN_SECONDS = 3, 60.0
"""A server is started at most so often within so many seconds."""
END_SECONDS = 8.0


class Server:
    """A configured service and its server process. Used from the event loop only. With `off`, it is never started."""

    def __init__(
        self,
        name: str,
        entry: ServerEntry,
        transport: Transport,
        limits: Limits,
        mask: Callable[[str], str],
        starts: StartTimes,
        sign_ins: SignIns,
        *,
        mock: bool = False,
        missing: tuple[str, ...] = (),
        off: ServiceFailure | None = None,
    ) -> None:
        self.name = name
        self.limits = limits
        self._entry = entry
        self._transport = transport
        self._mask = mask
        self._start_times = starts
        self._sign_ins = sign_ins
        self._mock = mock
        self._missing = missing
        self._off = off
        self._rate_limit = tuple(entry.rate_limit)
        self._contract: Contract | None = None
        self._connection: ServerConnection | None = None
        self._beginning: asyncio.Task[None] | None = None
        self._runs: dict[asyncio.Task[None], asyncio.Future[ServerConnection]] = {}
        self._starts: list[float] = []
        self._failure: ServiceFailure | None = None
        self._gate = asyncio.Semaphore(int(limits.calls_at_once))

    @property
    def service(self) -> Service:
        """The service as it is now: what can be searched, or why it failed."""
        contract = self._contract
        return Service(
            name=self.name,
            label=self._entry.label,
            searches=tuple(contract.searches.values()) if contract else self._as_configured(),
            mock=self._mock,
            missing=self._missing,
            failure=self._off or self._failure,
            problems=tuple(contract.problems) if contract else (),
            program=self._transport.command or self._entry.transport.url,  # an address may hold a secret by its name
            readers=tuple(self._entry.readers),
        )

    @property
    def configured(self) -> Service:
        """The service as it is set up, whether its server runs or not."""
        program = self._transport.command
        absent = ServiceFault("no_program", {"program": program, "install": self._transport.install})
        failure = self._off or (None if is_installed(self._transport) else ServiceFailure("unavailable", absent))
        return replace(self.service, failure=failure)

    def _as_configured(self) -> tuple[ServiceSearch, ...]:
        return tuple(search.offered(kind, search.syntax.text) for kind, search in self._entry.searches.items())

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked now."""
        return self._connection is not None and not self._connection.over.is_set()

    def begin(self) -> asyncio.Task[None] | None:
        """Begin to start the server where that is needed; returns the start that is under way."""
        return None if self._off is not None or self._is_misconfigured else self._begun()

    async def settle(self) -> None:
        """Wait until it is ready or has failed. One that failed is tried again meanwhile, without waiting for it."""
        failed_before = self._failure is not None
        beginning = self.begin()
        if beginning is not None and not failed_before:
            await asyncio.shield(beginning)

    async def search(self, query: ServiceQuery, max_results: int, is_limited: Callable[[], bool]) -> list[ServiceHit]:
        """Hits of one query. `is_limited` says, once it is its turn, whether to ask no more. Raises ServiceError."""
        search = self._entry.searches.get(query.kind)
        if search is None:
            raise ServiceMisconfigured("not_searched", kind=query.kind)
        async with self._gate:
            connection = await self._ready(is_limited)
            if self._contract is None or query.kind not in self._contract.searches:
                raise self._misfit(query.kind)
            arguments = fill_all(search.args, query=query.query, max_results=max_results)
            answer = await self._call(connection, search.tool, arguments, self.limits.search_seconds)
            try:
                hits = hits_of(
                    answer, self.name, query.kind, self._entry, query.query, max_results, folders_of(self._transport)
                )
            except BadServiceAnswer:
                self._refuse_rate_limit(answer)
                raise
            if not hits:
                self._refuse_rate_limit(Answer(answer.text.replace(query.query, "")))  # some repeat the query
            return hits

    async def fetch(self, hit: ServiceHit, is_limited: Callable[[], bool]) -> str:
        """The body of a hit, empty where its kind has none. Raises ServiceError."""
        if self._entry.fetch.get(hit.kind, "snippet") == "snippet" or not any(hit.fetch.values()):
            return ""
        async with self._gate:
            connection = await self._ready(is_limited)
            fetch = self._contract.fetch.get(hit.kind) if self._contract else None
            if fetch is None:
                raise self._misfit(hit.kind)
            if fetch.tool is None:
                answer = await connection.read_resource(str(hit.fetch.get("uri", "")), self.limits.fetch_seconds)
            else:
                answer = await self._call(connection, fetch.tool, dict(hit.fetch), self.limits.fetch_seconds)
            try:
                return body_of(answer, fetch.text, self.limits.max_chars)
            except BadServiceAnswer:
                self._refuse_rate_limit(answer)
                raise

    async def close(self) -> None:
        """End its process."""
        self._off = self._off or ServiceFailure("unavailable", ServiceFault("closed"))
        for task, begun in self._runs.items():
            if not begun.done():
                task.cancel()
            elif not begun.cancelled() and begun.exception() is None:
                begun.result().over.set()
        if self._runs:
            _, hanging = await asyncio.wait(self._runs, timeout=END_SECONDS)
            for task in hanging:
                task.cancel()
        if self._beginning is not None:
            self._beginning.cancel()

    # Starting

    @property
    def _is_misconfigured(self) -> bool:
        return self._failure is not None and self._failure.reason == "misconfigured"

    def _begun(self) -> asyncio.Task[None] | None:
        """The start that is under way or begins now; None when the server is ready."""
        if self.is_ready:
            return None
        if self._beginning is None or self._beginning.done():
            # A start outlives the question that needed it first: its deadline is not that of the question.
            self._beginning = asyncio.create_task(self._begin(), context=Context())
        return self._beginning

    async def _ready(self, is_limited: Callable[[], bool]) -> ServerConnection:
        if is_limited():
            raise ServiceRateLimited("left_alone")
        beginning = self.begin()
        if beginning is not None:
            await asyncio.shield(beginning)
        failure = self._off or self._failure
        if failure is not None or self._connection is None:
            raise error_of(failure or ServiceFailure("unavailable", ServiceFault("not_running")))
        return self._connection

    async def _begin(self) -> None:
        """Start the server once and keep the outcome. Never raises."""
        self._connection = None
        now = time.monotonic()
        self._starts = [start for start in self._starts if now - start < WITHIN_SECONDS]
        if len(self._starts) >= STARTS:
            often = ServiceFault("keeps_ending", {"starts": str(STARTS), "seconds": f"{WITHIN_SECONDS:g}"})
            self._failure = self._failure or ServiceFailure("unavailable", often)
            return
        self._starts.append(now)
        begun: asyncio.Future[ServerConnection] = asyncio.get_running_loop().create_future()
        seconds = self._start_times.limit(self.name, self.limits.start_seconds)
        how = How(self.name, self._transport, seconds, self._rate_limit, self._mask, self._sign_ins)
        task = asyncio.create_task(run(how, begun))
        self._runs[task] = begun
        task.add_done_callback(self._runs.pop)
        try:
            connection = await begun
            self._start_times.took(self.name, time.monotonic() - now)
            self._contract = await contract_with(self.name, connection, self._entry, self.limits.fetch_seconds)
            if not self._contract.searches:
                connection.over.set()
                raise self._misfit(next(iter(self._entry.searches)))
        except ServiceError as error:
            if isinstance(error, ServiceTimedOut):
                self._start_times.took(self.name, seconds)
            self._failure = failure_of(error, self._mask)
        else:
            self._failure, self._connection = None, connection

    # Calling

    async def _call(
        self, connection: ServerConnection, tool: str, arguments: dict[str, object], seconds: float
    ) -> Answer:
        return await connection.call_tool(tool, fitted(arguments, connection.tools[tool].input_schema), seconds)

    def _misfit(self, kind: str) -> ServiceMisconfigured:
        """The error for a kind that the server does not offer."""
        problems = self._contract.problems if self._contract else ()
        of_kind = (problem for problem in problems if problem.values.get("kind") == kind)
        problem = next(of_kind, ServiceFault("not_searched", {"kind": kind}))
        return ServiceMisconfigured(problem.kind, **problem.values)

    def _refuse_rate_limit(self, answer: Answer) -> None:
        """Raise the rate limit that some services tell in an answer that looks like a good one."""
        if is_rate_limit(answer.text, self._rate_limit):
            raise refusal(answer.text, self._rate_limit)
