"""Meetings, contributions, their files and documents (tables `contribution_*`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg.rows import args_row, kwargs_row
from psycopg.types.json import Jsonb

from locator_search.adapters.postgres.server.database import Connection, PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, columns_of, document_as_json, document_from_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import (
    Contribution,
    ContributionFile,
    ContributionState,
    DocumentState,
    KnownContribution,
    Meeting,
    NormalisedDocument,
)

SQL = statements(__name__)


class PostgresContributionStore(PostgresAdapter):
    """A ContributionStore."""

    def record_meeting(
        self, meeting: Meeting, contributions: Sequence[Contribution], files: Sequence[ContributionFile]
    ) -> list[str]:
        """Enter or refresh a meeting in one transaction; returns the ids of contributions that are `listed` (again)."""
        rows = [columns_of(one) | {"details": Jsonb(columns_of(one)["details"])} for one in contributions]
        with self._database.transaction() as connection:
            connection.execute(SQL.put_meeting, columns_of(meeting))
            changed = _returned(connection, SQL.put_contribution, rows)
            changed |= _returned(connection, SQL.put_file, map(columns_of, files))
            connection.execute(SQL.list_again, {"contributions": list(changed)})
        return sorted(changed)

    def meetings(self) -> list[Meeting]:
        """All meetings, by id."""
        return self._database.rows(SQL.meetings, make=args_row(Meeting))

    def contributions(
        self, meeting_id: str | None = None, contribution_ids: Iterable[str] | None = None
    ) -> list[KnownContribution]:
        """All contributions, those of one meeting, or those named; by meeting and number."""
        ids = list(contribution_ids) if contribution_ids is not None else None
        return self._database.rows(SQL.known, {"meeting": meeting_id, "contributions": ids}, kwargs_row(_known))

    def files(self, contribution_id: str) -> list[ContributionFile]:
        """The files of a contribution, by path."""
        return self._database.rows(SQL.files, {"contribution": contribution_id}, args_row(ContributionFile))

    def record_body(self, file: ContributionFile) -> None:
        """Enter where the body of a file is kept, and its hash."""
        self._database.run(SQL.record_body, columns_of(file))

    def replace_documents(self, contribution_id: str, documents: Sequence[NormalisedDocument]) -> list[str]:
        """These are the documents of a contribution now; returns the ids of those that are no more."""
        with self._database.transaction() as connection, connection.cursor() as cursor:
            gone = cursor.execute(SQL.remove_documents, {"contribution": contribution_id}).fetchall()
            cursor.executemany(SQL.put_document, map(_document_values, documents))
        return sorted({document_id for (document_id,) in gone} - {document.document_id for document in documents})

    def documents(self, contribution_id: str) -> list[NormalisedDocument]:
        """The documents of a contribution, by id."""
        return self._database.rows(SQL.documents, {"contribution": contribution_id}, kwargs_row(_document))

    def document(self, document_id: str) -> NormalisedDocument | None:
        """One document, None where there is none."""
        return self._database.row(SQL.document, {"document": document_id}, kwargs_row(_document))

    def document_states(self, contribution_ids: Iterable[str]) -> list[DocumentState]:
        """How the documents of contributions were read, by contribution and file."""
        values = {"contributions": list(contribution_ids)}
        return self._database.rows(SQL.document_states, values, args_row(DocumentState))

    def set_state(
        self,
        contribution_id: str,
        state: ContributionState,
        *,
        reason: str = "",
        pipeline_version: str = "",
        chunk_count: int = 0,
    ) -> None:
        """Record the state of a contribution; failures count one more attempt, anything else resets the count."""
        values = {
            "contribution": contribution_id,
            "state": state,
            "reason": clean(reason),
            "version": pipeline_version,
            "chunks": chunk_count,
        }
        self._database.run(SQL.set_state, values)


def _returned(connection: Connection, statement: str, rows: Iterable[Mapping[str, object]]) -> set[str]:
    """The ids that the statement returns over all rows."""
    found: set[str] = set()
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows, returning=True)
        while True:
            found.update(row[0] for row in (cursor.fetchall() if cursor.description else []))
            if not cursor.nextset():
                return found


def _document_values(document: NormalisedDocument) -> dict[str, object]:
    values = columns_of(document)
    return values | {"cover": Jsonb(values["cover"]), "document": Jsonb(document_as_json(document.document))}


def _known(*, details: Mapping[str, str], **columns: Any) -> KnownContribution:
    listed = {name: columns.pop(name) for name in Contribution.__dataclass_fields__ if name != "details"}
    return KnownContribution(Contribution(**listed, details=details), **columns)


def _document(*, document: dict[str, object], **columns: Any) -> NormalisedDocument:
    return NormalisedDocument(document=document_from_json(document), **columns)
