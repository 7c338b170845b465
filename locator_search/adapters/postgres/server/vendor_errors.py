"""Says psycopg's errors in our words, once."""

from __future__ import annotations

from pathlib import Path

import psycopg
from psycopg_pool import PoolTimeout

from locator_search.core.disk import full_disk, has_little_room
from locator_search.core.errors import SchemaOutOfDate, StoreError, StoreUnavailable

EMBEDDED_HINT = "Try again: the embedded PostgreSQL is started when it does not run. Its log is {log}."
EXTERNAL_HINT = (
    "Check that the server runs and what DATABASE_URL, LOCATOR_SEARCH_DATABASE_URL or SUPABASE_* name; then try again."
)


def in_our_words(error: psycopg.Error | PoolTimeout, place: str, home: Path | None) -> StoreError:
    """One sentence, no SQL, no values, no address with a password. With a `home`, the server is the embedded one."""
    if isinstance(error, (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)):
        return SchemaOutOfDate(
            "The tables in the database are older than this program.", hint="Run `document-locator db apply`."
        )
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout)):
        return StoreUnavailable(*_unavailable(error, place, home))
    return StoreError(f"PostgreSQL refused a statement: {_reason(error)}.")


def _unavailable(error: psycopg.Error | PoolTimeout, place: str, home: Path | None) -> tuple[str, str]:
    """The sentence about an unreachable server, and a hint."""
    if isinstance(error, psycopg.errors.DiskFull):
        return full_disk(home) if home else (f"{_subject(place)} has no space left on its disk.", "Make room there.")
    # With a code, the server itself spoke: a deadlock, a shutdown. Without one nobody answered.
    answered = getattr(error, "sqlstate", None) is not None
    happened = "could not do its work" if answered else "cannot be reached"
    if home is not None:
        if not answered and has_little_room(home):
            return full_disk(home)
        log = home / "postgres" / "data" / "server.log"
        return f"The embedded PostgreSQL {happened}: {_reason(error)}.", EMBEDDED_HINT.format(log=log)
    return f"{_subject(place)} {happened}: {_reason(error)}.", EXTERNAL_HINT


def _subject(place: str) -> str:
    return f"PostgreSQL at {place}" if place else "PostgreSQL"


def _reason(error: psycopg.Error | PoolTimeout) -> str:
    """The server's own words where it said any, else the first line of the driver's."""
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = primary or (lines[0] if lines else type(error).__name__)
    return reason.rpartition("failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")
