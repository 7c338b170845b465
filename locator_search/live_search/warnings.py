"""The warnings of an answer, collected while a search runs: one sentence for each service and reason. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from locator_search.core.model_results import ModelFailure
from locator_search.live_search.choosing import Found
from locator_search.live_search.messages import Sentences
from locator_search.live_search.outcome import INDEX, MODEL, LiveWarning
from locator_search.locales import Language
from locator_search.locales.model_failures import without_chat_model, without_embedding_model
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import FetchReply, Service, ServiceFailure

GOOGLE = "GOOGLE_"
"""The prefix of the settings that `auth google` can replace."""


class Warnings:
    """The warnings of a question, each once, in order of appearance."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._say = Sentences.of(language)
        self._all: dict[LiveWarning, None] = {}

    @property
    def all(self) -> tuple[LiveWarning, ...]:
        """Every warning so far."""
        return tuple(self._all)

    def of_services(self, services: Sequence[Service]) -> None:
        """Services that do not start, mocks in place of what is not set up, and configurations that do not fit."""
        for service in services:
            sign_in = self._say.sign_in_to_google if "".join(service.missing[:1]).startswith(GOOGLE) else ""
            if service.failure is not None:
                told = fault_sentence(service.failure.fault, self._language)
                self._put(service.name, self._say.not_started.format(label=service.label, told=told) + sign_in)
            elif service.mock and service.missing:
                text = self._say.mock.format(label=service.label, names=self._say.comma.join(service.missing))
                self._put(service.name, text + sign_in)
            # Of one that cannot be used one line is enough: the first of its problems is the reason.
            for problem in service.problems if service.failure is None else ():
                self._put(
                    service.name,
                    self._say.problem.format(label=service.label, message=fault_sentence(problem, self._language)),
                )

    def of_scopes(self, services: Sequence[Service]) -> None:
        """Services that were not asked for this person, and those that show indexed files alone, in a sentence each."""
        for scope, form in (("nothing", self._say.not_for_you), ("indexed", self._say.indexed_alone)):
            names = [one for one in services if one.scope == scope]
            if names:
                labels = self._say.comma.join(one.label for one in names)
                self._put(",".join(one.name for one in names), form.format(labels=labels))

    def of_searches(self, found: Found, services: Sequence[Service]) -> None:
        """Searches that failed, each service and reason once."""
        labels = {service.name: service.label for service in services}
        for reply in found.replies:
            if reply.failure is not None:
                limited = reply.failure.reason == "rate_limited"
                form = self._say.rate_limited if limited else self._say.search_failed
                self._add(reply.query.service, form, labels[reply.query.service], reply.failure)
        if found.index_failure:
            self._put(INDEX, self._say.index_failed.format(message=found.index_failure))
        if found.without_embeddings is not None:
            self._put(INDEX, without_embedding_model(found.without_embeddings, self._language))

    def of_index_left_out(self) -> None:
        """Add that the index was not asked, because mocks answer."""
        self._put(INDEX, self._say.index_beside_mocks)

    def of_bodies(self, replies: Sequence[FetchReply], services: Sequence[Service]) -> None:
        """Bodies that could not be read, counted for each service and reason."""
        labels = {service.name: service.label for service in services}
        failed = [(reply.hit.service, reply.failure) for reply in replies if reply.failure is not None]
        counts = Counter((service, failure.reason) for service, failure in failed)
        for (service, reason), count in counts.items():
            failure = next(one for name, one in failed if (name, one.reason) == (service, reason))
            form = self._say.limited_bodies if reason == "rate_limited" else self._say.fetch_failed
            self._add(service, form, labels[service], failure, count)

    def of_chat_model(self, failure: ModelFailure | None) -> None:
        """Add a warning that a stand-in replaced the language model, and why, if it did."""
        if failure is not None:
            self.of_model(without_chat_model(failure, self._language))

    def of_model(self, message: str) -> None:
        """A fault of the language model."""
        self._put(MODEL, message)

    def _add(self, service: str, form: str, label: str, failure: ServiceFailure, count: int = 1) -> None:
        told = fault_sentence(failure.fault, self._language)
        self._put(service, form.format(label=label, told=told, count=count))

    def _put(self, service: str, message: str) -> None:
        self._all[LiveWarning(service, message)] = None
