"""Where PostgreSQL is: settings into a libpq URL, and that URL into the one Dagster needs."""

from __future__ import annotations

from urllib.parse import quote, urlencode, urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError


def search_url(settings: Settings) -> str | None:
    """The libpq URL of the database that searches ask, where the settings name one. Raises ConfigurationError."""
    if settings.locator_search_database_url:
        _parsed(settings.locator_search_database_url, "LOCATOR_SEARCH_DATABASE_URL")
    return settings.locator_search_database_url


def external_url(settings: Settings) -> str | None:
    """The libpq URL the settings name, or None for the embedded server. `DATABASE_URL` wins over `SUPABASE_*`.

    Raises ConfigurationError, never with the value in it: a URL holds a password.
    """
    if settings.database_url:
        _parsed(settings.database_url)
        return settings.database_url
    if settings.supabase_url and settings.supabase_db_password:
        return _supabase_url(settings.supabase_url, settings.supabase_db_password)
    return None


def dagster_url(url: str, *, pooled: bool = False) -> str:
    """The same database as a SQLAlchemy URL, with Dagster's own schema; `pooled`: behind a pooler that keeps sessions.

    The driver is named because SQLAlchemy 2.1 takes psycopg 3 for `postgresql://`, which dagster-postgres cannot use.
    """
    parts = {name: str(value) for name, value in _parsed(url).items() if value is not None}
    host, port = parts.pop("host", ""), parts.pop("port", "")
    user, password = quote(parts.pop("user", ""), safe=""), quote(parts.pop("password", ""), safe="")
    database = quote(parts.pop("dbname", ""), safe="")
    login = f"{user}:{password}@" if password else f"{user}@" if user else ""
    if host.startswith("/"):
        place, parts["host"] = "", host
        if port:
            parts["port"] = port
    else:
        place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    parts["options"] = f"{parts.get('options', '')} -csearch_path=dagster".strip()
    if pooled:
        parts["plugin"] = "pooled_sessions"
    return f"postgresql+psycopg2://{login}{place}/{database}?{urlencode(parts, quote_via=quote)}"


def place_of(url: str) -> str:
    """Host, port and database for a message; never the password."""
    parts = _parsed(url)
    host = f"{parts.get('host') or 'localhost'}"
    return f"{host}:{parts.get('port') or 5432}/{parts.get('dbname') or parts.get('user') or ''}"


def _supabase_url(url: str, password: str) -> str:
    host = urlsplit(url).hostname or ""
    reference, _, domain = host.partition(".")
    if not reference or not domain:
        raise ConfigurationError(
            "SUPABASE_URL is not the address of a project.",
            hint="It looks like https://<reference>.supabase.co; or set DATABASE_URL instead.",
        )
    return f"postgresql://postgres:{quote(password, safe='')}@db.{host}:5432/postgres?sslmode=require"


def _parsed(url: str, setting: str = "DATABASE_URL") -> dict[str, str | int | None]:
    try:
        return dict(conninfo_to_dict(url))
    except ProgrammingError:
        raise ConfigurationError(
            f"{setting} is not a PostgreSQL address.", hint="It looks like postgresql://user:password@host:5432/name."
        ) from None
