"""The searchable index: one file is replaced or deleted in one transaction, with its chunks and their statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from locator_search.adapters.postgres.history.memo import filled_up_from
from locator_search.adapters.postgres.index.documents import documents_of
from locator_search.adapters.postgres.index.index_writes import refresh_file, remove_files, write_files
from locator_search.adapters.postgres.index.profile import Profile, another_model, read_profile, refuse_another_model
from locator_search.adapters.postgres.search.index_search import IndexSearch
from locator_search.adapters.postgres.search.keyword_question import NameCounts
from locator_search.adapters.postgres.search.scope import scope_of, trimmed_to
from locator_search.adapters.postgres.search.side_by_side import PLANNING, SideBySide
from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.model import FileRef, Fusion, IndexEntry, Retrieval, RetrievalQuery, SearchFilters
from locator_search.retrieval.calibration import Calibration
from locator_search.retrieval.hybrid import SearchSetup, retrieve

if TYPE_CHECKING:
    from locator_search.model import Vector

SQL = statements(__name__)


class PostgresIndexStore:
    """An IndexStore over PostgreSQL.

    `embedding_model` is the model of this process; when it is given, an index made by another one is refused for
    search too. Months of facets and periods of questions are those of `time_zone`. `calibration` replaces the one
    stored with the index, which replaces the shipped profile of its model.
    """

    def __init__(
        self,
        database: Database,
        *,
        embedding_model: str | None = None,
        calibration: Calibration | None = None,
        fusion: Fusion = "scores",
        time_zone: str = "Asia/Tokyo",
    ) -> None:
        self._database = database
        self._embedding_model = embedding_model
        self._calibration = calibration
        self._fusion = fusion
        self._time_zone = time_zone
        self._names = NameCounts()
        self._side_by_side = {each: SideBySide(each) for each in (database, database.replica) if each is not None}

    def replace(self, entry: IndexEntry, pipeline_version: str) -> None:
        """Write one file with chunks, terms, embeddings and its state `indexed` in one transaction.

        Raises DimensionMismatch when the index holds vectors of another model or dimension.
        """
        self.replace_many([entry], pipeline_version)

    def replace_many(self, entries: Sequence[IndexEntry], pipeline_version: str) -> None:
        """Several files in one transaction; of entries with the same file id the last counts."""
        with self._database.transaction() as connection:
            write_files(connection, entries, pipeline_version)

    def refresh(self, file: FileRef, content_hash: str) -> bool:
        """Enter another revision of a file of which the index holds the same content under the same name and place."""
        with self._database.transaction() as connection:
            return refresh_file(connection, file, content_hash)

    def chunk_embeddings(self, content_hash: str, embedding_model: str) -> dict[str, Vector]:
        """The embeddings kept for chunks of that content under any file, by chunk text."""
        values = {"content_hash": content_hash, "model": embedding_model}
        rows = self._database.rows(SQL.chunk_embeddings, values, binary=True)
        kept = [(text, embedding.to_numpy(), width) for text, embedding, width in rows]
        # Those of another length than the model's own were written before lengths were checked.
        return {text: vector for text, vector, width in kept if width is None or filled_up_from(vector) == width}

    def delete(self, file_ids: Sequence[str]) -> int:
        """Remove files with everything kept of them, their registry rows too; returns how many were there."""
        with self._database.transaction() as connection:
            return remove_files(connection, file_ids)

    def retrieve(self, query: RetrievalQuery, query_embedding: Vector | None) -> Retrieval:
        """Hybrid, vector or keyword retrieval. Counts are exact. `query_embedding` is None in keyword mode.

        At a threshold of 0 whatever is found is a hit. Raises DimensionMismatch.
        """
        reader, searched = self._database.reader, self._database.searched
        with searched.snapshot() as connection:
            connection.execute(PLANNING)
            profile = read_profile(connection)
            if profile is None:
                return Retrieval(evidence=(), hit_count=0, top_similarity=None)
            if query.mode != "keyword":
                self._refuse_foreign(query_embedding, profile)
            calibration = self._calibration or profile.calibration
            setup = SearchSetup(profile.embedding_model, calibration, self._fusion, self._time_zone)
            beside = self._side_by_side[searched]
            search = IndexSearch(connection, query, query_embedding, setup, beside, self._names, reader)
            return retrieve(search, query, setup)

    def count_among(self, file_ids: Sequence[str], filters: SearchFilters) -> int:
        """How many documents those of these files are that pass, and that may be read."""
        if not file_ids:
            return 0
        query = RetrievalQuery("", filters=replace(filters, file_ids=tuple(file_ids)))
        with self._database.snapshot() as connection:
            reader = trimmed_to(connection, self._database.reader)
            passing = scope_of(connection, query, self._time_zone, reader).passing or ()
            documents = documents_of(connection, passing)
        return len({documents.get(file_id, file_id) for file_id in passing})

    def refuse_another_model(self, embedding_model: str, dimensions: int) -> None:
        """Raise DimensionMismatch when the index holds vectors of another model or dimension."""
        with self._database.connection() as connection:
            refuse_another_model(connection, embedding_model, dimensions)

    def _refuse_foreign(self, embedding: Vector | None, profile: Profile) -> None:
        if self._embedding_model not in (None, profile.embedding_model):
            raise another_model(profile.embedding_model, str(self._embedding_model))
        if embedding is None or len(embedding) != profile.dimensions:
            length = 0 if embedding is None else len(embedding)
            raise another_model(profile.embedding_model, f"a question of {length} dimensions")
