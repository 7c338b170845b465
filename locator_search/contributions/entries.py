"""The index entries of a contribution's documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from locator_search.indexing.entry import analyse_chunks, embed_file, make_entry, of_text
from locator_search.model import Chunk, FileRef, FileSummary, IndexEntry, JsonValue
from locator_search.ports import ChunkingStrategy, Contribution, Embedder, NormalisedDocument
from locator_search.ports.contributions.documents import KNOWN_PAGES

ENTRY_VERSION = "contribution-5"
"""The version of the way an index entry of a contribution is put together."""
SOURCE = "contributions"
NO_MODEL = "none"
"""No model writes anything about a contribution when it is indexed; its summary is what the meeting says of it."""
_LONGEST_SUMMARY = 400


def cut_documents(documents: Iterable[NormalisedDocument], strategy: ChunkingStrategy) -> dict[str, list[Chunk]]:
    """The chunks of every document that has some, by document id."""
    cut = {document.document_id: _cut(document, strategy) for document in documents if document.readable}
    return {document_id: chunks for document_id, chunks in cut.items() if chunks}


def _cut(document: NormalisedDocument, strategy: ChunkingStrategy) -> list[Chunk]:
    known = document.pages in KNOWN_PAGES
    chunks = strategy.chunk(document)
    return chunks if known else [replace(chunk, page_is_estimated=True) for chunk in chunks]


def entry_of(
    contribution: Contribution,
    document: NormalisedDocument,
    chunks: Sequence[Chunk],
    *,
    modified_at: datetime,
    strategy_version: str,
    embedder: Embedder,
) -> IndexEntry:
    """Everything the index keeps of one document."""
    file = FileRef(
        file_id=document.document_id,
        file_name=document.file_name,
        source=SOURCE,
        mime_type=document.document.mime_type,
        modified_at=modified_at,
        revision=document.content_hash,
        link="",
        folder_path=contribution.meeting_id,
        location=document.stored_as or "",
        owner=contribution.source or None,
    )
    summary = FileSummary(_summary(contribution, document), (contribution.number,))
    return make_entry(
        file,
        summary,
        embed_file(file, summary, chunks, analyse_chunks(chunks), {}, embedder),
        content_hash=document.content_hash,
        parser_version=document.normaliser_version,
        chunker_version=strategy_version,
        embedding_model=embedder.model_name,
        chat_model=NO_MODEL,
        metadata=_metadata(contribution, document) | of_text(document),
    )


def _summary(contribution: Contribution, document: NormalisedDocument) -> str:
    """Title and source, as the meeting lists them; else the first words of the document."""
    listed = " / ".join(part for part in (contribution.title, contribution.source) if part)
    first = next((block.text for block in document.document.blocks if block.text.strip()), document.file_name)
    return (listed or first)[:_LONGEST_SUMMARY]


def _metadata(contribution: Contribution, document: NormalisedDocument) -> dict[str, JsonValue]:
    return {
        "meeting": contribution.meeting_id,
        "contribution_id": contribution.contribution_id,
        "contribution_number": contribution.number,
        "source_file": document.source_file,
        "pages": document.pages,
        "title": contribution.title,
        "source": contribution.source,
        "agenda_item": contribution.agenda_item,
        "kind": contribution.kind,
        "status": contribution.status,
    }
