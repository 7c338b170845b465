"""Questions with known targets, without a model: names, numbers, channels and people reach every service's search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.live_search.outcome import LiveOutcome
from locator_search.live_search.searcher import LiveSearch
from locator_search.ports import Answer, ChatModel, Prompt
from tests.builders.live_questions import FIRST_HALF, FURTHER, SECOND_HALF, THINGS, WORDS_OF_A_MODEL, Question
from tests.fakes.clock import HeldClock
from tests.fakes.searchable_services import SearchableServices


class WritingModel(OfflineChatModel):
    """Writes queries as a language model does that reads the operators of each search: all words, then each alone."""

    model_name = "writing-1"

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        if prompt.task != "live_queries":
            return super().answer(prompt)
        said = WORDS_OF_A_MODEL[str(prompt.inputs["question"])].split()
        searches = cast("Sequence[Mapping[str, Any]]", prompt.inputs["searches"])
        return prompt.output_model.model_validate({one["name"]: draft(said, one["operators"]) for one in searches})


def draft(said: Sequence[str], operators: Mapping[str, str]) -> dict[str, object]:
    """Named places and people with the operator of a search, or left out where it has none."""
    kinds = [word.partition(":") for word in said]
    named = [operators[kind] + name for kind, found, name in kinds if found and kind in operators]
    words = [kind for kind, found, _ in kinds if not found]
    alone = [" ".join([*named, word]) for word in words] if len(words) > 1 else []
    return {"query": " ".join([*named, *words]), "also": alone[:2], "alternatives": []}


def answered(question: str, model: ChatModel) -> LiveOutcome:
    return LiveSearch(SearchableServices(THINGS), model, HeldClock(), "ja", "Asia/Tokyo").ask(question)


def missed(questions: Sequence[Question], model: ChatModel) -> list[str]:
    return [
        question for question, uri in questions if uri not in {one.uri for one in answered(question, model).evidence}
    ]


@pytest.mark.parametrize("half", [FIRST_HALF, SECOND_HALF, FURTHER], ids=["first", "second", "further"])
def test_without_a_model_the_thing_a_question_is_about_is_among_its_evidence(half: list[Question]) -> None:
    lost = missed(half, OfflineChatModel())
    assert len(lost) <= 1, lost


def test_with_a_model_one_of_thirty_questions_is_missed_at_most() -> None:
    lost = missed([*FIRST_HALF, *SECOND_HALF], WritingModel())
    assert len(lost) <= 1, lost
