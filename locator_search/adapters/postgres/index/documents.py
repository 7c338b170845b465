"""Says of each file what document it is, as it is indexed, by its text and by the names and texts of its namesakes; and
what the index knows of contents, to tell versions and copies of one document from other documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from locator_search.adapters.postgres.index.term_weights import DIMENSIONS
from locator_search.adapters.postgres.server.database import Connection, Database, PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, document_from_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import IndexEntry
from locator_search.ports.versions import DocumentKeys, TermCounts
from locator_search.retrieval.same_document import NamedText, Settled, settled, to_compare
from locator_search.retrieval.term_weights import SATURATION, damping
from locator_search.text.normalise import text_key

Numbers: TypeAlias = npt.NDArray[Any]

SQL = statements(__name__)

COMPARED_CHUNKS = 24
"""Chunks of a file whose terms are compared: about 12,000 Japanese characters. Two long files that begin alike are
versions by their names, not by their ends, and a spreadsheet may have 2,000 chunks."""

MOST_CHUNKS = 80
"""Chunks compared in all, shared out among the files, at least one of each: grouping so many takes 10 to 15 ms."""

MOST_NAMESAKES = 80
"""Files under one title in one place whose texts are compared with that of a new one."""

AT_ONCE = 200
"""Files of an older program that are settled in one transaction."""


class PostgresVersionReader(PostgresAdapter):
    """A VersionReader over PostgreSQL."""

    def keys(self, file_ids: Sequence[str]) -> Mapping[str, DocumentKeys]:
        """The text and the document of each file, by file id."""
        rows = self._database.rows(SQL.keys, {"files": _cleaned(file_ids)})
        return {file_id: DocumentKeys(text, document) for file_id, text, document in rows}

    def term_counts(self, file_ids: Sequence[str]) -> Mapping[str, TermCounts]:
        """The keyword terms of the first chunks of each file (as dimensions of `term_weights`) with their occurrences,
        by file id."""
        with self._database.connection() as connection:
            return term_counts(connection, file_ids)


def term_counts(connection: Connection, file_ids: Sequence[str]) -> Mapping[str, TermCounts]:
    """The same over a connection."""
    chunks = min(COMPARED_CHUNKS, max(1, MOST_CHUNKS // max(1, len(file_ids))))
    asked = {"files": _cleaned(file_ids), "chunks": chunks}
    rows = connection.execute(SQL.weights, asked, binary=True).fetchall()
    if not rows:
        return {}
    files, weights, names, lengths, mean_lengths = zip(*rows, strict=True)
    damped = np.array([damping(*each) for each in zip(lengths, mean_lengths, strict=True)])
    held: dict[str, list[TermCounts]] = {}
    for file_id, counts in zip(files, _counts(weights, names, damped), strict=True):
        held.setdefault(file_id, []).append(counts)
    return {file_id: TermCounts(*map(np.concatenate, zip(*each, strict=True))) for file_id, each in held.items()}


def _counts(weights: Sequence[bytes], names: Sequence[bytes], damped: Numbers) -> list[TermCounts]:
    """How often each chunk holds its terms: its weights turned round (`bm25.frequency_of`, for all of them at once),
    without those of its file's name."""
    ends, chunk, terms, values = _numbers(weights)
    counts = np.rint(values * damped[chunk] / (SATURATION + 1 - values)).astype(np.int64)
    _, chunk_of_name, named, _ = _numbers(names)
    order = chunk * DIMENSIONS + terms  # rises, because the dimensions of a sparsevec do
    wanted = chunk_of_name * DIMENSIONS + named
    found = np.minimum(np.searchsorted(order, wanted), len(order) - 1)
    counts[found[order[found] == wanted]] = 0
    return [TermCounts(*each) for each in zip(np.split(terms, ends), np.split(counts, ends), strict=True)]


def _numbers(sent: Sequence[bytes]) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Sparsevecs as pgvector sends them (three numbers, the dimensions, the values), put together: where each but the
    last ends, which one each number is of, the dimensions, the values."""
    sizes = np.array([int.from_bytes(each[4:8]) for each in sent])
    dimensions = b"".join(each[12 : 12 + 4 * size] for each, size in zip(sent, sizes, strict=True))
    values = b"".join(each[12 + 4 * size :] for each, size in zip(sent, sizes, strict=True))
    return (
        np.cumsum(sizes)[:-1],
        np.repeat(np.arange(len(sent)), sizes),
        np.frombuffer(dimensions, ">i4").astype(np.int64),
        np.frombuffer(values, ">f4").astype(np.float64),
    )


def _cleaned(file_ids: Sequence[str]) -> list[str]:
    return [clean(file_id) for file_id in file_ids]


def settle_entries(connection: Connection, entries: Sequence[IndexEntry]) -> None:
    """Enter what documents some files are that were just written; the last step of their transaction. Entries without a
    text key are documents of their own."""
    _settle(
        connection,
        [
            NamedText(clean(e.file.file_id), clean(e.file.file_name), clean(e.file.folder_path), e.text_key)
            for e in entries
            if e.text_key
        ],
    )


def settle_the_rest(database: Database) -> int:
    """Enter what documents files are that an older program indexed; returns how many these were. Reads the texts that
    are kept, and no file."""
    settled_now = 0
    while True:
        with database.transaction() as connection:
            connection.execute(SQL.wait_for_settlers)
            rows = connection.execute(SQL.unsettled, {"most": AT_ONCE}).fetchall()
            if not rows:
                return settled_now
            _settle(
                connection,
                [
                    NamedText(file_id, name, folder, _key_of(document) or of_bytes)
                    for file_id, name, folder, of_bytes, document in rows
                ],
            )
        settled_now += len(rows)


def documents_of(connection: Connection, file_ids: Sequence[str]) -> dict[str, str]:
    """The documents of some files, without those that are documents of their own."""
    return dict(connection.execute(SQL.documents, {"files": list(file_ids)}, prepare=False, binary=True).fetchall())


def _key_of(document: dict[str, object] | None) -> str | None:
    return text_key(document_from_json(document).text) if document else None


def _settle(connection: Connection, files: Sequence[NamedText]) -> None:
    if not files:
        return
    connection.execute(SQL.wait_for_settlers)
    asked = {
        "whereabouts": sorted({file.whereabouts for file in files}),
        "texts": sorted({file.text_key for file in files}),
        "most": MOST_NAMESAKES,
    }
    ours = {file.file_id for file in files}
    kept = [
        Settled(NamedText(*names), document)
        for *names, document in connection.execute(SQL.namesakes, asked)
        if names[0] not in ours
    ]
    documents_kept = sorted({one.document for one in kept})
    rows = connection.execute(SQL.branched, {"documents": documents_kept}).fetchall() if kept else ()
    branched: dict[str, list[str]] = dict(rows)
    terms: dict[str, TermCounts] = {}
    for _, alike in groupby(to_compare(files, kept), key=lambda file: file.whereabouts):
        terms |= term_counts(connection, [file.file_id for file in alike])
    documents, became = settled(files, kept, branched, terms)
    for other, document in became.items():
        connection.execute(SQL.become_one, {"document": document, "other": other})
    connection.execute(
        SQL.keep,
        {
            "files": [file.file_id for file in files],
            "texts": [file.text_key for file in files],
            "whereabouts": [file.whereabouts for file in files],
            "documents": documents,
        },
    )
