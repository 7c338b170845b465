"""Contributions of two meetings as evidence, chunk by chunk, and put into an index."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.model import (
    Chunk,
    Evidence,
    FileSummary,
    IndexedChunk,
    IndexEntry,
    TrackedChange,
)
from locator_search.ports import Embedder
from locator_search.retrieval.evidence import IndexEvidenceProvider, cited_evidence
from locator_search.text.terms import analyse
from tests.builders.index import file_ref

REGISTRATION = (
    "5.2.1 Registration\nThe UE shall include the slice identifier in the registration request. The network shall"
    " reject the request with a cause value."
)
INSERTED = " The network shall reject the request with a cause value."
DELETED = " The network may reject the request."


def passage(
    number: str,
    clause: str | None,
    text: str,
    page: int,
    meeting: str = "SA1#111",
    changes: Sequence[TrackedChange] = (),
) -> Evidence:
    return cited_evidence(
        text=text,
        document_id=f"{meeting}/{number}/{number}.zip!{number}.docx",
        contribution_number=number,
        meeting=meeting,
        clause_number=clause,
        page_number=page,
        score=1.0,
        source_file=f"{number}.zip!{number}.docx",
        chunk_id=f"{meeting}/{number}/{number}.zip!{number}.docx#{page - 1}",
        changes=changes,
    )


def registration(number: str = "S1-254001") -> Evidence:
    """The changed clause of the first contribution."""
    at = REGISTRATION.index(INSERTED)
    changes = (
        TrackedChange("insert", INSERTED, at, "Aoki"),
        TrackedChange("delete", DELETED, len(REGISTRATION), "Aoki"),
    )
    return passage(number, "5.2.1", REGISTRATION, 2, changes=changes)


def sample_evidence() -> list[Evidence]:
    return [
        passage(
            "S1-254001",
            "1",
            "1 Introduction\nReason for change: a rejected UE is not told why, so it tries the same slice again."
            " This contribution proposes to add a cause value to the rejection.",
            1,
        ),
        registration(),
        passage("S1-254001", "5.2.2", "5.2.2 Deregistration\nThe UE shall deregister before it is switched off.", 3),
        passage("S1-254001", "6", "6 Charging\nCharging records shall contain the slice identifier.", 4),
        passage(
            "S1-254002",
            "1",
            "1 Introduction\nThe problem is that cells waste energy at night. It is proposed to let cells sleep.",
            1,
        ),
        passage(
            "S1-254002", "5.2.1", "5.2.1 Registration\nThe UE shall wait for a sleeping cell before it registers.", 2
        ),
        passage(
            "S1-253100",
            "5.2.1",
            "5.2.1 Satellite access\nThe UE shall support registration over a satellite link.",
            1,
            meeting="SA1#110",
        ),
        passage("S1-253100", "A.1", "A.1 Link budget\nFigures for satellite access.", 2, meeting="SA1#110"),
    ]


def chunks_in(database: Database, embedder: Embedder) -> IndexEvidenceProvider:
    """Evidence chunk by chunk out of an index, as analyses get it."""
    return IndexEvidenceProvider(PostgresIndexStore(database), embedder, unit="chunk")


def fill_index(database: Database, evidence: Sequence[Evidence]) -> None:
    """Each document as one file of the index, each piece of evidence as one of its chunks."""
    store, embedder = PostgresIndexStore(database), OfflineEmbedder()
    entries = []
    for document_id, pieces in groupby(evidence, key=lambda item: item.file_id):
        chunks = list(pieces)
        vectors = embedder.embed([chunk.text for chunk in chunks], "document")
        first = chunks[0]
        entries.append(
            IndexEntry(
                file=file_ref(document_id, first.file_name, source="contributions"),
                content_hash=document_id,
                parser_version="parser-1",
                chunker_version="heading-based-v1",
                summary=FileSummary("要約", ("3GPP",)),
                embedding=vectors[0],
                embedding_model=embedder.model_name,
                chat_model="offline-chat",
                chunks=tuple(
                    IndexedChunk(
                        Chunk(
                            ordinal,
                            chunk.text,
                            0,
                            len(chunk.text),
                            clause=chunk.clause_number,
                            page=chunk.page_number,
                            changes=chunk.changes,
                        ),
                        analyse(chunk.text),
                        vector,
                    )
                    for ordinal, (chunk, vector) in enumerate(zip(chunks, vectors, strict=True))
                ),
                name_terms=analyse(first.file_name),
                metadata={
                    "meeting": first.meeting,
                    "contribution_number": first.contribution_number,
                    "source_file": first.source_file,
                    "pages": "exact",
                },
            )
        )
    store.replace_many(entries, "pipeline-1")
