"""Turns a part of a file in the index into the answer of `fetch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from locator_search.mcp_server.document_ids import DocumentId
from locator_search.mcp_server.schemas import DocumentMetadata, FetchedDocument
from locator_search.mcp_server.texts import Sentences

if TYPE_CHECKING:
    from locator_search.model import Chunk, Evidence
    from locator_search.ports import DocumentPart

PART_LENGTH = 16_000
"""Characters. About what fits into one answer of a tool everywhere; Japanese takes a token for a character."""


def fetched(file: Evidence, part: DocumentPart, say: Sentences) -> FetchedDocument:
    """A part of the text of `file`, and how to read on where it is not the last one."""
    following = str(DocumentId(file.file_id, part.number + 1)) if part.number < part.count else None
    text = text_of(part.chunks)
    if following:
        text += "\n\n" + say.more_parts.format(part=part.number, parts=part.count, next_id=following)
    return FetchedDocument(
        id=str(DocumentId(file.file_id, part.number)),
        title=file.file_name,
        text=text,
        url=file.link,
        metadata=DocumentMetadata(
            part=part.number,
            parts=part.count,
            next_id=following,
            pages=_pages(part.chunks),
            summary=file.summary,
            keywords=list(file.keywords),
            modified_at=file.modified_at.isoformat(),
            mime_type=file.mime_type,
            folder_path=file.folder_path,
            owner=file.owner,
            freshness=file.freshness,
        ),
    )


def text_of(chunks: Sequence[Chunk]) -> str:
    """The text of consecutive chunks. What parted them was white space, or nothing where a sentence was cut."""
    pieces: list[str] = []
    end = 0
    for chunk in chunks:
        if pieces and chunk.start > end:
            pieces.append("\n")
        pieces.append(chunk.text)
        end = chunk.start + len(chunk.text)
    return "".join(pieces)


def _pages(chunks: Sequence[Chunk]) -> str:
    pages = [chunk.page for chunk in chunks if chunk.page is not None]
    if not pages:
        return ""
    return str(pages[0]) if pages[0] == pages[-1] else f"{pages[0]}-{pages[-1]}"
