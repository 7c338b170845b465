"""Damaged files by the hundred: every one ends in a state, in time, and takes no worker with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from pathlib import Path

import pytest

from locator_search.adapters.extractors.limits import MIB, WorkerLimits
from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.config.settings import load_settings
from locator_search.model import Extraction
from tests.builders.files.drawn import shape
from tests.builders.files.excel97 import Formula, workbook97
from tests.builders.files.mutations import DAMAGES, Mutant, mutants
from tests.builders.files.office import presentation, workbook
from tests.builders.files.pdfs import bookmarked_pdf, form_pdf, vertical_pdf
from tests.builders.files.powerpoint97 import Slide, presentation97
from tests.builders.files.word import numbered, paragraph, table, word
from tests.builders.files.word97 import doc, holding_objects, streams_of

_NUMBERING = (
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One good file of every kind that our own code can write."""
    folder = tmp_path_factory.mktemp("seeds")
    message = EmailMessage()
    message["Subject"] = "件名"
    message.set_content("本文です。")
    message.add_attachment(b"<p>page</p>", maintype="text", subtype="html", filename="a.html")
    texts = {
        "a.txt": "売上報告書\n\n本文".encode("cp932"),
        "a.csv": "品目,数量\nりんご,3\n".encode(),
        "a.html": "<html><body><h1>題</h1><table><tr><td>1<td>2</table></body></html>".encode(),
        "a.md": b"# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a.rtf": rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\x y}\pard caf\u233? \par\intbl a\cell\row}",
        "a.eml": message.as_bytes(),
    }
    for name, content in texts.items():
        (folder / name).write_bytes(content)
    described = doc(folder / "pictures.doc", "文\x01\r", drawn=shape("横の図"), picture=shape("中の図"))
    body = paragraph("見出し", "1") + numbered("一つ", 1) + table(["左", "右"]) + paragraph("本文 " * 200)
    return [
        *(folder / name for name in texts),
        word(folder / "a.docx", body, numbering=_NUMBERING, footnotes=f"<w:footnote>{paragraph('注')}</w:footnote>"),
        doc(folder / "a.doc", "見出し\r本文です\r", styles=[1, 0], deleted=(4, 6)),
        described,
        holding_objects(folder / "objects.doc", {"_1": streams_of(described.read_bytes())}),
        workbook(folder / "a.xlsx", {"表": [["品目", "数量"], ["りんご", 3]], "空": []}),
        presentation(folder / "a.pptx"),
        workbook97(folder / "a.xls", {"表": [["品目", 3, 0.5], [Formula("計"), True]], "空": []}),
        presentation97(folder / "a.ppt", [Slide("題", "文", "ノート"), Slide("終わり")]),
        bookmarked_pdf(folder / "a.pdf", [["1 序", "本文"], ["2 結"]], [(0, 0, "1 序"), (1, 0, "2 結")]),
        form_pdf(folder / "form.pdf", "Name:", "value"),
        vertical_pdf(folder / "v.pdf", ["縦書きの文章をここに置く", "二行目もここにある"]),
    ]


def test_damaged_files_end_in_a_state_and_take_no_worker_with_them(seeds: list[Path], tmp_path: Path) -> None:
    _check(_extracted(seeds, 4 * len(DAMAGES), tmp_path))


@pytest.mark.large
def test_five_hundred_damaged_files_real_ones_among_them(seeds: list[Path], tmp_path: Path) -> None:
    devset = load_settings().locator_devset
    real = sorted((devset / "files").iterdir()) if devset is not None else []
    results = _extracted(seeds + [path for path in real if 0 < path.stat().st_size < 2 * MIB], 500, tmp_path)
    _check(results)
    assert len(results) == 500


def _extracted(seeds: Sequence[Path], count: int, folder: Path) -> list[tuple[Mutant, Extraction]]:
    limits = WorkerLimits(wall_seconds=120.0, memory_bytes=768 * MIB)
    with IsolatedExtractor(2, limits) as extractor, ThreadPoolExecutor(2) as pool:

        def extract(mutant: Mutant) -> tuple[Mutant, Extraction]:
            path = folder / mutant.name
            path.write_bytes(mutant.content)
            extraction = extractor.extract(path)
            path.unlink()
            return mutant._replace(content=b""), extraction

        return list(pool.map(extract, mutants(seeds, count)))


def _check(results: Sequence[tuple[Mutant, Extraction]]) -> None:
    states = Counter(extraction.state for _, extraction in results)
    hung = [(mutant.name, result.reason) for mutant, result in results if result.state == "timeout"]
    assert hung == [], states
    # PDFium cannot be stopped at a limit of memory other than with its process: that one file is then `killed`.
    died = [result.reason for _, result in results if result.state == "killed"]
    assert all("SIGABRT" in reason and "MB of memory" in reason for reason in died), died
    assert len(died) <= len(results) / 100, died
    unexplained = [mutant.name for mutant, result in results if result.state != "ok" and not result.reason]
    assert unexplained == []
    assert {result.state for mutant, result in results if mutant.damage == "empty"} == {"empty"}
    assert all(result.readable == bool(result.document.text) for _, result in results)
    assert states["ok"] + states["partial"] > len(results) / 8, "hardly anything survives: is the damage too great?"
