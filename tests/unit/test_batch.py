"""What goes into one batch, and what its answers amount to."""

from __future__ import annotations

import pytest

from locator_search.core.usage import Usage
from locator_search.indexing import batch_parts
from locator_search.indexing.batch_parts import BatchPart, collected
from locator_search.ports import BatchAnswer, BatchedQuestion

PAID = Usage(1, 10, 5, 0.5)


def question(size: int = 10, at_most_usd: float | None = 0.25) -> BatchedQuestion:
    return BatchedQuestion(b"x" * size, at_most_usd)


def test_a_part_is_full_by_requests_or_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_parts, "MOST_REQUESTS", 2)
    monkeypatch.setattr(batch_parts, "MOST_BYTES", 100)
    part = BatchPart()
    assert not part.is_full_for(question(500)), "one question alone is never refused here"
    part.ask("a", "k1", question(60))
    assert part.is_full_for(question(60))
    assert not part.is_full_for(question(40))
    part.ask("b", "k2", question(1))
    assert part.is_full_for(question(1))


def test_copies_wait_for_one_question_that_is_paid_once() -> None:
    part = BatchPart()
    part.ask("a", "k", question())
    part.ask("b", "k", question())
    assert (part.keys, part.asked, part.size, part.at_most_usd) == ({"a": "k", "b": "k"}, {"k"}, 10, 0.25)


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    part = BatchPart()
    part.ask("a", "k1", question(at_most_usd=None))
    part.ask("b", "k2", question())
    assert part.at_most_usd is None


def test_answers_are_sorted_by_what_came_of_them() -> None:
    found = collected(
        [
            BatchAnswer("good", "{}", PAID),
            BatchAnswer("good", '{"second": 1}', PAID),
            BatchAnswer("bad", None, PAID, "was refused"),
            BatchAnswer("late", None, Usage(), "failed", expired=True),
            BatchAnswer("nobody's", "{}", PAID),
        ],
        {"good", "bad", "late", "unanswered"},
    )
    assert {key: answer.answer for key, answer in found.answered.items()} == {"good": "{}"}
    assert found.failed == {"bad": "was refused"}
    assert found.expired == {"late", "unanswered"}
    assert found.usage == PAID + PAID, "an answer of no use is paid all the same"
