"""Every document of a contribution in one form: docx or PDF on disk, and blocks with pages and tracked changes."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Literal
from uuid import uuid4

from locator_search.contributions.cover_page import cover_page
from locator_search.contributions.pages import with_pages
from locator_search.core.errors import ExtractionError, UnreadableFile
from locator_search.core.temporary import temporary_folder
from locator_search.indexing.reading import Content, Reader, content_of
from locator_search.model import Document, Extraction
from locator_search.ports import (
    Contribution,
    ContributionFile,
    Converter,
    ExtractionMemo,
    NormalisedDocument,
    PackageMember,
    PageKind,
    TextExtractor,
    Unpacker,
)
from locator_search.ports.contributions.documents import CONVERTIBLE
from locator_search.text.clauses import clause_number

VERSION = "normalised-7"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PDF = "application/pdf"
_UNKNOWN_TYPE = "application/octet-stream"


class Normaliser:
    """Normalises one contribution at a time; safe to call from several threads. `folder` keeps what is made."""

    def __init__(
        self,
        unpacker: Unpacker,
        extractor: TextExtractor,
        extraction_memo: ExtractionMemo,
        converter: Converter,
        folder: Path,
    ) -> None:
        self._unpacker = unpacker
        self._reader = Reader(extractor, extraction_memo)
        self._converter = converter
        self._folder = folder

    @property
    def version(self) -> str:
        """Changes when the same file would be normalised differently."""
        return f"{VERSION} {self._reader.version} {self._converter.version}"

    def normalise(
        self,
        contribution: Contribution,
        files: Sequence[ContributionFile],
        known: Iterable[NormalisedDocument] = (),
        *,
        again: bool = False,
    ) -> list[NormalisedDocument]:
        """All documents of the files, bad ones with their state; each content once. `known` are those made before: what
        they still hold for is not made again, unless a person asks (`again`). Raises OSError.
        """
        remembered = {} if again else {(one.document_id, one.content_hash): one for one in known}
        made: dict[str, NormalisedDocument] = {}
        for file in files:
            with temporary_folder() as directory:
                path = self._folder / str(file.stored_as)
                for member in self._unpacker.unpack(path, file.name, Path(directory)):
                    alone = member.name == file.name and member.path in (path, None)
                    source_file = file.name if alone else f"{file.name}!{member.name}"
                    frame = _frame(contribution, source_file, member, self.version)
                    if member.path is None:
                        made.setdefault(f"no content: {source_file}", frame)
                        continue
                    content = content_of(member.path)
                    frame = replace(frame, content_hash=content.sha256)
                    before = remembered.get((frame.document_id, content.sha256))
                    if content.sha256 not in made:
                        document = self._kept(before) or self._document(frame, content, again=again)
                        made[content.sha256] = replace(document, cover=cover_page(_before_clauses(document.document)))
        return list(made.values())

    def _kept(self, before: NormalisedDocument | None) -> NormalisedDocument | None:
        if before is None or before.normaliser_version != self.version:
            return None
        stored = before.stored_as is None or (self._folder / before.stored_as).is_file()
        return before if stored else None

    def _document(self, frame: NormalisedDocument, content: Content, *, again: bool) -> NormalisedDocument:
        extraction, _ = self._reader.read(content, _UNKNOWN_TYPE, again=again)
        kind = extraction.document.mime_type
        if kind in CONVERTIBLE and extraction.state in ("ok", "partial", "suspicious", "unsupported"):
            return self._converted(frame, content, extraction)
        document = _with_text(frame, extraction)
        if not document.readable:
            return document
        if kind == PDF:
            return replace(document, pages="exact", stored_as=self._store(content, ".pdf"))
        if kind == DOCX:
            stored_as = self._store(content, ".docx")
            document = replace(document, stored_as=stored_as)
            marked = any(block.page is not None for block in extraction.document.blocks)
            document = replace(document, pages="word_marks" if marked else "none")
            return self._with_rendition(document, content.sha256, content.path)
        return document

    def _converted(self, frame: NormalisedDocument, content: Content, own: Extraction) -> NormalisedDocument:
        """A .doc, .rtf or .odt by way of LibreOffice; what we read ourselves where there is none, or where it fails."""
        if not self._converter.available:
            return _without_conversion(frame, own, "LibreOffice is not installed.")
        stored_as = f"normalized/{content.sha256}.docx"
        try:
            if not (self._folder / stored_as).is_file():
                self._convert(content.path, "docx", self._folder / stored_as)
            docx = content_of(self._folder / stored_as)
        except ExtractionError as error:
            return _without_conversion(frame, own, error.message)
        extraction, _ = self._reader.read(docx, DOCX)
        if not extraction.readable:
            return _without_conversion(frame, own, "What LibreOffice made of the file holds no text.")
        unpaged = replace(extraction, document=_without_pages(extraction.document))  # its marks are not Word's
        document = replace(_with_text(frame, unpaged), stored_as=stored_as, converted=True)
        return self._with_rendition(document, docx.sha256, content.path)

    def _with_rendition(self, document: NormalisedDocument, sha256: str, original: Path) -> NormalisedDocument:
        """Pages of a PDF that LibreOffice makes of the original; it is kept under the hash of the normalised file.
        Without one the pages are those of Word's marks, which are estimates, or not known."""
        if not self._converter.available:
            return document
        rendition = self._folder / f"normalized/{sha256}.pdf"
        try:
            if not rendition.is_file():
                self._convert(original, "pdf", rendition)
            extraction, _ = self._reader.read(content_of(rendition), PDF)
            if not extraction.readable:
                raise UnreadableFile("The PDF that LibreOffice made of the file holds no text.")
        except ExtractionError as error:
            lost = "Page numbers are estimates" if document.pages == "word_marks" else "No page numbers"
            return replace(document, reason=" ".join((document.reason, f"{lost}: {error.message}")).strip())
        return replace(document, document=with_pages(document.document, page_texts(extraction)), pages="rendition")

    def _convert(self, path: Path, to: Literal["docx", "pdf"], target: Path) -> None:
        with temporary_folder() as directory:
            _keep(self._converter.convert(path, to, Path(directory)), target)

    def _store(self, content: Content, suffix: str) -> str:
        stored_as = f"normalized/{content.sha256}{suffix}"
        target = self._folder / stored_as
        if not target.is_file():
            _keep(content.path, target)
        return stored_as


def _keep(path: Path, target: Path) -> None:
    """Copy a file into the store, where it appears when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{uuid4().hex[:8]}.part")
    shutil.copyfile(path, part)
    part.replace(target)


def _frame(contribution: Contribution, source_file: str, member: PackageMember, version: str) -> NormalisedDocument:
    """A document without its text."""
    return NormalisedDocument(
        document_id=f"{contribution.contribution_id}/{source_file}",
        contribution_id=contribution.contribution_id,
        meeting_id=contribution.meeting_id,
        contribution_number=contribution.number,
        source_file=source_file,
        document=Document((), _UNKNOWN_TYPE),
        content_hash="",
        state=member.state,
        reason=member.reason,
        normaliser_version=version,
    )


def _with_text(frame: NormalisedDocument, extraction: Extraction) -> NormalisedDocument:
    pages: PageKind = "none"
    return replace(
        frame,
        document=_without_pictures(extraction.document),
        state=extraction.state,
        reason=extraction.reason,
        pages=pages,
    )


def _without_conversion(frame: NormalisedDocument, own: Extraction, why: str) -> NormalisedDocument:
    """The document as our own reader has it: the text as changed, without page numbers and tracked changes."""
    reason = f"Read without LibreOffice: no page numbers, no tracked changes. {why}" if own.readable else why
    return _with_text(frame, replace(own, reason=" ".join((own.reason, reason)).strip()))


def _without_pages(document: Document) -> Document:
    return replace(document, blocks=tuple(replace(block, page=None) for block in document.blocks), page_count=None)


def _without_pictures(document: Document) -> Document:
    """The document without what its pictures say of themselves, which no page shows and nobody proposes."""
    return replace(document, blocks=tuple(block for block in document.blocks if block.kind != "picture"))


def _before_clauses(document: Document) -> Iterator[str]:
    """The texts before the first clause, which is where a form stands."""
    front = takewhile(lambda block: not (block.level and clause_number(block.text)), document.blocks)
    return (block.text for block in front)


def page_texts(extraction: Extraction) -> list[str]:
    """The text of each page of a PDF."""
    texts: dict[int, list[str]] = defaultdict(list)
    for block in extraction.document.blocks:
        texts[block.page or 1].append(block.text)
    return ["\n".join(texts[page]) for page in range(1, (extraction.document.page_count or 0) + 1)]
