"""Tells a person what happens to a live question, service by service as each answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from locator_search.live_search.messages import Sentences
from locator_search.locales import Language, Plural
from locator_search.model import FetchReply, SearchReply, Service, ServiceHit, ServiceQuery

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """A line of progress in the language of the question. `row` names the service it is about, "" the search itself."""

    row: str
    line: str
    state: Literal["working", "done", "failed"] = "working"


OnStep = Callable[[ProgressStep], None]


class Progress:
    """The steps of one question."""

    def __init__(self, language: Language, on_step: OnStep | None) -> None:
        self._say = Sentences.of(language)
        self._on_step = on_step or (lambda _step: None)
        self._labels: dict[str, str] = {}

    def say(self, line: str) -> None:
        """Something happens for the question as a whole."""
        self._on_step(ProgressStep("", line))

    def services(self, services: Sequence[Service]) -> None:
        """Name those that cannot be asked."""
        self._labels = {service.name: service.label for service in services}
        for service in services:
            if service.failure is not None:
                reason = self._say.reasons[service.failure.reason]
                self._tell(service.name, self._say.no_answer, "failed", reason=reason)

    def searching(self, queries: Sequence[ServiceQuery]) -> Callable[[SearchReply], None]:
        """Name the services that are searched; each is told of again when its last reply has arrived."""

        def told(service: str, replies: Sequence[SearchReply]) -> None:
            answered = [reply for reply in replies if reply.failure is None]
            if answered:
                count, seconds = sum(len(reply.hits) for reply in answered), max(reply.seconds for reply in replies)
                self._tell(service, self._say.found, "done", count=count, seconds=seconds)
            else:
                reason = next(self._say.reasons[reply.failure.reason] for reply in replies if reply.failure)
                self._tell(service, self._say.no_answer, "failed", reason=reason)

        arrived = self._begin(self._say.searching, [query.service for query in queries], told)
        return lambda reply: arrived(reply.query.service, reply)

    def reading(self, hits: Sequence[ServiceHit]) -> Callable[[FetchReply], None]:
        """Name the services whose bodies are read; each is told of again when its last one has arrived."""

        def told(service: str, replies: Sequence[FetchReply]) -> None:
            count = sum(reply.failure is None for reply in replies)
            if count:
                self._tell(service, self._say.read, "done", count=count)
            else:
                self._tell(service, self._say.not_read, "failed")

        arrived = self._begin(self._say.reading, [hit.service for hit in hits], told)
        return lambda reply: arrived(reply.hit.service, reply)

    def _begin(
        self, form: str, services: Iterable[str], told: Callable[[str, Sequence[Reply]], None]
    ) -> Callable[[str, Reply], None]:
        waiting = Counter(services)
        replies: dict[str, list[Reply]] = {service: [] for service in waiting}
        for service in waiting:
            self._tell(service, form)

        def arrived(service: str, reply: Reply) -> None:
            replies[service].append(reply)
            if len(replies[service]) == waiting[service]:
                told(service, replies[service])

        return arrived

    def _tell(
        self, service: str, form: str | Plural, state: Literal["working", "done", "failed"] = "working", **values: Any
    ) -> None:
        self._on_step(ProgressStep(service, form.format(label=self._labels[service], **values), state))
