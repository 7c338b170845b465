"""Turns psycopg's errors into ours, once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg_pool import PoolTimeout

from locator_search.errors import LocatorError, SchemaOutOfDate, StoreError, StoreUnavailable


@contextmanager
def translated(place: str = "") -> Iterator[None]:
    """One sentence, no SQL, no values, no address with a password."""
    try:
        yield
    except LocatorError:
        raise
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn) as error:
        raise SchemaOutOfDate(
            "The tables in the database are older than this program.", hint="Run `document-locator db apply`."
        ) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        # With a code, the server itself spoke: a full disk, a deadlock, a shutdown. Without one nobody answered.
        answered = getattr(error, "sqlstate", None) is not None
        subject = f"PostgreSQL at {place}" if place else "PostgreSQL"
        raise StoreUnavailable(
            f"{subject} {'could not do its work' if answered else 'cannot be reached'}: {_reason(error)}.",
            hint="Check that the server runs and what DATABASE_URL or SUPABASE_* name; then try again.",
        ) from None
    except psycopg.Error as error:
        raise StoreError(f"PostgreSQL refused a statement: {_reason(error)}.") from error


def _reason(error: psycopg.Error | PoolTimeout) -> str:
    """The server's own words where it said any, else the first line of the driver's."""
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reason = primary or (lines[0] if lines else type(error).__name__)
    return reason.rpartition("failed: ")[2].removeprefix("FATAL:").strip().rstrip(".")
