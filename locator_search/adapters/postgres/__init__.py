"""PostgreSQL with pgvector, embedded or external: everything the product stores."""

from locator_search.adapters.postgres.database import Database, open_database
from locator_search.adapters.postgres.index_store import PostgresIndexStore
from locator_search.adapters.postgres.locks import PostgresFileLocks
from locator_search.adapters.postgres.memo import PostgresAnswerMemo, PostgresExtractionMemo
from locator_search.adapters.postgres.migrations import migrate
from locator_search.adapters.postgres.registry import PostgresFileRegistry
from locator_search.adapters.postgres.search_log import PostgresSearchLog
from locator_search.adapters.postgres.slots import PostgresRequestSlots
from locator_search.adapters.postgres.status import PostgresStatusReader
from locator_search.adapters.postgres.upkeep import PostgresUpkeep

__all__ = [
    "Database",
    "PostgresAnswerMemo",
    "PostgresExtractionMemo",
    "PostgresFileLocks",
    "PostgresFileRegistry",
    "PostgresIndexStore",
    "PostgresRequestSlots",
    "PostgresSearchLog",
    "PostgresStatusReader",
    "PostgresUpkeep",
    "migrate",
    "open_database",
]
