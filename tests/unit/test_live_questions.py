"""Questions with known targets, without a model: names, numbers, channels and people reach every service's search."""

from __future__ import annotations

import pytest

from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.live_search.outcome import LiveOutcome
from locator_search.live_search.searcher import LiveSearch
from tests.builders.live_questions import FIRST_HALF, SECOND_HALF, THINGS, Question
from tests.fakes.clock import HeldClock
from tests.fakes.searchable_services import SearchableServices


def answered(question: str) -> LiveOutcome:
    return LiveSearch(SearchableServices(THINGS), OfflineChatModel(), HeldClock(), "ja", "Asia/Tokyo").ask(question)


@pytest.mark.parametrize("half", [FIRST_HALF, SECOND_HALF], ids=["first", "second"])
def test_what_a_question_is_about_is_among_its_evidence(half: list[Question]) -> None:
    missed = [question for question, uri in half if uri not in {one.uri for one in answered(question).evidence}]
    assert len(missed) <= 1, missed
