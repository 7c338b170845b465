"""What is counted when the whole search is measured with a simulated person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from locator_search.core.errors import ConfigurationError
from locator_search.evaluation.flow import ask_flow, flow_figures
from locator_search.evaluation.flow_dataset import FlowQuestion, read_flow_questions, write_flow_questions
from locator_search.model import Choice, Evidence, GroupMember, SearchOutcome
from tests.fakes.scripted_index import evidence

TARGET = replace(evidence(1), folder_path="会社/営業部", file_name="見積書.docx")
QUESTION = FlowQuestion("q1", "見積", "topic", ("営業部/見積書.docx",))
CHOICES = (Choice("総務部", 30, "folder", "会社/総務部"), Choice("営業部", 20, "folder", "会社/営業部"))


@dataclass
class Played:
    """A search that ends as written down, and remembers what it was answered."""

    outcomes: list[SearchOutcome]
    answers: Sequence[str] = ()

    def advance(self) -> SearchOutcome:
        return self.outcomes[0]

    def answer(self, text: str) -> SearchOutcome:
        self.answers = [*self.answers, text]
        return self.outcomes[len(self.answers)]


def asking(*shown: Evidence) -> SearchOutcome:
    return SearchOutcome("needs_answer", "", shown, narrowing_question="どれ？", choices=CHOICES)


def found(*shown: Evidence) -> SearchOutcome:
    return SearchOutcome("found", "", shown)


def figures(*outcomes: SearchOutcome, question: FlowQuestion = QUESTION) -> tuple[dict[str, float], Played]:
    search = Played(list(outcomes))
    answers = ask_flow([question], lambda text: search, lambda choice, path: path.startswith(choice.label))
    return flow_figures(answers)[question.kind], search


def test_the_right_file_first_without_a_question() -> None:
    own, _ = figures(found(TARGET, evidence(2)))
    assert (own["first"], own["listed"], own["asked"], own["reached_1"]) == (1, 1, 0, 1)


def test_listed_is_among_the_first_ten_found_or_folded_under_one_of_them() -> None:
    others = [evidence(n) for n in range(20, 29)]
    assert figures(found(*others, TARGET))[0]["listed"] == 1
    assert figures(found(*others, evidence(30), TARGET))[0]["listed"] == 0
    folded = replace(evidence(2), group=(GroupMember(TARGET, "copy", 1.0),))
    assert figures(found(folded))[0]["first"] == 1


def test_the_person_picks_the_choice_that_holds_the_file() -> None:
    own, search = figures(asking(), found(TARGET))
    assert search.answers == ["営業部"]
    assert (own["asked"], own["listed"], own["reached_1"], own["reached_2"]) == (1, 0, 1, 1)


def test_after_two_answers_the_person_gives_up() -> None:
    own, search = figures(asking(), asking(), asking(TARGET), found(TARGET))
    assert len(search.answers) == 2
    assert (own["reached_1"], own["reached_2"]) == (0, 1)


def test_a_question_without_a_fitting_choice_is_skipped() -> None:
    elsewhere = replace(QUESTION, paths=("法務/契約書.docx",))
    assert figures(asking(), found(), question=elsewhere)[1].answers == [""]


def test_a_refusal_is_wrong_where_there_is_an_answer_and_may_name_it_as_closest() -> None:
    refused = SearchOutcome("not_found", "", closest=(evidence(2), TARGET))
    own, _ = figures(refused)
    assert (own["refused"], own["wrongly_refused"], own["closest"]) == (1, 1, 1)
    own, _ = figures(refused, question=replace(QUESTION, paths=()))
    assert (own["refused"], own["wrongly_refused"], own["closest"]) == (1, 0, 0)


def test_questions_are_read_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    unanswerable = FlowQuestion("q2", "献立", "unanswerable", ())
    write_flow_questions(tmp_path, [QUESTION, unanswerable])
    assert read_flow_questions(tmp_path) == [QUESTION, unanswerable]
    halves = [read_flow_questions(tmp_path, half) for half in {QUESTION.half, unanswerable.half}]
    assert sorted(one.id for half in halves for one in half) == ["q1", "q2"]


def test_a_question_without_a_kind_and_a_set_without_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no folder files"):
        read_flow_questions(tmp_path)
    (tmp_path / "files").mkdir()
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "献立"}\n', encoding="utf-8")
    with pytest.raises(ConfigurationError, match="line 1: the text of 'kind'"):
        read_flow_questions(tmp_path)
