"""PostgreSQL with pgvector, embedded or external: everything the product stores."""

from locator_search.adapters.postgres.history.memo import (
    PostgresAnswerMemo,
    PostgresEmbeddingMemo,
    PostgresExtractionMemo,
)
from locator_search.adapters.postgres.history.search_log import PostgresSearchLog
from locator_search.adapters.postgres.history.usage_log import PostgresUsageLog
from locator_search.adapters.postgres.index.document_reader import PostgresDocumentReader
from locator_search.adapters.postgres.index.registry import PostgresFileRegistry
from locator_search.adapters.postgres.index.status import PostgresStatusReader
from locator_search.adapters.postgres.index.upkeep import PostgresUpkeep
from locator_search.adapters.postgres.index_store import PostgresIndexStore
from locator_search.adapters.postgres.server.database import Database, drop_schema, has_schema, open_database
from locator_search.adapters.postgres.server.locks import PostgresDaemonTurn, PostgresFileLocks
from locator_search.adapters.postgres.server.migrations import migrate
from locator_search.adapters.postgres.server.slots import PostgresRequestSlots

__all__ = [
    "Database",
    "PostgresAnswerMemo",
    "PostgresDaemonTurn",
    "PostgresDocumentReader",
    "PostgresEmbeddingMemo",
    "PostgresExtractionMemo",
    "PostgresFileLocks",
    "PostgresFileRegistry",
    "PostgresIndexStore",
    "PostgresRequestSlots",
    "PostgresSearchLog",
    "PostgresStatusReader",
    "PostgresUpkeep",
    "PostgresUsageLog",
    "drop_schema",
    "has_schema",
    "migrate",
    "open_database",
]
