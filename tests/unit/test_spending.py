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


def test_a_paid_call_is_entered_with_its_task_and_model() -> None:
    log = UsageLogInMemory()
    Budget(log).paid("rerank", "m-1", Usage(1, 10, 5, 0.25))
    assert log.calls == [("rerank", "m-1", Usage(1, 10, 5, 0.25))]


def test_without_a_ceiling_any_wish_is_granted() -> None:
    budget(None, spent=1_000).check(1_000)


@pytest.mark.parametrize("wanted", [0.0, 0.25, 0.5])
def test_what_reaches_the_ceiling_to_the_cent_is_granted(wanted: float) -> None:
    budget(1.0, spent=0.5).check(wanted)


def test_what_goes_beyond_the_ceiling_is_refused_with_a_hint() -> None:
    with pytest.raises(BudgetExhausted) as refused:
        budget(1.0, spent=0.5).check(0.500001)
    assert refused.value.message.startswith("The ceiling on model costs is reached: $0.500000 of $1 are spent,")
    assert "LOCATOR_MAX_COST_USD" in refused.value.hint


def test_at_the_ceiling_even_a_free_call_is_refused() -> None:
    with pytest.raises(BudgetExhausted):
        budget(1.0, spent=1.0).check(0.0)


def test_what_batches_under_way_may_still_cost_is_taken_off() -> None:
    budget(1.0, spent=0.25, promised=0.25).check(0.5)
    with pytest.raises(BudgetExhausted):
        budget(1.0, spent=0.25, promised=0.5).check(0.5)


def test_a_call_that_ended_no_longer_holds_its_room() -> None:
    ours = budget(1.0)
    for _ in range(5):
        with ours.reserved("m", 0.75):
            pass
    ours.check(1.0)


def test_a_call_that_failed_no_longer_holds_its_room() -> None:
    ours = budget(1.0)
    with pytest.raises(RuntimeError), ours.reserved("m", 0.75):
        raise RuntimeError("the connection broke")
    ours.check(1.0)


def test_room_held_by_one_call_is_not_given_to_another() -> None:
    ours = budget(1.0)
    with ours.reserved("m", 0.5), ours.reserved("m", 0.25):
        ours.check(0.25)
        with pytest.raises(BudgetExhausted):
            ours.check(0.375)
