"""The work of the `db` commands: bring the tables up to date, describe them, and make room for another model."""

from __future__ import annotations

from datetime import datetime, timedelta

from psycopg.rows import scalar_row

from locator_search.adapters.postgres.index.documents import settle_the_rest
from locator_search.adapters.postgres.index.forgetting import forget_unused
from locator_search.adapters.postgres.index.profile import read_profile
from locator_search.adapters.postgres.index.vector_graph import build_graph, graph_state
from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.migrations import apply_migrations, check_migrations, migrate, schema_state
from locator_search.adapters.postgres.server.statements import statements
from locator_search.ports import Forgotten, SchemaStatus, VectorGraph

SQL = statements(__name__)


class PostgresUpkeep(PostgresAdapter):
    """StoreUpkeep over PostgreSQL."""

    def apply(self) -> list[str]:
        """Apply the migrations that are missing and return their names; files that an older program indexed become
        documents."""
        applied = migrate(self._database)
        self.settle_documents()
        return applied

    def require_current(self) -> None:
        """Raise SchemaOutOfDate unless the tables are those of this program, StoreUnavailable where nobody answers.
        Those of an embedded database are brought up to date."""
        with self._database.translated(), self._database.connect() as connection:
            prepare = apply_migrations if self._database.embedded else check_migrations
            prepare(connection, self._database.schema)

    def settle_documents(self) -> int:
        """Say what documents the files are that an older program indexed; returns how many these were."""
        return settle_the_rest(self._database)

    def schema(self) -> SchemaStatus:
        """The tables as they are, without changing them."""
        with self._database.translated(), self._database.connect() as connection:
            applied, pending = schema_state(connection, self._database.schema)
            [[version, size]] = connection.execute(SQL.server).fetchall()
            [[counts]] = [[{}]] if pending else connection.execute(SQL.row_counts).fetchall()
            profile = None if pending else read_profile(connection)
            graph: VectorGraph = "not needed" if pending else graph_state(connection)
        return SchemaStatus(
            embedded=self._database.embedded,
            server_version=str(version).split()[0],
            size_bytes=size,
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

    def forget_runs(self, before: datetime) -> int:
        """Delete from the history of crawls what ended before; returns how many runs it was."""
        return self._database.run(SQL.forget_runs, {"before": before})

    def last_run(self, name: str) -> datetime | None:
        """The last time a periodic task was done."""
        return self._database.row(SQL.last_run, {"name": name}, scalar_row)

    def note_run(self, name: str, now: datetime) -> None:
        """Record that a periodic task is done now."""
        self._database.run(SQL.note_run, {"name": name, "now": now})

    def clear_index_of_other_model(self, embedding_model: str, *, force: bool = False) -> int:
        """Take the embeddings of another model out of the index, so that the next crawl makes those of
        `embedding_model`; words find the files meanwhile. Returns how many there are, 0 when the index belongs to that
        model already. With `force` in that case too: what is remembered of the model is forgotten, and paid again."""
        with self._database.transaction() as connection:
            if force:
                connection.execute(SQL.forget_embeddings, {"model": embedding_model})
                connection.execute(SQL.forget_width, {"model": embedding_model})
            profile = read_profile(connection)
            if profile is None or (profile.embedding_model == embedding_model and not force):
                return 0
            [[files]] = connection.execute(SQL.count_files).fetchall()
            connection.execute(SQL.clear_embeddings, {"model": embedding_model})
            return int(files)
