"""Counts that take long are shown as they were and counted anew; quick ones are always new."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count

import pytest

from locator_search.core.reader import Reader, reader_now
from streamlit_app.shared import kept_counts
from streamlit_app.shared.kept_counts import KeptCounts

AKI, HANA = Reader.of("aki@example.com", {}), Reader.of("hana@example.com", {})


@pytest.fixture
def pass_seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Moves the clock on."""
    now = [0.0]
    monkeypatch.setattr(kept_counts, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, now[0] + seconds)


def ended() -> None:
    for thread in threading.enumerate():
        if thread.name == "counts":
            thread.join(30)


def test_what_is_counted_quickly_is_counted_again_after_a_few_seconds(pass_seconds: Callable[[float], None]) -> None:
    numbers = count(1)
    kept = KeptCounts(lambda: next(numbers))
    assert (kept.of(None), kept.of(None)) == (1, 1)
    pass_seconds(6)
    assert kept.of(None) == 2


def test_what_takes_long_is_shown_once_more_and_counted_meanwhile(pass_seconds: Callable[[float], None]) -> None:
    numbers = count(1)

    def slowly() -> int:
        pass_seconds(2)
        return next(numbers)

    kept = KeptCounts(slowly)
    assert kept.of(None) == 1
    pass_seconds(37)  # at most a twentieth of the time goes into counting
    assert kept.of(None) == 1
    ended()
    assert kept.of(None) == 1
    pass_seconds(2)
    assert kept.of(None) == 1
    ended()
    assert kept.of(None) == 2


def test_after_an_hour_nothing_is_shown_once_more_and_to_a_named_reader_after_a_minute(
    pass_seconds: Callable[[float], None],
) -> None:
    numbers = count(1)

    def slowly() -> int:
        pass_seconds(2)
        return next(numbers)

    kept = KeptCounts(slowly)
    assert (kept.of(None), kept.of(AKI)) == (1, 2)
    pass_seconds(61)
    assert kept.of(AKI) == 3
    pass_seconds(3600)
    assert kept.of(None) == 4


def test_that_nothing_is_there_is_never_said_once_more(pass_seconds: Callable[[float], None]) -> None:
    found: list[int] = [0, 0, 7]

    def slowly() -> int:
        pass_seconds(2)
        return found.pop(0)

    kept = KeptCounts(slowly)
    assert [kept.of(None), kept.of(None), kept.of(None)] == [0, 0, 7]


def test_each_reader_has_counts_of_their_own_also_of_those_made_meanwhile(
    pass_seconds: Callable[[float], None],
) -> None:
    def slowly() -> tuple[Reader | None]:
        pass_seconds(2)
        return (reader_now(),)

    kept = KeptCounts(slowly)
    for _ in range(2):
        assert (kept.of(AKI), kept.of(HANA), kept.of(None)) == ((AKI,), (HANA,), (None,))
        pass_seconds(45)
        ended()


def test_a_count_that_fails_meanwhile_is_tried_again_by_the_next_look(
    pass_seconds: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    answers: list[int | Exception] = [1, OSError("gone"), 3]

    def slowly() -> int:
        pass_seconds(2)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    kept = KeptCounts(slowly)
    assert kept.of(None) == 1
    pass_seconds(41)
    assert kept.of(None) == 1
    ended()
    assert kept.of(None) == 1
    ended()
    assert kept.of(None) == 3
