"""Fusion, calibration and branching beside a real embedding model: what is asked in other words is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from locator_search.app.flow_evaluation import index_folder, scratch_locator
from locator_search.app.locator import Locator
from locator_search.config.settings import load_settings
from locator_search.evaluation import calibrate as measuring
from locator_search.model import RetrievalMode, RetrievalQuery
from tests.builders.judged_corpus import small_corpus
from tests.real_model import needs_local_model

pytestmark = needs_local_model

PAPERS = {
    "通信費規程.txt": "テレワーク中の通信費は、月額三千円を上限に会社が負担する。",
    "慶弔規程.txt": "社員が婚姻したときは、祝金として五万円を贈る。",
    "車両規程.txt": "社有車で事故を起こした者は、ただちに警察と上長に連絡する。",
    "safety.txt": "Anyone who smells smoke presses the nearest alarm button and leaves by the stairs.",
}
IN_OTHER_WORDS = {
    "結婚したらいくらもらえますか": "慶弔規程.txt",
    "カンパニーカーをぶつけてしまった": "車両規程.txt",
    "what to do when there is a fire": "safety.txt",
}


@pytest.fixture
def locator(tmp_path: Path, database_url: str) -> Iterator[Locator]:
    """A folder of 34 short files, embedded by the local model."""
    folder = tmp_path / "共有"
    folder.mkdir()
    others = {f"{one.title}.txt": one.text for one in small_corpus(30)}
    for name, text in (PAPERS | others).items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = load_settings(locator_home=tmp_path / "home", database_url=database_url, embedding_provider="local")
    with scratch_locator(settings, folder) as opened:
        index_folder(opened, lambda _: None)
        yield opened


def first(locator: Locator, question: str, mode: RetrievalMode) -> str:
    vector = locator.embedder.embed([question], "query")[0]
    evidence = locator.index.retrieve(RetrievalQuery(question, threshold=0.0, mode=mode), vector).evidence
    return evidence[0].file_name if evidence else ""


def test_other_words_find_the_file_and_words_go_on_finding_theirs(
    locator: Locator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert locator.status_reader.status().without_embeddings == 0
    hybrid = {question: first(locator, question, "hybrid") for question in IN_OTHER_WORDS}
    by_words = {question: first(locator, question, "keyword") for question in IN_OTHER_WORDS}
    assert hybrid == IN_OTHER_WORDS
    assert by_words == dict.fromkeys(IN_OTHER_WORDS, ""), "the questions are in other words"
    assert first(locator, "整理番号1049番", "hybrid") == first(locator, "整理番号1049番", "keyword")

    outcomes = {question: locator.drive_search.start(question).advance() for question in IN_OTHER_WORDS}
    for question, outcome in outcomes.items():
        named = [*outcome.evidence, *outcome.closest]
        assert named, question
        assert named[0].file_name == IN_OTHER_WORDS[question]
    assert locator.drive_search.start("半導体の歩留まりの改善案").advance().outcome == "not_found"

    monkeypatch.setattr(measuring, "QUESTIONS", 40)
    measured = measuring.measure(locator.calibration_store, locator.index, locator.bare_embedder, lambda _: None)
    right, nearest, unrelated = map(median, (measured.answerable, measured.unanswerable, measured.unrelated))
    assert right > nearest > unrelated > 0.7
