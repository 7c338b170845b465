"""What the `db` commands do: bring the tables up to date, describe them, and make room for another model."""

from __future__ import annotations

from datetime import datetime, timedelta

from locator_search.adapters.postgres.index.forgetting import forget_unused
from locator_search.adapters.postgres.index.profile import read_profile
from locator_search.adapters.postgres.index.vector_graph import build_graph, graph_state
from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.migrations import migrate, schema_state
from locator_search.ports import Forgotten, SchemaStatus, VectorGraph

COUNTED_TABLES = ("drive_file_index", "file_chunk", "file_state", "extracted_text", "model_answer", "search_log")

# What was extracted and answered stays remembered: building the index again reads and pays nothing twice.
CLEAR_INDEX = """
TRUNCATE drive_file_index, file_chunk, embedding_code, keyword_term;
UPDATE keyword_total SET chunks = 0, total_length = 0;
DELETE FROM index_profile;
UPDATE file_state SET state = 'pending', reason = '', done_revision = NULL, attempts = 0, next_try_at = NULL,
       updated_at = now()
WHERE state = 'indexed'
"""


class PostgresUpkeep:
    """StoreUpkeep over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def apply(self) -> list[str]:
        """Apply the migrations that are missing and return their names."""
        return migrate(self._database)

    def schema(self) -> SchemaStatus:
        """The tables as they are, without changing them."""
        with self._database.translated(), self._database.connect() as connection:
            applied, pending = schema_state(connection, self._database.schema)
            counts = {}
            if not pending:
                for table in COUNTED_TABLES:
                    row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our constants
                    counts[table] = int(row[0]) if row else 0
            version, size = connection.execute(
                "SELECT current_setting('server_version'), pg_database_size(current_database())"
            ).fetchone() or ("", 0)
            profile = read_profile(connection) if not pending else None
            graph: VectorGraph = graph_state(connection) if not pending else "not needed"
        return SchemaStatus(
            embedded=self._database.embedded,
            server_version=str(version).split()[0],
            size_bytes=int(size),
            applied=tuple(applied),
            pending=tuple(pending),
            rows=counts,
            embedding_model=profile.embedding_model if profile else None,
            vector_graph=graph,
        )

    def build_vector_graph(self) -> VectorGraph:
        """Build the graph of neighbours that a large index is searched by, where it is missing; hinders nobody."""
        return build_graph(self._database)

    def forget_unused(self, now: datetime, after: timedelta) -> Forgotten:
        """Delete what is remembered of files that are gone, or may no longer be read, when it has not been needed for
        that long; 0: at once. What another file needs stays."""
        return forget_unused(self._database, now, after)

    def last_run(self, name: str) -> datetime | None:
        """When work that is done now and then was done last."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT finished_at FROM upkeep_run WHERE name = %s", [name]).fetchone()
        return row[0] if row else None

    def note_run(self, name: str, now: datetime) -> None:
        """It is done now."""
        query = """
            INSERT INTO upkeep_run (name, finished_at) VALUES (%s, %s)
            ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at
        """
        with self._database.connection() as connection:
            connection.execute(query, [name, now])

    def clear_index_of_other_model(self, embedding_model: str, *, force: bool = False) -> int:
        """Empty an index that was made with another model, so that the next crawl rebuilds it; returns how many files
        it held, 0 when it belongs to `embedding_model` already. With `force` in that case too: the embeddings of that
        model and their length are forgotten, and paid again."""
        with self._database.transaction() as connection:
            if force:
                connection.execute("DELETE FROM text_embedding WHERE model = %s", [embedding_model])
                connection.execute("DELETE FROM embedding_width WHERE model = %s", [embedding_model])
            profile = read_profile(connection)
            if profile is None or (profile.embedding_model == embedding_model and not force):
                return 0
            row = connection.execute("SELECT count(*) FROM drive_file_index").fetchone()
            connection.execute(CLEAR_INDEX)
            return int(row[0]) if row else 0
