"""When models are asked again, when they are spared, and what cannot be a summary."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from locator_search.core.errors import BadModelOutput, BudgetExhausted, ModelError, ModelUnavailable
from locator_search.indexing.model_outages import (
    REFUSALS_IN_A_ROW,
    REST,
    CircuitBreaker,
    after_outage,
    after_refusal,
    together,
    unavailable,
)
from locator_search.indexing.prompts import why_implausible
from locator_search.model import StandIn
from tests.builders.index import NOON
from tests.fakes.clock import HeldClock

TEXT = "第1四半期の売上報告書。前年比で3%増加した。Report of Q1."


def asked(breaker: CircuitBreaker, error: Exception | None) -> bool:
    """Whether the model was asked at all."""
    calls: list[int] = []

    def ask() -> None:
        calls.append(1)
        if error is not None:
            raise error

    with suppress(ModelError):
        breaker.ask(ask)
    return bool(calls)


def test_refusals_wait_1_2_4_and_8_days_and_then_for_ever() -> None:
    waits = [after_refusal(refusals, NOON) for refusals in range(1, 7)]
    assert [wait and (wait - NOON).days for wait in waits] == [1, 2, 4, 8, None, None]


def test_outages_wait_ever_longer_and_never_more_than_four_hours() -> None:
    waits = [(after_outage(attempts, NOON) - NOON) / timedelta(minutes=1) for attempts in (1, 2, 3, 4, 5, 6, 1000)]
    assert waits == [1, 4, 16, 64, 240, 240, 240]


def test_of_two_models_the_one_that_may_be_asked_sooner_says_when() -> None:
    refused, down = StandIn("refused", 1, NOON + timedelta(days=1)), unavailable(0, NOON)
    assert together(refused, down) == together(down, refused) == together(None, down) == down
    assert (together(refused, None), together(None, None)) == (refused, None)


def test_after_an_outage_one_may_try_when_the_rest_is_over_and_closes_it_again() -> None:
    clock = HeldClock()
    breaker = CircuitBreaker(clock)
    assert asked(breaker, ModelUnavailable("down"))
    assert breaker.is_open
    assert not asked(breaker, None)
    clock.sleep(REST.total_seconds())
    assert asked(breaker, ModelUnavailable("still down"))
    assert not asked(breaker, None)
    clock.sleep(REST.total_seconds())
    assert asked(breaker, None)
    assert asked(breaker, None)
    assert not breaker.is_open


def test_single_refusals_are_the_files_fault_and_many_in_a_row_the_models() -> None:
    breaker = CircuitBreaker(HeldClock())
    for _ in range(3 * REFUSALS_IN_A_ROW):
        assert asked(breaker, BadModelOutput("nonsense"))
        assert asked(breaker, None)
    for _ in range(REFUSALS_IN_A_ROW):
        assert asked(breaker, BadModelOutput("nonsense"))
    with pytest.raises(ModelUnavailable, match="nonsense"):
        breaker.ask(lambda: None)


def test_an_empty_purse_says_nothing_about_the_model() -> None:
    breaker = CircuitBreaker(HeldClock())
    for _ in range(2 * REFUSALS_IN_A_ROW):
        assert asked(breaker, BudgetExhausted("no money"))


@pytest.mark.parametrize(
    "summary",
    ["売上は前年比3%増。", "Sales rose by 3 %.", "売上高 3%増 (Q1)", "第1四半期の報告。αの値も示す。", "No. 1"],
)
def test_whatever_may_be_a_summary_is_one(summary: str) -> None:
    assert why_implausible(summary, TEXT) == ""


@pytest.mark.parametrize(
    "summary", ["??? !!! ---", "\ufffd\ufffd\ufffd a", "Отчёт о продажах", "매출 보고서", "تقرير المبيعات"]
)
def test_signs_and_foreign_scripts_are_no_summary(summary: str) -> None:
    assert why_implausible(summary, TEXT)


def test_a_script_the_file_itself_uses_is_not_foreign() -> None:
    assert why_implausible("Отчёт о продажах", "Отчёт о продажах за первый квартал") == ""
