"""Live services for whoever asks. They answer with what their own account may see, so a person is answered by those
that `readers` in servers.yaml opens to them, and of files that our index knows by what the index lets them read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Protocol

from locator_search.core.errors import AccessDenied
from locator_search.live_search.outcome import INDEX
from locator_search.live_search.same_document import drive_file_id
from locator_search.model import FetchReply, SearchReply, Service, ServiceHit, ServiceQuery, ServiceScope
from locator_search.ports.services import ServiceGateway

DRIVE = "drive"
MOST_LOOKED_AT = 10
"""Hits asked of a service: those that the person may not read are taken away before the best are taken."""


class IndexedFiles(Protocol):
    """Files by id, as our index knows them."""

    def known(self, file_ids: Sequence[str]) -> Collection[str]:
        """Those that were listed, whoever may read them."""
        ...

    def shown(self, file_ids: Sequence[str]) -> Collection[str]:
        """Those that whoever asks may read, by the index and where they live. Raises AccessDenied."""
        ...


class TrimmedGateway:
    """A ServiceGateway in front of another one. `principals` are the names of whoever asks; None limits nothing, as
    where made-up data answer. Every question raises AccessDenied where nobody is named."""

    def __init__(
        self, gateway: ServiceGateway, principals: Callable[[], Collection[str] | None], files: IndexedFiles
    ) -> None:
        self._gateway = gateway
        self._principals = principals
        self._files = files
        self.configured, self.prepare, self.close = gateway.configured, gateway.prepare, gateway.close

    def services(self) -> tuple[Service, ...]:
        """Every service, with how far it is open to whoever asks."""
        principals = self._principals()
        return tuple(replace(one, scope=_scope(one, principals)) for one in self._gateway.services())

    def search(
        self,
        queries: Sequence[ServiceQuery],
        max_results: int = 3,
        on_reply: Callable[[SearchReply], None] | None = None,
    ) -> list[SearchReply]:
        """Put queries to services that are open to whoever asks, and take away the hits that this person may not read.

        Raises AccessDenied for other services.
        """
        self._refuse_closed({query.service for query in queries})
        trimmed: dict[ServiceQuery, SearchReply] = {}

        def arrived(reply: SearchReply) -> None:
            hits = self.readable(reply.hits)[:max_results]
            trimmed[reply.query] = replace(reply, hits=tuple(hits))
            if on_reply is not None:
                on_reply(trimmed[reply.query])

        replies = self._gateway.search(queries, MOST_LOOKED_AT, arrived)
        return [trimmed.get(reply.query, replace(reply, hits=())) for reply in replies]  # what came too late is empty

    def fetch(
        self, hits: Sequence[ServiceHit], on_reply: Callable[[FetchReply], None] | None = None
    ) -> list[FetchReply]:
        """Read the bodies of hits that `search` or `readable` gave. Raises AccessDenied for other services."""
        self._refuse_closed({hit.service for hit in hits})
        return self._gateway.fetch(hits, on_reply)

    def readable(self, hits: Sequence[ServiceHit]) -> list[ServiceHit]:
        """The hits that whoever asks may be shown now."""
        scopes = self._scopes()
        ids = [_file_ids(hit) for hit in hits]
        known = set(self._files.known(sorted(set().union(*ids))))
        shown = set(self._files.shown(sorted(known)))
        return [
            hit
            for hit, own in zip(hits, ids, strict=True)
            if (own & known <= shown if own & known else scopes.get(hit.service) == "everything")
        ]

    def _scopes(self) -> dict[str, ServiceScope]:
        principals = self._principals()
        return {one.name: _scope(one, principals) for one in self._gateway.configured()}

    def _refuse_closed(self, names: Collection[str]) -> None:
        scopes = self._scopes()
        if closed := [name for name in names if scopes.get(name, "nothing") == "nothing"]:
            raise AccessDenied(
                f"Not open to whoever asks: {', '.join(sorted(closed))}.",
                hint="`readers` in servers.yaml names the people of a service. See docs/permissions.md.",
            )


def _file_ids(hit: ServiceHit) -> set[str]:
    """The file of the index that a hit may be: by its link, and by the id it is read with."""
    read_with = str(hit.fetch.get("id", "")) if hit.service in (DRIVE, INDEX) else ""
    return {drive_file_id(hit.place), read_with} - {""}


def _scope(service: Service, principals: Collection[str] | None) -> ServiceScope:
    if principals is None or service.mock or set(service.readers) & set(principals):
        return "everything"
    return "indexed" if service.name == DRIVE else "nothing"
