"""LibreOffice, real where it is installed, and programs in its place that behave as it does on a bad day."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.libreoffice import LibreOfficeConverter
from locator_search.contributions.pages import with_pages
from locator_search.core.errors import ConfigurationError, UnreadableFile, UnsupportedFileType
from tests.builders.files.word import paragraph, word
from tests.builders.files.word97 import doc

needs_libreoffice = pytest.mark.skipif(
    not LibreOfficeConverter().available, reason="LibreOffice is not installed; .doc is read without it"
)


@pytest.fixture
def old_document(tmp_path: Path) -> Path:
    return doc(tmp_path / "S2-2401234 r01 議事録.v2.doc", "The UE shall register.\rSecond paragraph.\r")


@needs_libreoffice
def test_a_doc_becomes_a_docx_that_holds_its_text(
    old_document: Path, tmp_path: Path, extractor: IsolatedExtractor
) -> None:
    made = LibreOfficeConverter(timeout=250).convert(old_document, "docx", tmp_path)
    assert made == tmp_path / "S2-2401234 r01 議事録.v2.docx"
    assert "The UE shall register." in extractor.extract(made).document.text


@pytest.mark.large
@needs_libreoffice
def test_a_conversion_keeps_tracked_changes(tmp_path: Path, extractor: IsolatedExtractor) -> None:
    change = '<w:ins w:id="1" w:author="A" w:date="2025-01-01T00:00:00Z"><w:r><w:t>INSERTED</w:t></w:r></w:ins>'
    original = word(tmp_path / "a.docx", paragraph("The UE shall ", inside=change))
    (tmp_path / "made").mkdir()
    made = LibreOfficeConverter(timeout=250).convert(original, "docx", tmp_path / "made")
    changes = [change for block in extractor.extract(made).document.blocks for change in block.changes]
    assert [(change.kind, change.text, change.author) for change in changes] == [("insert", "INSERTED", "A")]


@pytest.mark.large
@needs_libreoffice
def test_several_conversions_at_once_do_not_disturb_each_other(old_document: Path, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    converter = LibreOfficeConverter(timeout=250)
    folders = [tmp_path / str(number) for number in range(4)]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda folder: converter.convert(old_document, "pdf", folder), folders))
    assert all(path.read_bytes().startswith(b"%PDF-") for path in made)


@pytest.mark.large
@needs_libreoffice
def test_pages_of_a_rendition_are_those_the_paragraphs_stand_on(tmp_path: Path, extractor: IsolatedExtractor) -> None:
    """A document of five pages, broken by hand, with the same heading on each."""
    break_page = '<w:r><w:br w:type="page"/></w:r>'
    told = [
        (f"Paragraph {place} of page {page} says something of its own.", page)
        for page in range(1, 6)
        for place in range(3)
    ]
    body = ""
    for text, _ in told:
        first = text.startswith("Paragraph 0")
        body += paragraph("Requirements on every page", "1") if first else ""
        body += paragraph(text, inside=break_page if text.startswith("Paragraph 2") else "")
    path = word(tmp_path / "pages.docx", body)
    rendition = extractor.extract(LibreOfficeConverter(timeout=250).convert(path, "pdf", tmp_path))
    texts: dict[int, list[str]] = {}
    for block in rendition.document.blocks:
        texts.setdefault(block.page or 0, []).append(block.text)
    paged = with_pages(extractor.extract(path).document, ["\n".join(texts[page]) for page in sorted(texts)])
    found = {block.text: block.page for block in paged.blocks if block.text.startswith("Paragraph")}
    assert found == dict(told)
    assert [block.page for block in paged.blocks if block.kind == "heading"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "content",
    [b"", b"plain text named .doc", bytes(range(256)), b"<html><body>page</body></html>", b"PK\x03\x04 broken"],
)
def test_what_is_no_document_never_reaches_libreoffice(tmp_path: Path, content: bytes) -> None:
    """It would make a .docx of anything and call it a success."""
    (tmp_path / "named.doc").write_bytes(content)
    with pytest.raises(UnsupportedFileType):
        LibreOfficeConverter(_program(tmp_path, "exit 0")).convert(tmp_path / "named.doc", "docx", tmp_path)


def test_without_libreoffice_it_says_so(old_document: Path, tmp_path: Path) -> None:
    converter = LibreOfficeConverter("no-such-program")
    assert (converter.available, converter.version) == (False, "none")
    with pytest.raises(ConfigurationError, match="not installed"):
        converter.convert(old_document, "docx", tmp_path)


def test_success_without_a_result_is_a_failure(old_document: Path, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="made no docx"):
        LibreOfficeConverter(_program(tmp_path, "exit 0")).convert(old_document, "docx", tmp_path)


def test_a_conversion_that_hangs_is_ended_with_everything_it_started(old_document: Path, tmp_path: Path) -> None:
    program = _program(tmp_path, f"sleep 300 & echo $! > {tmp_path}/child; wait")
    started = time.monotonic()
    for seconds in (0.5, 5, 50):  # until it had begun in time, however slow the machine
        with pytest.raises(UnreadableFile, match=rf"longer than {seconds:g} seconds"):
            LibreOfficeConverter(program, timeout=seconds).convert(old_document, "docx", tmp_path)
        if (tmp_path / "child").exists() and (child := (tmp_path / "child").read_text().strip()):
            break
    assert time.monotonic() - started < 200
    psutil.wait_procs([psutil.Process(int(child))] if psutil.pid_exists(int(child)) else [], timeout=60)
    assert not psutil.pid_exists(int(child)) or psutil.Process(int(child)).status() == psutil.STATUS_ZOMBIE


def test_the_program_sees_nothing_of_our_settings(
    old_document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with pytest.raises(UnreadableFile):
        LibreOfficeConverter(_program(tmp_path, f"env > {tmp_path}/seen")).convert(old_document, "docx", tmp_path)
    assert "secret" not in (tmp_path / "seen").read_text()


def _program(folder: Path, script: str) -> str:
    path = folder / "soffice-in-its-place"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
