"""Embeds many files in one request: while files are summarised one by one, those that are done gather."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import Context
from dataclasses import dataclass, field
from threading import Condition
from time import monotonic
from typing import TYPE_CHECKING, Literal

from locator_search.core.errors import BudgetExhausted, LocatorError
from locator_search.core.usage import NOTHING_USED, Usage, metered, record
from locator_search.ports import Embedder
from locator_search.text.cutting import estimate_tokens

if TYPE_CHECKING:
    from locator_search.model import Vector

MOST_GATHERED = 20
LONGEST_WAIT_SECONDS = 4.0
WAIT_PER_SECOND_ASKED = 4.0
"""Four times as long as the service took for the last request: so requests for embeddings stay a small part of all,
and quick ones hardly wait. Waiting for a turn among the summaries does not count."""
LOOKS_EVERY_SECONDS = 0.02


@dataclass(eq=False)
class _Asked:
    """The texts of one thread, with the answer it will get."""

    texts: Sequence[str]
    answer: Future[Vector] = field(default_factory=Future)
    paid: Usage = NOTHING_USED
    """Its share of every request that was made for it, refused ones too; complete when the answer is there."""


class GatheringEmbedder:
    """An `Embedder` in front of another one, for several threads. Documents wait for each other while some are being
    embedded and as long as `more_to_come` says that others will follow, but not for long; a question never waits.
    """

    def __init__(self, embedder: Embedder, more_to_come: Callable[[], bool]) -> None:
        self.model_name = embedder.model_name
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._more_to_come = more_to_come
        self._changed = Condition()
        self._waiting: list[_Asked] = []
        self._gathering = False
        self._groups_asked = 0
        self._took = 0.25

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 (len(texts), dimensions). Raises what the embedder behind raises."""
        if purpose == "query":
            return self._embedder.embed(texts, purpose)
        asked = _Asked(texts)
        with self._changed:
            self._waiting.append(asked)
            self._changed.notify_all()
            leads = not self._gathering
            self._gathering = True
        if leads:
            group = self._gathered()
            try:
                self._answer(group)
            finally:
                with self._changed:
                    self._groups_asked -= 1
        try:
            return asked.answer.result()
        finally:
            if asked.paid != NOTHING_USED:
                record(asked.paid)

    def _gathered(self) -> list[_Asked]:
        """Wait for others; then those who came. The next to come begins a new group."""
        ends_at = monotonic() + min(LONGEST_WAIT_SECONDS, WAIT_PER_SECOND_ASKED * self._took)
        with self._changed:
            while len(self._waiting) < MOST_GATHERED and monotonic() < ends_at and self._others_follow():
                self._changed.wait(LOOKS_EVERY_SECONDS)
            group, self._waiting, self._gathering = self._waiting, [], False
            self._groups_asked += 1
            return group

    def _others_follow(self) -> bool:
        # A group counts from here on: its request begins a moment later, and whoever came then would go alone.
        return self._groups_asked > 0 or self._more_to_come()

    def _answer(self, group: Sequence[_Asked]) -> None:
        """Embed all texts of a group at once; where that is refused, each file alone, so that one spoils no other."""
        try:
            # Not counted by the meters of the thread that happens to ask: each thread gets its share.
            answers = Context().run(self._together, group)
        except Exception as error:
            spoilt_by_one = isinstance(error, LocatorError) and not (
                error.retryable or isinstance(error, BudgetExhausted)
            )
            if len(group) > 1 and spoilt_by_one:
                for asked in group:
                    self._answer([asked])
            else:
                for asked in group:
                    asked.answer.set_exception(error)
        else:
            for asked, answer in zip(group, answers, strict=True):
                asked.answer.set_result(answer)

    def _together(self, group: Sequence[_Asked]) -> list[Vector]:
        texts = [text for asked in group for text in asked.texts]
        try:
            with metered() as meter:
                rows = self._embedder.embed(texts, "document")
        finally:
            weights = [sum(map(estimate_tokens, asked.texts)) for asked in group]
            for asked, share in zip(group, shares(meter.total, weights), strict=True):
                asked.paid += share
        if meter.total.calls:
            self._took = meter.total.seconds / meter.total.calls
        answers, start = [], 0
        for asked in group:
            answers.append(rows[start : start + len(asked.texts)])
            start += len(asked.texts)
        return answers


def shares(usage: Usage, weights: Sequence[int]) -> list[Usage]:
    """The usage divided by weight; the shares add up to it, but for the seconds, which they had in common. Calls go to
    the first."""
    total = sum(weights) or 1
    parts: list[Usage] = []
    done = tokens = 0
    for weight in weights:
        done += weight
        until = usage.input_tokens * done // total
        calls = usage.calls if not parts else 0
        parts.append(Usage(calls, until - tokens, 0, usage.cost_usd * weight / total))
        tokens = until
    return parts
