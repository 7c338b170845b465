"""The sample folder, indexed with the real offline parts, answers what people would ask it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path, PurePath
from statistics import fmean

from locator_search.app.locator import Locator
from locator_search.config.bundled import bundled
from locator_search.config.settings import Settings
from locator_search.drive_search.questions import SearchOptions
from locator_search.model import SearchFilters, SearchOutcome
from locator_search.retrieval.evidence import IndexEvidenceProvider
from locator_search.text.cutting import sentence_spans
from locator_search.text.terms import analyse
from tests.builders.sample_company.questions import QUESTIONS, UNANSWERED_QUESTIONS
from tests.fakes.clock import HeldClock

SAMPLES = bundled("samples")
IN_NOVEMBER_2026 = HeldClock(datetime(2026, 11, 20, 3, tzinfo=UTC))


def test_the_sample_folder_answers_what_people_would_ask_it(database_url: str, tmp_path: Path) -> None:
    settings = Settings(database_url=database_url, locator_folders=(str(SAMPLES),), locator_home=tmp_path)
    with Locator(settings) as locator:
        locator.clock = IN_NOVEMBER_2026
        files = list(locator.source.sweep().files())
        locator.registry.record_listing(files, locator.clock.now())
        for file in files:
            locator.indexer.index_file(file)

        ranks = Counter(_rank(_search(locator, question.text), question.paths) for question in QUESTIONS)
        assert ranks[1] >= 0.9 * len(QUESTIONS), ranks
        assert sum(count for rank, count in ranks.items() if rank) >= 0.97 * len(QUESTIONS), ranks

        found = [text for text in UNANSWERED_QUESTIONS if _search(locator, text).outcome == "found"]
        assert len(found) <= 0.25 * len(UNANSWERED_QUESTIONS), found

        last_month = _search(locator, "先月の売上のPDF")
        assert [item.file_name for item in last_month.evidence] == ["売上報告 2026年10月.pdf"]
        assert "2026-10 (先月)" in last_month.message
        assert "PDF" in last_month.message

        era_month = _search(locator, "令和6年9月の議事録")
        assert [item.file_name for item in era_month.evidence] == ["経営会議議事録_令和6年9月.docx"]
        assert "2024-09 (令和6年9月)" in era_month.message

        assert _not_found_by_their_own_words(locator) == []


def _not_found_by_their_own_words(locator: Locator) -> list[tuple[str, str]]:
    """Files that are not among the first three for their title, or for the sentence of theirs with the rarest words."""
    files = list(locator.feedback_reader.texts())
    bearers = Counter(term for file in files for term in analyse(file.text).terms)
    provider = IndexEvidenceProvider(locator.index, locator.embedder)

    def rarity(sentence: str) -> float:
        return fmean(1 / bearers[term] for term in analyse(sentence).terms if term in bearers)

    missed = []
    for file in files:
        sentences = [file.text[start:end] for start, end in sentence_spans(file.text) if 8 <= end - start <= 80]
        for asked in (PurePath(file.file_name).stem, max(sentences, key=rarity)):
            if file.file_id not in [item.file_id for item in provider.search(asked, SearchFilters(), 3)]:
                missed.append((file.file_name, asked))
    return missed


def _search(locator: Locator, question: str) -> SearchOutcome:
    return locator.drive_search.start(question, options=SearchOptions(interactive=False)).advance()


def _rank(outcome: SearchOutcome, paths: tuple[str, ...]) -> int | None:
    """From 1; None when no right file is shown."""
    right = {unicodedata.normalize("NFC", f"{SAMPLES.name}/{path}") for path in paths}
    shown = [unicodedata.normalize("NFC", f"{item.folder_path}/{item.file_name}") for item in outcome.evidence]
    return next((rank for rank, path in enumerate(shown, start=1) if path in right), None)
