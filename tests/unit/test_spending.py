"""The ceiling on what models may cost: what counts towards it, and from which cent on nothing more is begun."""

from __future__ import annotations

import pytest

from locator_search.core.errors import BudgetExhausted
from locator_search.core.usage import Usage
from locator_search.llm.budget import Budget
from tests.fakes.usage_log import UsageLogInMemory


def budget(ceiling: float | None, spent: float = 0.0, promised: float = 0.0) -> Budget:
    log = UsageLogInMemory()
    log.add("summarise", "m", Usage(1, 10, 10, spent))
    return Budget(log, ceiling, lambda: promised)


def call(paying: Budget, wanted: float) -> None:
    with paying.reserved("m", wanted):
        pass


def test_a_paid_call_is_entered_with_its_task_and_model() -> None:
    log = UsageLogInMemory()
    Budget(log).paid("rerank", "m-1", Usage(1, 10, 5, 0.25))
    assert log.calls == [("rerank", "m-1", Usage(1, 10, 5, 0.25))]


def test_without_a_ceiling_any_wish_is_granted() -> None:
    call(budget(None, spent=1_000), 1_000)


@pytest.mark.parametrize("wanted", [0.0, 0.25, 0.5])
def test_what_reaches_the_ceiling_to_the_cent_is_granted(wanted: float) -> None:
    call(budget(1.0, spent=0.5), wanted)


def test_what_goes_beyond_the_ceiling_is_refused_with_a_hint() -> None:
    with pytest.raises(BudgetExhausted) as refused:
        call(budget(1.0, spent=0.5), 0.500001)
    assert refused.value.message.startswith("The ceiling on model costs is reached: $0.500000 of $1 are spent,")
    assert "LOCATOR_MAX_COST_USD" in refused.value.hint


def test_at_the_ceiling_even_a_free_call_is_refused() -> None:
    with pytest.raises(BudgetExhausted):
        call(budget(1.0, spent=1.0), 0.0)


def test_what_batches_under_way_may_still_cost_is_taken_off() -> None:
    call(budget(1.0, spent=0.25, promised=0.25), 0.5)
    with pytest.raises(BudgetExhausted):
        call(budget(1.0, spent=0.25, promised=0.5), 0.5)


def test_a_call_that_ended_no_longer_holds_its_room() -> None:
    ours = budget(1.0)
    for _ in range(5):
        with ours.reserved("m", 0.75):
            pass
    call(ours, 1.0)


def test_a_call_that_failed_no_longer_holds_its_room() -> None:
    ours = budget(1.0)
    with pytest.raises(RuntimeError), ours.reserved("m", 0.75):
        raise RuntimeError("the connection broke")
    call(ours, 1.0)


def test_room_held_by_one_call_is_not_given_to_another() -> None:
    ours = budget(1.0)
    with ours.reserved("m", 0.5), ours.reserved("m", 0.25):
        call(ours, 0.25)
        with pytest.raises(BudgetExhausted):
            call(ours, 0.375)


def test_what_is_left_is_told_without_what_is_under_way() -> None:
    ours = budget(1.0, spent=0.25, promised=0.25)
    with ours.reserved("m", 0.125):
        assert ours.left_usd == 0.375
    assert ours.left_usd == 0.5
    assert budget(None, spent=5).left_usd is None
