"""Live services, each behind a server of its own: Google Drive, Slack, GitHub, and what else is configured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from locator_search.model import FetchReply, SearchReply, Service, ServiceHit, ServiceQuery


class SignIns(Protocol):
    """Sign-ins to live servers, by the name of the service, kept for all machines that share database and secret.

    Every method raises StoreUnavailable.
    """

    def read(self, service: str) -> str:
        """The sign-in to a service as it was kept; empty where there is none that can be read here."""
        ...

    def keep(self, service: str, content: str) -> None:
        """Keep the sign-in to a service, in the place of the one before."""
        ...

    def forget(self, service: str) -> None:
        """Keep no sign-in to a service any more."""
        ...

    def take_turn(self, service: str) -> bool:
        """Whether it is our turn to renew a sign-in, for at most a minute; where none is kept, it is."""
        ...

    def end_turn(self, service: str) -> None:
        """The next one may renew it."""
        ...


class ServiceGateway(Protocol):
    """Asks many services at once. What one of them does wrong is a value in its own reply; the others are not touched.

    Every call ends within its time-out, whatever the services do. An exception in the caller's thread while it waits
    (Ctrl-C, or one raised by `on_reply`) cancels what is under way for this call, and nothing else.
    """

    def configured(self) -> tuple[Service, ...]:
        """Every configured service as it is set up. Nothing is started or asked."""
        ...

    def prepare(self) -> None:
        """Begin to start what is not running, without waiting: for callers that have something else to do first."""
        ...

    def services(self) -> tuple[Service, ...]:
        """Every configured service, in the order of the configuration; those that are not running are started.

        Waits until one is ready, and a little longer for the others; those that still start then are given as they are
        configured, and a search waits for them. A service that failed before is tried again, within limits.
        """
        ...

    def search(
        self,
        queries: Sequence[ServiceQuery],
        max_results: int = 3,
        on_reply: Callable[[SearchReply], None] | None = None,
    ) -> list[SearchReply]:
        """Put all queries at the same time; replies in the order of the queries, at most `max_results` hits each.

        `on_reply` is called in the caller's thread as each reply arrives. Nothing is tried twice.
        """
        ...

    def fetch(
        self, hits: Sequence[ServiceHit], on_reply: Callable[[FetchReply], None] | None = None
    ) -> list[FetchReply]:
        """Read the bodies of all hits at the same time; replies in the order of the hits. As `search` otherwise.

        A service that answers that it is asked too often is left alone for the rest of the call.
        """
        ...

    def readable(self, hits: Sequence[ServiceHit]) -> list[ServiceHit]:
        """The hits, of an earlier answer, that whoever asks may be shown now."""
        ...

    def close(self) -> None:
        """End every server. Safe to call twice."""
        ...
