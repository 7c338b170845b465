"""The whole search over the sample folder, measured by kind of question with a simulated person."""

from __future__ import annotations

from pathlib import Path

from locator_search.app.flow_evaluation import ask_index, index_folder, scratch_locator
from locator_search.config.settings import Settings
from locator_search.evaluation.flow import flow_figures
from locator_search.evaluation.flow_dataset import FILES, read_flow_questions
from tests.builders.flow_sets import write_samples

KINDS = ("paraphrase", "topic", "number", "number+kind", "unanswerable")


def test_the_right_file_is_shown_asked_for_or_named_as_close(database_url: str, tmp_path: Path) -> None:
    folder = write_samples(tmp_path / "samples")
    questions = [question for question in read_flow_questions(folder) if question.kind in KINDS]
    settings = Settings(database_url=database_url, locator_home=tmp_path / "home")
    with scratch_locator(settings, folder / FILES) as locator:
        files = index_folder(locator, lambda count: None)
        kinds = flow_figures(ask_index(locator, files, questions))
    assert kinds["paraphrase"]["listed"] >= 0.6, kinds
    assert kinds["paraphrase"]["listed"] + kinds["paraphrase"]["closest"] >= 0.75, kinds
    assert kinds["topic"]["reached_2"] >= 0.95, kinds
    assert kinds["number"]["first"] == kinds["number+kind"]["first"] == 1, kinds
    assert kinds["unanswerable"]["refused"] >= 0.85, kinds
