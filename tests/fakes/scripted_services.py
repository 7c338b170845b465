"""A service gateway with a script, for tests of what is made of its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from locator_search.core.errors import ServiceFailureReason
from locator_search.core.service_faults import ServiceFault
from locator_search.model import (
    FetchReply,
    SearchReply,
    Service,
    ServiceFailure,
    ServiceHit,
    ServiceQuery,
    ServiceSearch,
)

DRIVE = Service("drive", "Google Drive", (ServiceSearch("file", "fullText contains", understands_or=True),))
SLACK = Service("slack", "Slack", (ServiceSearch("message", "in:channel from:@name, no OR"),))
GITHUB = Service(
    "github",
    "GitHub",
    (ServiceSearch("issue", "repo:owner/name", understands_or=True), ServiceSearch("pull_request", "is:open")),
)
ALL = (DRIVE, SLACK, GITHUB)


def hits(service: str, kind: str, count: int, **changes: str) -> tuple[ServiceHit, ...]:
    """Hits with links of their own."""
    return tuple(
        ServiceHit(
            service=service,
            kind=kind,
            title=changes.get("title", f"{service} {kind} {number}"),
            snippet=changes.get("snippet", f"snippet {number}"),
            uri=changes.get("uri", f"https://{service}.example/{kind}/{number}"),
            fetch={"id": number},
        )
        for number in range(count)
    )


def failure(reason: ServiceFailureReason, said: str = "It said so.") -> ServiceFailure:
    return ServiceFailure(reason, ServiceFault("error", {"detail": said}))


@dataclass
class ScriptedServices:
    """`found` and `failing` by (service, kind), or `found_by_query`; bodies by link, else made up.

    Remembers everything it was asked.
    """

    offered: Sequence[Service] = ALL
    found: Mapping[tuple[str, str], Sequence[ServiceHit]] = field(default_factory=dict)
    found_by_query: Mapping[str, Sequence[ServiceHit]] = field(default_factory=dict)
    failing: Mapping[tuple[str, str], ServiceFailure] = field(default_factory=dict)
    bodies: Mapping[str, str | ServiceFailure] = field(default_factory=dict)
    prepared: int = 0
    searched: list[list[ServiceQuery]] = field(default_factory=list)
    fetched: list[list[ServiceHit]] = field(default_factory=list)

    def configured(self) -> tuple[Service, ...]:
        return tuple(self.offered)

    def prepare(self) -> None:
        self.prepared += 1

    def services(self) -> tuple[Service, ...]:
        return tuple(self.offered)

    def search(
        self,
        queries: Sequence[ServiceQuery],
        max_results: int = 3,
        on_reply: Callable[[SearchReply], None] | None = None,
    ) -> list[SearchReply]:
        self.searched.append(list(queries))
        replies = [self._searched(query, max_results) for query in queries]
        for reply in replies if on_reply else ():
            on_reply(reply)  # type: ignore[misc]  # not None, as the line above says
        return replies

    def _searched(self, query: ServiceQuery, most: int) -> SearchReply:
        place = (query.service, query.kind)
        failed = self.failing.get(place)
        found = self.found_by_query.get(query.query, self.found.get(place, ()))
        return SearchReply(query, () if failed else tuple(found)[:most], failed, 0.1)

    def fetch(
        self, hits: Sequence[ServiceHit], on_reply: Callable[[FetchReply], None] | None = None
    ) -> list[FetchReply]:
        self.fetched.append(list(hits))
        replies = [self._fetched(hit) for hit in hits]
        for reply in replies if on_reply else ():
            on_reply(reply)  # type: ignore[misc]
        return replies

    def _fetched(self, hit: ServiceHit) -> FetchReply:
        body = self.bodies.get(hit.uri, f"the body of {hit.title}")
        return FetchReply(hit, failure=body) if isinstance(body, ServiceFailure) else FetchReply(hit, body)

    def readable(self, hits: Sequence[ServiceHit]) -> list[ServiceHit]:
        return list(hits)

    def close(self) -> None:
        pass
