"""Which questions go into one batch, what its answers amount to, and how long files wait for them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from locator_search.core.usage import NOTHING_USED, Usage
from locator_search.ports import BatchAnswer, BatchedQuestion

MOST_REQUESTS = 50_000
MOST_BYTES = 150_000_000
"""The service takes 200 MB."""
WINDOW = timedelta(hours=24)
TIME_TO_COLLECT = timedelta(hours=24)
WAITING_REASON = "batch"


@dataclass
class BatchPart:
    """The questions of one batch while they are gathered: which answer each file waits for, and their size."""

    keys: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    size: int = 0
    at_most_usd: float | None = 0.0
    """None: the price is not known."""

    def is_full_for(self, question: BatchedQuestion) -> bool:
        """Whether one more question would go beyond what the service takes in one file."""
        return len(self.asked) >= MOST_REQUESTS or (self.size > 0 and self.size + len(question.line) > MOST_BYTES)

    def ask(self, file_id: str, key: str, question: BatchedQuestion) -> None:
        """A file, and the question it waits for; copies wait for one and the same."""
        self.keys[file_id] = key
        if key in self.asked:
            return
        self.asked.add(key)
        self.size += len(question.line)
        known = self.at_most_usd is not None and question.at_most_usd is not None
        self.at_most_usd = (self.at_most_usd or 0.0) + (question.at_most_usd or 0.0) if known else None


@dataclass(frozen=True, slots=True)
class Collected:
    """The answers of an ended batch by key. `failed` holds reasons; `expired` were never asked."""

    answered: dict[str, BatchAnswer]
    failed: dict[str, str]
    expired: frozenset[str]
    usage: Usage


def collected(answers: Iterable[BatchAnswer], wanted: Collection[str]) -> Collected:
    """Sort the answers to the questions of a batch. Answers nobody asked for and second ones are passed over; a
    question without an answer counts as expired."""
    answered: dict[str, BatchAnswer] = {}
    failed: dict[str, str] = {}
    expired: set[str] = set()
    usage = NOTHING_USED
    for answer in answers:
        if answer.key not in wanted or answer.key in answered or answer.key in failed:
            continue
        usage += answer.usage
        if answer.answer is not None:
            answered[answer.key] = answer
        elif not answer.expired:
            failed[answer.key] = answer.problem
    expired.update(key for key in wanted if key not in answered and key not in failed)
    return Collected(answered, failed, frozenset(expired), usage)


def waits_until(submitted_at: datetime) -> datetime:
    """The time at which a file is indexed without its batch, which the service has given up by then."""
    return submitted_at + WINDOW + TIME_TO_COLLECT
