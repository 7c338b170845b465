"""Where a result of Google Drive opens: a Google Doc at the heading of the passage."""

from __future__ import annotations

import re

from locator_search.adapters.postgres import PostgresIndexStore
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.dev.drive_emulator.drive.documents import as_word, blocks_of
from locator_search.model import RetrievalQuery
from tests.builders.drive import DriveBench

FILLER = "この節では全体の流れを順に述べる。" * 60
TEXT = f"# 方針\n\n{FILLER}\n\n## 桔梗の上限\n\n桔梗の上限は三百万円とする。{FILLER}\n\n## 体制\n\n{FILLER}\n"


def links(bench: DriveBench, question: str) -> dict[str, str]:
    query = RetrievalQuery(question, threshold=0.0, mode="keyword", limit=10)
    return {item.file_name: item.link for item in PostgresIndexStore(bench.database).retrieve(query, None).evidence}


def test_a_google_doc_opens_at_the_heading_and_an_uploaded_file_as_before(
    drive: DriveEmulator, drive_bench: DriveBench
) -> None:
    drive.add_document("方針", TEXT, drive_bench.target)
    drive.add_file("写し.docx", as_word(blocks_of(TEXT.encode(), "md")), drive_bench.target)
    drive_bench.tick()
    found = links(drive_bench, "桔梗の上限")
    assert re.search(r"/document/d/\w[\w-]*/edit#heading=h\.[a-z0-9]+$", found["方針"])
    assert "#" not in found["写し.docx"]
    assert links(drive_bench, "体制")["方針"] != found["方針"]


def test_a_heading_that_stands_twice_leads_to_the_document(drive: DriveEmulator, drive_bench: DriveBench) -> None:
    drive.add_document("議事録", "## 議題\n\n予算を決めた。\n\n## 議題\n\n体制を決めた。\n", drive_bench.target)
    drive_bench.tick()
    assert links(drive_bench, "予算")["議事録"].endswith("/edit")
