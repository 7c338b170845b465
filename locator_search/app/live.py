"""The parts of the live search: settings in, working parts out. The composition root keeps one of these."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from locator_search.app.part import part
from locator_search.app.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from locator_search.adapters.mcp_services.adding.adding import Added
    from locator_search.app.drive import DriveSystem
    from locator_search.config.settings import Settings
    from locator_search.core.model_results import ModelResult
    from locator_search.live_search.searcher import LiveSearch
    from locator_search.model import Evidence
    from locator_search.ports import ChatModel
    from locator_search.ports.services import ServiceGateway


def add_service(settings: Settings, name: str, **wish: Any) -> Added:
    """Describe an MCP server as a service of live search: by a `command` or a `url`, and what else a `Wish` has.

    Raises LocatorError.
    """
    from locator_search.adapters.mcp_services.adding import adding
    from locator_search.adapters.mcp_services.adding import wish as wishes

    with closing(Storage(settings)) as storage:
        return adding.add_service(settings, wishes.Wish(name, **wish), storage.sign_ins)


def remove_service(settings: Settings, name: str) -> Path:
    """Take away a service that was added. Raises ConfigurationError where there is none."""
    from locator_search.adapters.mcp_services.adding import adding

    with closing(Storage(settings)) as storage:
        return adding.remove_service(settings, name, storage.sign_ins)


class LiveParts:
    """Every part for one set of settings, made on first use."""

    def __init__(self, drive: DriveSystem) -> None:
        self._drive = drive

    def close(self) -> None:
        """End the servers that were started."""
        if "gateway" in vars(self):
            self.gateway.close()

    @part
    def gateway(self) -> ServiceGateway:
        """The services of servers.yaml; mocks alone where ALLOW_REAL is 0. Raises ConfigurationError."""
        from locator_search.adapters.mcp_services import open_gateway

        return open_gateway(self._drive.settings, self._drive.sign_ins)

    @part
    def chat_model(self) -> ChatModel:
        """The chosen model, and no memory of its answers: what it says of private messages is kept nowhere.

        Where nothing real is allowed, the stand-in answers whatever is chosen.
        """
        if self._drive.settings.allow_real is False:
            from locator_search.adapters.offline.chat_model import OfflineChatModel

            return OfflineChatModel()
        return self._drive.bare_chat_model

    @property
    def _gateway_for_readers(self) -> ServiceGateway:
        """The services as whoever asks may ask them."""
        from locator_search.live_search.trimmed_gateway import TrimmedGateway

        if not self._drive.settings.locator_permissions:
            return self.gateway
        database = self._drive.database
        return TrimmedGateway(self.gateway, lambda: database.reader, _DriveFiles(self._drive))

    def search(self, *, with_index: bool = False, surface: str = "library") -> LiveSearch:
        """A live search; with the index, what is indexed already is folded in. The audit log names the `surface`."""
        from locator_search.live_search.searcher import LiveSearch

        settings = self._drive.settings
        return LiveSearch(
            self._gateway_for_readers,
            self.chat_model,
            self._drive.clock,
            settings.locator_language,
            settings.locator_time_zone,
            _Lookup(self._drive) if with_index else None,
            stand_in=self._drive.offline_chat_model,
            seconds=settings.locator_live_seconds,
            audit=self._drive.audit,
            surface=surface,
        )


class _DriveFiles:
    """The files of the index, for hits that are among them."""

    def __init__(self, drive: DriveSystem) -> None:
        self._drive = drive

    def known(self, file_ids: Sequence[str]) -> Collection[str]:
        return self._drive.registry.known(file_ids)

    def shown(self, file_ids: Sequence[str]) -> Collection[str]:
        parts = (self._drive.documents.part(file_id, 1, 1) for file_id in file_ids)
        checked = self._drive.access_checker.check([part.file for part in parts if part is not None])
        return {item.file_id for item in checked}


class _Lookup:
    """The index, asked once without a model, and its files verified where they live."""

    def __init__(self, drive: DriveSystem) -> None:
        self._drive = drive

    def search(self, question: str, most: int) -> ModelResult[list[Evidence]]:
        from locator_search.config.synonyms import matching_of
        from locator_search.core.model_results import ModelResult
        from locator_search.model import SearchFilters
        from locator_search.retrieval.evidence import IndexEvidenceProvider

        drive = self._drive
        provider = IndexEvidenceProvider(drive.index, drive.embedder, matching=partial(matching_of, drive.settings))
        looked = provider.look(question, SearchFilters(), most)
        return ModelResult(drive.access_checker.check(looked.value), looked.model, looked.failure)
