"""The folders and files of the sample meetings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl

from locator_search.adapters.libreoffice import LibreOfficeConverter
from tests.builders.files.containers import zip_file
from tests.builders.files.pdfs import pdf
from tests.builders.files.word import word
from tests.builders.sample_meetings import texts
from tests.builders.sample_meetings.markup import Part, body_of

HEADER = [
    "TDoc", "Title", "Source", "Type", "For", "Agenda item", "TDoc Status", "Is revision of", "Revised to", "Release",
    "Spec", "CR",
]  # fmt: skip
LISTS: Mapping[str, Sequence[Sequence[str]]] = {
    "TSGS1_110_Fukuoka": [
        ["S1-253100", "Registration over a satellite link", "Northlight", "pCR", "Agreement", "7.2", "agreed"],
        ["S1-253101", "Work plan of the study on sleeping cells", "Rapporteur", "Work Plan", "Information", "8.1",
         "noted"],
    ],
    "TSGS1_111_Goteborg": [
        ["S1-254001", "Cause value when a slice is rejected", "Kaede Telecom, Northlight", "CR", "Agreement", "6.1",
         "revised", "", "S1-254001r01", "Rel-20", "22.900", "0041"],
        ["S1-254001r01", "Cause value when a slice is rejected", "Kaede Telecom, Northlight", "CR", "Agreement", "6.1",
         "agreed", "S1-254001", "", "Rel-20", "22.900", "0041"],
        ["S1-254002", "Discussion on cells that sleep at night", "Mizuumi Networks", "discussion", "Discussion", "8.1",
         "noted"],
        ["S1-254003", "Reply LS on waiting times after a rejection", "SA1", "LS out", "Approval", "6.2", "approved"],
        ["S1-254004", "Notes of the drafting session on slices", "Session chair", "other", "Information", "6.1",
         "noted"],
        ["S1-254005", "災害時の優先接続に関する提案", "Kaede Telecom", "pCR", "Agreement", "7.1", "postponed"],
        ["S1-254006", "Charging of slices", "Northlight", "discussion", "Discussion", "6.3", "withdrawn"],
    ],
}  # fmt: skip


def write_archive(folder: Path) -> list[Path]:
    """Write both meetings; returns the files, with paths below the folder. Leaves .doc files alone without LibreOffice,
    which makes them."""
    return [path.relative_to(folder) for path in (*_fukuoka(folder), *_goteborg(folder))]


def _fukuoka(folder: Path) -> Iterator[Path]:
    docs = _docs(folder, "TSGS1_110_Fukuoka")
    yield _tdoc_list(docs.parent, "SA1#110", LISTS[docs.parent.name])
    yield _zip(docs / "S1-253100.zip", {"S1-253100.docx": _docx(texts.SATELLITE)})
    old = _doc(texts.WORK_PLAN)
    if old is not None:
        yield _zip(docs / "S1-253101.zip", {"S1-253101_work plan.doc": old})


def _goteborg(folder: Path) -> Iterator[Path]:
    docs = _docs(folder, "TSGS1_111_Goteborg")
    yield _tdoc_list(docs.parent, "SA1#111", LISTS[docs.parent.name])
    yield _zip(docs / "S1-254001.zip", {"S1-254001.docx": _docx(texts.SLICE_REJECTION)})
    yield _zip(docs / "S1-254001r01.zip", {"S1-254001r01.docx": _docx(texts.SLICE_REJECTION_REVISED)})
    yield _zip(
        docs / "S1-254002.zip",
        {
            "S1-254002.docx": _docx(texts.SLEEPING_CELLS),
            "attachment/measurements.docx": _docx(texts.MEASUREMENTS),
            "__MACOSX/._S1-254002.docx": b"left by macOS",
        },
    )
    old = _doc(texts.LIAISON)
    if old is not None:
        yield _written(docs / "S1-254003.doc", old)
    yield pdf(docs / "S1-254004.pdf", texts.AGENDA_NOTES, font="Helvetica")
    yield _written(docs / "S1-254005 災害時の優先接続.docx", _docx(texts.JAPANESE_PROPOSAL))


def _docs(folder: Path, meeting: str) -> Path:
    docs = folder / meeting / "Docs"
    docs.mkdir(parents=True, exist_ok=True)
    return docs


def _tdoc_list(folder: Path, meeting: str, rows: Sequence[Sequence[str]]) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "TDoc_List"
    for row in (HEADER, *rows):
        sheet.append(list(row))
    path = folder / f"TDoc_List_Meeting_{meeting}.xlsx"
    book.save(path)
    return path


def _docx(parts: Sequence[Part]) -> bytes:
    with TemporaryDirectory() as directory:
        return word(Path(directory) / "document.docx", body_of(parts)).read_bytes()


def _doc(parts: Sequence[Part]) -> bytes | None:
    """A real Word 97 file, which only an office program writes well."""
    converter = LibreOfficeConverter()
    if not converter.available:
        return None
    with TemporaryDirectory() as directory:
        source = Path(directory) / "document.docx"
        source.write_bytes(_docx(parts))
        return _as_doc(source, Path(directory)).read_bytes()


def _as_doc(source: Path, directory: Path) -> Path:
    import shutil
    import subprocess

    program = shutil.which("soffice")
    assert program is not None
    profile = (directory / "profile").as_uri()
    command = [program, f"-env:UserInstallation={profile}", "--headless", "--convert-to", "doc:MS Word 97"]
    subprocess.run([*command, "--outdir", str(directory), str(source)], check=True, capture_output=True, timeout=250)
    return directory / "document.doc"


def _zip(path: Path, entries: Mapping[str, bytes]) -> Path:
    return zip_file(path, entries)


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
