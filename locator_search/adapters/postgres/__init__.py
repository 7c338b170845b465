"""PostgreSQL with pgvector, embedded or external: everything the product stores."""

from locator_search.adapters.postgres.database import Database, drop_schema, has_schema, open_database
from locator_search.adapters.postgres.document_reader import PostgresDocumentReader
from locator_search.adapters.postgres.index_store import PostgresIndexStore
from locator_search.adapters.postgres.locks import PostgresFileLocks
from locator_search.adapters.postgres.memo import PostgresAnswerMemo, PostgresEmbeddingMemo, PostgresExtractionMemo
from locator_search.adapters.postgres.migrations import migrate
from locator_search.adapters.postgres.registry import PostgresFileRegistry
from locator_search.adapters.postgres.search_log import PostgresSearchLog
from locator_search.adapters.postgres.slots import PostgresRequestSlots
from locator_search.adapters.postgres.status import PostgresStatusReader
from locator_search.adapters.postgres.upkeep import PostgresUpkeep
from locator_search.adapters.postgres.usage_log import PostgresUsageLog

__all__ = [
    "Database",
    "PostgresAnswerMemo",
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
