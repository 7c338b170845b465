"""The parts of the live search: settings in, working parts out. The composition root keeps one of these."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.model import ServiceQuery
from locator_search.parts_texts import parts_texts
from locator_search.ports import PartStatus

if TYPE_CHECKING:
    from locator_search.app import Locator
    from locator_search.core.model_results import ModelResult
    from locator_search.live_search.searcher import LiveSearch
    from locator_search.model import Evidence, SearchReply, Service
    from locator_search.ports import ChatModel
    from locator_search.ports.services import ServiceGateway

QUESTION_OF_DOCTOR = "test"
"""A word that harms nobody, to see whether a service answers; what it finds is thrown away."""


class LiveParts:
    """Every part for one set of settings, made on first use."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    def close(self) -> None:
        """End the servers that were started."""
        if "gateway" in vars(self):
            self.gateway.close()

    @cached_property
    def gateway(self) -> ServiceGateway:
        """The services of servers.yaml; mocks alone where ALLOW_REAL is 0. Raises ConfigurationError."""
        from locator_search.adapters.mcp_services import open_gateway

        return open_gateway(self._locator.settings)

    @cached_property
    def chat_model(self) -> ChatModel:
        """The chosen model, and no memory of its answers: what it says of private messages is kept nowhere.

        Where nothing real is allowed, the stand-in answers whatever is chosen.
        """
        if self._locator.settings.allow_real is False:
            from locator_search.adapters.offline.chat_model import OfflineChatModel

            return OfflineChatModel()
        return self._locator.bare_chat_model

    def search(self, *, with_index: bool = False) -> LiveSearch:
        """A live search; with the index, what is indexed already is folded in."""
        from locator_search.live_search.searcher import LiveSearch

        settings = self._locator.settings
        return LiveSearch(
            self.gateway,
            self.chat_model,
            self._locator.clock,
            settings.locator_language,
            settings.locator_time_zone,
            _Lookup(self._locator) if with_index else None,
            stand_in=self._locator.offline_chat_model,
            seconds=settings.locator_live_seconds,
        )


def service_parts(locator: Locator, *, ask: bool) -> list[PartStatus]:
    """One part for each live service: real, made up, or why it cannot be used. To `ask`, servers are started.

    Raises ConfigurationError where servers.yaml cannot be used.
    """
    gateway = locator.live.gateway
    if not ask:
        return [_service_part(locator, service) for service in gateway.configured()]
    services = gateway.services()
    one_each = [
        ServiceQuery(service.name, service.searches[0].kind, QUESTION_OF_DOCTOR)
        for service in services
        if service.failure is None and service.searches
    ]
    replies = {reply.query.service: reply for reply in gateway.search(one_each, 1)}
    return [_service_part(locator, service, replies.get(service.name)) for service in gateway.services()]


def _service_part(locator: Locator, service: Service, reply: SearchReply | None = None) -> PartStatus:
    language = locator.settings.locator_language
    texts, name = parts_texts(language), f"live_{service.name}"
    program, label = Path(service.program).name, texts.live_service.format(label=service.label)
    failure = service.failure or (reply.failure if reply else None)
    if failure is not None:
        return PartStatus(name, "failing", failure.fault.said(language), label=label)
    if service.mock and service.missing:
        sign_in = texts.or_sign_in if service.missing[0].startswith("GOOGLE_") else ""
        hint = f"{texts.set_names.format(names=', '.join(service.missing))} {sign_in}".strip()
        return PartStatus(name, "offline", texts.live_made_up, hint, {"missing": list(service.missing)}, label)
    if service.mock:
        return PartStatus(name, "offline", texts.live_made_up_asked_for, label=label)
    problems = " ".join(problem.said(language) for problem in service.problems)
    if reply is None:
        return PartStatus(name, "real", texts.live_set_up.format(program=program), texts.ask_live, label=label)
    return PartStatus(
        name, "real", texts.live_answered.format(program=program, seconds=reply.seconds), problems, label=label
    )


class _Lookup:
    """The index, asked once without a model, and its files verified where they live."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    def search(self, question: str, most: int) -> ModelResult[list[Evidence]]:
        from locator_search.core.model_results import ModelResult
        from locator_search.matching import matching_of
        from locator_search.model import SearchFilters
        from locator_search.retrieval.evidence import IndexEvidenceProvider

        locator = self._locator
        provider = IndexEvidenceProvider(locator.index, locator.embedder, matching=matching_of(locator.settings))
        looked = provider.look(question, SearchFilters(), most)
        return ModelResult(locator.access_checker.check(looked.value), looked.model, looked.failure)
