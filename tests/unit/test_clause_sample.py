"""Clause and page of every chunk of four 3GPP-style documents, checked by hand against the documents as Word lays them
out: a change request with tracked changes and an annex, a proposal in Japanese, a pCR over two pages, and a PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.threegpp_ftp.unpacking import ZipUnpacker
from locator_search.config.bundled import sample_meetings
from locator_search.indexing.chunking.strategies import STRATEGIES
from locator_search.ports import NormalisedDocument

CHANGE_REQUEST = [
    (None, 1, "CHANGE REQUEST"),
    ("1", 2, "1 Scope"),
    ("5.2.1", 2, "5 Requirements"),
    ("5.2.1a", 2, "5.2.1a Waiting time"),
    ("5.2.2", 2, "5.2.2 Deregistration"),
    ("A.1", 3, "Annex A (informative): Cause values"),
]
SAMPLE = {
    "TSGS1_111_Goteborg/Docs/S1-254001.zip": CHANGE_REQUEST,
    "TSGS1_111_Goteborg/Docs/S1-254001r01.zip": CHANGE_REQUEST,
    "TSGS1_111_Goteborg/Docs/S1-254005 災害時の優先接続.docx": [
        (None, None, "災害時の優先接続に関する提案"),
        ("1", None, "1 はじめに"),
        ("2.1", None, "2 提案"),
        ("2.2", None, "2.2 期間"),
        ("3", None, "3 まとめ"),
    ],
    "TSGS1_110_Fukuoka/Docs/S1-253100.zip": [
        (None, 1, "Requirements for registration over a satellite link"),
        ("5.2.1", 1, "5 Requirements"),
        ("5.2.2", 2, "5.2.2 Coverage"),
    ],
    "TSGS1_111_Goteborg/Docs/S1-254004.pdf": [
        (None, 1, "S1-254004 Notes of the drafting session on slices"),
        ("1", 1, "1 Agreements"),
        ("2", 2, "2 Open points"),
    ],
}


@pytest.mark.parametrize("path", SAMPLE)
def test_clause_and_page_of_every_chunk_are_those_a_person_reads_off(
    path: str, tmp_path: Path, extractor: IsolatedExtractor
) -> None:
    file = sample_meetings() / path
    (member,) = ZipUnpacker().unpack(file, file.name, tmp_path)
    assert member.path is not None
    document = extractor.extract(member.path).document
    normalised = NormalisedDocument("id", "SA1#111/S1-254001", "SA1#111", "S1-254001", file.name, document, "hash")
    chunks = STRATEGIES["heading"].chunk(normalised)
    assert [(chunk.clause, chunk.page, chunk.text.split("\n")[0]) for chunk in chunks] == SAMPLE[path]
