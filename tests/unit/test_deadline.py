"""The deadline of a question, as whoever works for it sees it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from locator_search.core.clock import deadline, seconds_left, share_of_deadline, within
from locator_search.core.errors import ModelUnavailable
from locator_search.core.retry import with_retries
from tests.fakes.clock import HeldClock


def test_without_a_deadline_everybody_keeps_their_own_patience() -> None:
    assert seconds_left() is None
    assert within(60) == 60


def test_a_time_out_is_cut_to_what_is_left() -> None:
    with deadline(5):
        assert 4 < within(60) <= 5
        assert within(1) == 1
    assert within(60) == 60


def test_a_deadline_that_has_passed_leaves_nothing() -> None:
    with deadline(-1):
        assert seconds_left() == 0
        assert within(60) == 0


def test_a_deadline_within_another_one_never_ends_later() -> None:
    with deadline(5), deadline(60):
        assert within(60) <= 5


def test_a_part_of_what_is_left_leaves_the_rest_to_others() -> None:
    with share_of_deadline(0.5):
        assert seconds_left() is None
    with deadline(30):
        with share_of_deadline(0.5):
            assert 14 < within(60) <= 15
        assert 29 < within(60) <= 30


def test_threads_see_it_in_a_copy_of_the_context_and_tasks_by_themselves() -> None:
    async def task() -> float | None:
        return await asyncio.create_task(left())

    async def left() -> float | None:
        return seconds_left()

    with deadline(5), ThreadPoolExecutor(1) as thread:
        assert thread.submit(copy_context().run, seconds_left).result() is not None
        assert asyncio.run(task()) is not None


def failing() -> None:
    raise ModelUnavailable("Busy.")


def test_what_would_be_tried_after_the_deadline_is_not_waited_for() -> None:
    clock = HeldClock()
    with deadline(3.5), pytest.raises(ModelUnavailable):
        with_retries(failing, clock)
    assert clock.slept == [1, 2]
