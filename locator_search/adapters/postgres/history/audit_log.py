"""Who asked what, and who opened which file (table `audit_entry`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from psycopg.rows import class_row

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.masking import mask
from locator_search.core.reader import named_reader
from locator_search.ports.search import AuditEntry

SQL = statements(__name__)


class PostgresAuditLog:
    """An AuditLog over PostgreSQL, of the last so many `days`."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._days = days

    def asked(self, question: str, surface: str, file_id: str = "") -> None:
        """Who reads asked a question, or for what is like a file. Raises AccessDenied where nobody is named."""
        self._enter("asked", surface, question, file_id)

    def opened(self, file_id: str, surface: str) -> None:
        """Who reads was shown the text of a file, or the file itself. Raises as `asked` does."""
        self._enter("opened", surface, "", file_id)

    def entries(self, since: datetime | None = None) -> Sequence[AuditEntry]:
        """Everything kept from that time on, oldest first. Raises AccessDenied for people who are no administrators."""
        self._database.refuse_figures()
        return self._database.rows(SQL.entries, {"since": since, "days": self._days}, class_row(AuditEntry))

    def _enter(self, kind: str, surface: str, question: str, file_id: str) -> None:
        reader = named_reader()
        if reader.everything:
            return
        values = {
            "person": clean(reader.principals[0].partition(":")[2]),
            "kind": kind,
            "surface": surface,
            "question": clean(mask(question)),
            "file_id": clean(file_id),
            "days": self._days,
        }
        self._database.run(SQL.enter, values)
