"""Page numbers of evidence, from a document of a meeting to a search: known of a rendition, else an estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.libreoffice import LibreOfficeConverter
from locator_search.model import SearchFilters
from tests.builders.files.word import paragraph, word
from tests.builders.meetings import ContributionBench, put

MARK, BREAK = "<w:r><w:lastRenderedPageBreak/></w:r>", '<w:r><w:br w:type="page"/></w:r>'
Known = list[tuple[str, int | None, bool]]
Reading = Callable[[LibreOfficeConverter], tuple[Known, str]]


@pytest.fixture
def pages(tmp_path: Path, database_url: str, extractor: IsolatedExtractor) -> Iterator[Reading]:
    """By a converter: the page of each clause and whether it is estimated, and why the document is not all right.

    Word's marks say pages 1, 1 and 2; the breaks of the document say 1, 2 and 3."""
    body = paragraph("5.1 Registration", "1") + paragraph("The terminal registers with the network.", inside=BREAK)
    body += paragraph("5.2 Paging", "1") + paragraph("The network pages the terminal in its area.", inside=MARK + BREAK)
    body += paragraph("5.3 Charging", "1") + paragraph("The charging function counts the volume.")
    put(tmp_path / "tree", "S1-254001.docx", word(tmp_path / "marked.docx", body).read_bytes())
    bench = ContributionBench(str(tmp_path / "tree"), database_url, tmp_path / "home", extractor)
    bench.sync()

    def read(converter: LibreOfficeConverter) -> tuple[Known, str]:
        bench.parts.converter = converter
        assert bench.process("S1-254001").ending == "indexed"
        (document,) = bench.parts.store.documents("SA1#111/S1-254001")
        found = bench.parts.evidence.search("terminal network charging", SearchFilters(), 10)
        known = [(one.clause_number or "", one.page_number, one.page_is_estimated) for one in found]
        return sorted(known), document.reason

    yield read
    bench.close()


@pytest.mark.skipif(not LibreOfficeConverter().available, reason="LibreOffice is not installed; pages are estimates")
def test_pages_are_those_of_the_rendition_whatever_marks_word_left(
    pages: Reading,
) -> None:
    known, why = pages(LibreOfficeConverter(timeout=250))
    assert known == [("5.1", 1, False), ("5.2", 2, False), ("5.3", 3, False)]
    assert why == ""


def test_without_libreoffice_pages_are_estimates_of_words_marks(pages: Reading) -> None:
    known, why = pages(LibreOfficeConverter("no-such-program"))
    assert known == [("5.1", 1, True), ("5.2", 1, True), ("5.3", 2, True)]
    assert why == ""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("sleep 300", "Page numbers are estimates: LibreOffice took longer than 0.5 seconds."),
        ("exit 1", "Page numbers are estimates: LibreOffice made no pdf of the file."),
    ],
)
def test_where_libreoffice_fails_pages_are_estimates_and_nothing_is_lost(
    pages: Reading, tmp_path: Path, script: str, said: str
) -> None:
    program = tmp_path / "soffice-in-its-place"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    known, why = pages(LibreOfficeConverter(str(program), timeout=0.5))
    assert known == [("5.1", 1, True), ("5.2", 1, True), ("5.3", 2, True)]
    assert why == said
