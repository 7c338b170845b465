"""DocumentReader: the text of indexed files, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from locator_search.adapters.postgres import Database, PostgresDocumentReader, PostgresIndexStore
from locator_search.indexing.chunking.heading_chunker import HeadingChunker
from locator_search.mcp_server.documents import text_of
from locator_search.model import Block, Chunk, Document
from tests.builders.index import NOON, file_ref, index_entry

LENGTH = 2_000

LONG_SENTENCE = "計測値を表にまとめて" * 400


@pytest.fixture
def reader(database: Database) -> PostgresDocumentReader:
    return PostgresDocumentReader(database)


def put(database: Database, blocks: Sequence[Block], file_id: str = "file-1") -> Document:
    """A document, cut by the real chunker, in the index."""
    document = Document(tuple(blocks), "text/plain")
    chunks = HeadingChunker().chunk(document)
    entry = index_entry(file_ref(file_id), [chunk.text for chunk in chunks])
    cut = tuple(replace(indexed, chunk=chunk) for indexed, chunk in zip(entry.chunks, chunks, strict=True))
    PostgresIndexStore(database).replace(replace(entry, chunks=cut), "1")
    return document


def manual(clauses: int) -> list[Block]:
    """Clauses on a page each, with a sentence in the middle that has no end."""
    blocks = []
    for number in range(1, clauses + 1):
        blocks.append(Block("heading", f"第{number}条 点検", level=1, page=number))
        blocks.append(Block("paragraph", f"第{number}条の手順を守る。" * 40, page=number))
    blocks.insert(clauses, Block("paragraph", LONG_SENTENCE, page=clauses // 2))
    return blocks


def all_parts(reader: PostgresDocumentReader, file_id: str = "file-1") -> list[tuple[Chunk, ...]]:
    first = reader.part(file_id, 1, LENGTH)
    assert first is not None
    numbered = [reader.part(file_id, number, LENGTH) for number in range(1, first.count + 1)]
    return [part.chunks for part in numbered if part is not None]


def test_every_chunk_is_in_one_part_and_the_parts_together_are_the_whole_text(
    database: Database, reader: PostgresDocumentReader
) -> None:
    document = put(database, manual(12))
    parts = all_parts(reader)
    chunks = [chunk for part in parts for chunk in part]
    assert len(parts) > 3
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert text_of(chunks).split() == document.text.split()
    assert [page for chunk in chunks if (page := chunk.page)] == sorted(chunk.page or 0 for chunk in chunks)


def test_a_sentence_that_was_cut_is_put_together_without_a_gap(
    database: Database, reader: PostgresDocumentReader
) -> None:
    put(database, [Block("paragraph", LONG_SENTENCE)])
    part = reader.part("file-1", 1, 2 * len(LONG_SENTENCE))
    assert part is not None
    assert len(part.chunks) > 1
    assert text_of(part.chunks) == LONG_SENTENCE


def test_a_part_names_its_file_as_a_whole(database: Database, reader: PostgresDocumentReader) -> None:
    put(database, [Block("paragraph", "短い本文")])
    part = reader.part("file-1", 1, LENGTH)
    assert part is not None
    assert (part.number, part.count) == (1, 1)
    assert (part.file.file_name, part.file.summary, part.file.modified_at) == ("報告書.txt", "要約", NOON)
    assert (part.file.location, part.file.revision, part.file.text) == ("/somewhere/file-1", "1", "")


def test_there_is_nothing_beyond_the_last_part(database: Database, reader: PostgresDocumentReader) -> None:
    put(database, [Block("paragraph", "短い本文")])
    for number in (2, 10**12):
        part = reader.part("file-1", number, LENGTH)
        assert part is not None
        assert (part.chunks, part.count) == ((), 1)


@pytest.mark.parametrize("file_id", ["", "file-2", "file-1 ", "../file-1", "\0", "file-1\0x", "x" * 100_000, "%", "'"])
def test_a_file_that_is_not_in_the_index_has_no_text(
    database: Database, reader: PostgresDocumentReader, file_id: str
) -> None:
    put(database, [Block("paragraph", "短い本文")])
    assert reader.part(file_id, 1, LENGTH) is None


def test_only_the_file_asked_for_is_read(database: Database, reader: PostgresDocumentReader) -> None:
    put(database, [Block("paragraph", "一つ目の本文")])
    put(database, [Block("paragraph", "二つ目の本文")], "file-2")
    assert [chunk.text for part in all_parts(reader, "file-2") for chunk in part] == ["二つ目の本文"]


def test_a_file_is_known_by_its_whole_name_and_has_an_embedding(
    database: Database, reader: PostgresDocumentReader
) -> None:
    entries = [index_entry(file_ref(f"file-{number}", "点検.txt"), ("点検",)) for number in (1, 2, 3)]
    PostgresIndexStore(database).replace_many(entries, "1")
    assert reader.named("点検.txt", 2) == ["file-1", "file-2"]
    assert reader.named("点検", 2) == []
    embedding, written = reader.embedding("file-3"), entries[2].embedding
    assert embedding is not None
    assert written is not None
    assert embedding.tolist() == pytest.approx(written.tolist())
    assert reader.embedding("file-4") is None
