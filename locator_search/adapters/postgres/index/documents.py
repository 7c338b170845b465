"""Says of each file what document it is, as it is indexed: by its text, and by the names and texts of its namesakes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from locator_search.adapters.postgres.index.versions import term_counts
from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.rows import clean, document_from_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import IndexEntry
from locator_search.ports.versions import TermCounts
from locator_search.retrieval.same_document import NamedText, Settled, settled, to_compare
from locator_search.text.same_text import text_key

SQL = statements(__name__)

MOST_NAMESAKES = 80
"""Files under one title in one place whose texts are compared with that of a new one."""

AT_ONCE = 200
"""Files of an older program that are settled in one transaction."""


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
    branched: dict[str, list[str]] = dict(
        connection.execute(SQL.branched, {"documents": sorted({one.document for one in kept})}).fetchall()
    )
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
