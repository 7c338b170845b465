"""Meetings, contributions, their files and documents (tables `contribution_*`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, Database
from locator_search.adapters.postgres.server.document_rows import document_as_json, document_from_json
from locator_search.adapters.postgres.server.rows import clean
from locator_search.ports import (
    Contribution,
    ContributionFile,
    ContributionState,
    DocumentState,
    KnownContribution,
    Meeting,
    NormalisedDocument,
)

_CONTRIBUTION = (
    "contribution_id", "meeting_id", "number", "title", "source", "agenda_item", "kind", "status", "revision_of",
    "revised_to",
)  # fmt: skip
_DOCUMENT = (
    "document_id", "contribution_id", "source_file", "content_hash", "state", "reason", "pages", "stored_as",
    "converted", "normaliser_version",
)  # fmt: skip

# A row that changes in nothing is not written: the command line lists whole meetings again and again.
_PUT_CONTRIBUTION = f"""
INSERT INTO contribution ({", ".join(_CONTRIBUTION)}, details)
VALUES ({", ".join(f"%({name})s" for name in _CONTRIBUTION)}, %(details)s)
ON CONFLICT (contribution_id) DO UPDATE SET
    {", ".join(f"{name} = EXCLUDED.{name}" for name in _CONTRIBUTION[3:])}, details = EXCLUDED.details
WHERE ({", ".join(f"contribution.{name}" for name in _CONTRIBUTION[3:])}, contribution.details)
    IS DISTINCT FROM ({", ".join(f"EXCLUDED.{name}" for name in _CONTRIBUTION[3:])}, EXCLUDED.details)
RETURNING contribution_id
"""  # noqa: S608 - constant column names

# Without a body until it is fetched again; a row comes back only where the archive shows something new.
_PUT_FILE = """
INSERT INTO contribution_file (path, contribution_id, size, modified_at)
VALUES (%(path)s, %(contribution_id)s, %(size)s, %(modified_at)s)
ON CONFLICT (path) DO UPDATE SET
    contribution_id = EXCLUDED.contribution_id, size = EXCLUDED.size, modified_at = EXCLUDED.modified_at,
    stored_as = NULL, sha256 = NULL
WHERE (contribution_file.contribution_id, contribution_file.size, contribution_file.modified_at)
    IS DISTINCT FROM (EXCLUDED.contribution_id, EXCLUDED.size, EXCLUDED.modified_at)
RETURNING contribution_id
"""

_PUT_DOCUMENT = f"""
INSERT INTO contribution_document ({", ".join(_DOCUMENT)}, cover, document)
VALUES ({", ".join(f"%({name})s" for name in _DOCUMENT)}, %(cover)s, %(document)s)
"""  # noqa: S608 - constant column names

_KNOWN = """
SELECT contribution.*, coalesce(form.cover, '{}') AS cover
FROM contribution LEFT JOIN LATERAL (
    SELECT cover FROM contribution_document
    WHERE contribution_document.contribution_id = contribution.contribution_id AND cover <> '{}'
    ORDER BY document_id LIMIT 1
) AS form ON true
WHERE (%(meeting)s::text IS NULL OR meeting_id = %(meeting)s)
  AND (%(ids)s::text[] IS NULL OR contribution_id = ANY(%(ids)s))
ORDER BY meeting_id, number
"""


class PostgresContributionStore:
    """A ContributionStore."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record_meeting(
        self, meeting: Meeting, contributions: Sequence[Contribution], files: Sequence[ContributionFile]
    ) -> list[str]:
        """Enter or refresh a meeting in one transaction; returns the ids of contributions that are `listed` (again)."""
        with self._database.transaction() as connection:
            connection.execute(
                """
                INSERT INTO contribution_meeting (meeting_id, group_name, folder, name, synced_at)
                VALUES (%s, %s, %s, %s, %s)
                ON CONFLICT (meeting_id) DO UPDATE SET
                    group_name = EXCLUDED.group_name, folder = EXCLUDED.folder, name = EXCLUDED.name,
                    synced_at = EXCLUDED.synced_at
                """,
                [meeting.meeting_id, meeting.group, meeting.folder, clean(meeting.name), meeting.synced_at],
            )
            changed = _returned(connection, _PUT_CONTRIBUTION, map(_contribution_values, contributions))
            changed |= _returned(connection, _PUT_FILE, map(_file_values, files))
            connection.execute(
                "UPDATE contribution SET state = 'listed', reason = '', attempts = 0, updated_at = now()"
                " WHERE contribution_id = ANY(%s)",
                [list(changed)],
            )
        return sorted(changed)

    def meetings(self) -> list[Meeting]:
        """All meetings, by id."""
        query = """
            SELECT meeting_id, group_name, folder, name, synced_at FROM contribution_meeting ORDER BY meeting_id
        """
        with self._database.connection() as connection:
            return [Meeting(*row) for row in connection.execute(query).fetchall()]

    def contributions(
        self, meeting_id: str | None = None, contribution_ids: Iterable[str] | None = None
    ) -> list[KnownContribution]:
        """All contributions, those of one meeting, or those named; by meeting and number."""
        ids = list(contribution_ids) if contribution_ids is not None else None
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [_known(row) for row in cursor.execute(_KNOWN, {"meeting": meeting_id, "ids": ids})]

    def files(self, contribution_id: str) -> list[ContributionFile]:
        """The files of a contribution, by path."""
        query = """
            SELECT path, contribution_id, size, modified_at, stored_as, sha256 FROM contribution_file
            WHERE contribution_id = %s ORDER BY path
        """
        with self._database.connection() as connection:
            return [ContributionFile(*row) for row in connection.execute(query, [contribution_id]).fetchall()]

    def record_body(self, file: ContributionFile) -> None:
        """Enter where the body of a file is kept, and its hash."""
        with self._database.connection() as connection:
            connection.execute(
                "UPDATE contribution_file SET stored_as = %s, sha256 = %s WHERE path = %s",
                [file.stored_as, file.sha256, file.path],
            )

    def replace_documents(self, contribution_id: str, documents: Sequence[NormalisedDocument]) -> list[str]:
        """These are the documents of a contribution now; returns the ids of those that are no more."""
        with self._database.transaction() as connection:
            gone = connection.execute(
                "DELETE FROM contribution_document WHERE contribution_id = %s RETURNING document_id", [contribution_id]
            ).fetchall()
            with connection.cursor() as cursor:
                cursor.executemany(_PUT_DOCUMENT, [_document_values(document) for document in documents])
        return sorted({document_id for (document_id,) in gone} - {document.document_id for document in documents})

    def documents(self, contribution_id: str) -> list[NormalisedDocument]:
        """The documents of a contribution, by id."""
        return self._documents("contribution_id", contribution_id)

    def document(self, document_id: str) -> NormalisedDocument | None:
        """One document, None where there is none."""
        return next(iter(self._documents("document_id", document_id)), None)

    def document_states(self, contribution_ids: Iterable[str]) -> list[DocumentState]:
        """How the documents of contributions were read, by contribution and file."""
        query = """
            SELECT contribution_id, source_file, state, reason, pages, converted FROM contribution_document
            WHERE contribution_id = ANY(%s) ORDER BY contribution_id, source_file
        """
        with self._database.connection() as connection:
            return [DocumentState(*row) for row in connection.execute(query, [list(contribution_ids)])]

    def set_state(
        self,
        contribution_id: str,
        state: ContributionState,
        *,
        reason: str = "",
        pipeline_version: str = "",
        chunk_count: int = 0,
    ) -> None:
        """Say what became of a contribution; failures count one more attempt, anything else resets the count."""
        query = """
            UPDATE contribution SET
                state = %(state)s, reason = %(reason)s, pipeline_version = %(version)s, chunk_count = %(chunks)s,
                attempts = CASE WHEN %(state)s = 'failed' THEN attempts + 1 ELSE 0 END, updated_at = now()
            WHERE contribution_id = %(id)s
        """
        values = {
            "id": contribution_id,
            "state": state,
            "reason": clean(reason),
            "version": pipeline_version,
            "chunks": chunk_count,
        }
        with self._database.connection() as connection:
            connection.execute(query, values)

    def _documents(self, column: str, value: str) -> list[NormalisedDocument]:
        query = f"""
            SELECT contribution_document.*, meeting_id, number
            FROM contribution_document JOIN contribution USING (contribution_id)
            WHERE contribution_document.{column} = %s ORDER BY document_id
        """  # noqa: S608 - one of two column names
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return [_document(row) for row in cursor.execute(query, [value])]


def _returned(connection: Connection, query: str, rows: Iterable[Mapping[str, object]]) -> set[str]:
    """What the statement returns over all rows."""
    found: set[str] = set()
    with connection.cursor() as cursor:
        cursor.executemany(query, rows, returning=True)
        while True:
            found.update(row[0] for row in (cursor.fetchall() if cursor.description else []))
            if not cursor.nextset():
                return found


def _contribution_values(contribution: Contribution) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(contribution, name) for name in _CONTRIBUTION}
    cleaned = {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}
    return cleaned | {"details": Jsonb({clean(key): clean(value) for key, value in contribution.details.items()})}


def _file_values(file: ContributionFile) -> dict[str, object]:
    return {
        "path": clean(file.path),
        "contribution_id": file.contribution_id,
        "size": file.size,
        "modified_at": file.modified_at,
    }


def _document_values(document: NormalisedDocument) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(document, name) for name in _DOCUMENT}
    cleaned = {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}
    cover = {name: clean(value) for name, value in document.cover.items()}
    return cleaned | {"cover": Jsonb(cover), "document": Jsonb(document_as_json(document.document))}


def _known(row: Mapping[str, Any]) -> KnownContribution:
    return KnownContribution(
        contribution=Contribution(**{name: row[name] for name in _CONTRIBUTION}, details=row["details"]),
        state=row["state"],
        reason=row["reason"],
        pipeline_version=row["pipeline_version"],
        chunk_count=row["chunk_count"],
        attempts=row["attempts"],
        updated_at=row["updated_at"],
        cover=row["cover"],
    )


def _document(row: Mapping[str, Any]) -> NormalisedDocument:
    return NormalisedDocument(
        **{name: row[name] for name in _DOCUMENT},
        meeting_id=row["meeting_id"],
        contribution_number=row["number"],
        cover=row["cover"],
        document=document_from_json(row["document"]),
    )
