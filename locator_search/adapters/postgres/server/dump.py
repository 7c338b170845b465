"""The tables of this product as SQL text, by PostgreSQL's own `pg_dump`, and back again by `psql`.

Only what is ours is saved and replaced: schemas with our migrations or Dagster's records in them, and of the schema
`public`, which may be shared, the tables and functions that `sql/` makes.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from locator_search.adapters.postgres.server.complaints import first_complaint
from locator_search.adapters.postgres.server.migrations import PUBLIC
from locator_search.adapters.postgres.server.programs import installed
from locator_search.adapters.postgres.server.statements import statements
from locator_search.config.bundled import bundled
from locator_search.core.disk import is_full
from locator_search.core.errors import ConfigurationError, StoreError, StoreUnavailable

SQL = statements(__name__)

DAGSTER = "dagster"
LOCK_SECONDS = 15
BLOCK = 1 << 20
LONGEST_COMPLAINT = 200

# Lines of a dump that concern the place and not the tables: `public` exists, and older servers lack the timeout.
LEFT_OUT = (b"CREATE SCHEMA public;", b"COMMENT ON SCHEMA public ", b"SET transaction_timeout = ")

_NEVER_EMPTY = {"schema_migration", "keyword_total", "access_list", "alembic_version"}

Connection = psycopg.Connection[Any]


def schemas_of_ours(connection: Connection) -> list[str]:
    """The schemas that hold something of this product. Raises StoreError when `public` holds tables of others."""
    schemas = [str(row[0]) for row in connection.execute(SQL.schemas).fetchall()]
    if PUBLIC in schemas and (
        foreign := sorted(set(_tables(connection, PUBLIC)) - _made_by_sql("TABLE") - _made_by_sql("VIEW"))
    ):
        raise StoreError(
            f"The schema public also holds tables of others: {', '.join(foreign[:5])}.",
            hint="Save and restore this database with its own tools (pg_dump), or give the product one of its own.",
        )
    return schemas


def holds_anything(connection: Connection) -> bool:
    """Whether any table of ours has a row that `sql/` did not put there."""
    for schema in schemas_of_ours(connection):
        for table in set(_tables(connection, schema)) - _NEVER_EMPTY - _made_by_sql("VIEW"):
            statement = sql.SQL(SQL.has_rows).format(table=sql.Identifier(schema, table))
            if schema != DAGSTER and connection.execute(statement).fetchone() == (True,):
                return True
    return False


def dumped(url: str, schemas: Iterable[str]) -> Iterator[bytes]:
    """The SQL that makes these schemas anew, as they are at one moment, in blocks. Raises StoreError."""
    options = [f"--schema={_pattern(schema)}" for schema in schemas]
    command = ["--format=plain", "--no-owner", "--no-privileges", "--encoding=UTF8", *options]
    with tempfile.TemporaryFile() as complaints:
        with _started("pg_dump", command, url, stdout=subprocess.PIPE, stderr=complaints) as process:
            while process.stdout is not None and (block := process.stdout.read(BLOCK)):
                yield block
        if process.returncode:
            complaints.seek(0)
            raise _refused("saved", complaints.read())


def restored(url: str, lines: Iterable[bytes], drop: Iterable[str]) -> None:
    """Replace what is ours by what the lines of a dump make, in one transaction. Raises StoreError.

    Whatever goes wrong, the iteration over `lines` included, the database stays as it was.
    """
    with tempfile.TemporaryFile() as complaints:
        options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
        with _started("psql", options, url, stdin=subprocess.PIPE, stderr=complaints) as process:
            script = process.stdin
            assert script is not None  # noqa: S101 - opened as a pipe
            try:
                script.write(f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_SECONDS}s';\n".encode())
                script.writelines(statement.encode() for statement in drop)
                script.writelines(_without_the_place(lines))
                script.write(b"COMMIT;\n")
                script.flush()
            except BrokenPipeError:  # psql has ended at an error, and says which
                with suppress(BrokenPipeError):
                    script.close()
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            complaints.seek(0)
            raise _refused("restored", complaints.read())


def dropping(connection: Connection) -> list[str]:
    """Statements that remove what is ours from a database."""
    made: list[sql.Composed] = []
    for schema in schemas_of_ours(connection):
        if schema != PUBLIC:
            made.append(sql.SQL(SQL.drop_schema).format(schema=sql.Identifier(schema)))
        else:
            for name in sorted(set(_tables(connection, PUBLIC)) - _made_by_sql("VIEW")):  # these go with their tables
                made.append(sql.SQL(SQL.drop_table).format(table=sql.Identifier(PUBLIC, name)))
            for name in sorted(_made_by_sql("FUNCTION")):
                made.append(sql.SQL(SQL.drop_function).format(function=sql.Identifier(PUBLIC, name)))
    return [f"{statement.as_string(connection)};\n" for statement in made]


def _without_the_place(lines: Iterable[bytes]) -> Iterator[bytes]:
    in_data = False
    for line in lines:
        if in_data:
            in_data = line.rstrip(b"\r\n") != b"\\."
        elif line.startswith(LEFT_OUT):
            continue
        else:
            in_data = line.startswith(b"COPY ") and line.rstrip().endswith(b"FROM stdin;")
        yield line


def _tables(connection: Connection, schema: str) -> list[str]:
    return [str(row[0]) for row in connection.execute(SQL.tables, {"schema": schema}).fetchall()]


def _made_by_sql(kind: str) -> set[str]:
    """Names of tables, views or functions that our migrations make or made."""
    written = "\n".join(path.read_text("utf-8") for path in bundled("sql").glob("*.sql"))
    names = set(re.findall(rf"CREATE (?:\w+ )?{kind} (?:IF NOT EXISTS )?(\w+)", written))
    return names | {*re.findall(r"RENAME TO (\w+)", written), "schema_migration"} if kind == "TABLE" else names


def _pattern(schema: str) -> str:
    return '"' + schema.replace('"', '""') + '"'


def _started(program: str, options: list[str], url: str, **pipes: Any) -> subprocess.Popen[bytes]:
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    password = parts.pop("password", None)
    environment = {"PATH": os.defpath, "LC_ALL": "C", "PGCLIENTENCODING": "UTF8"}
    if password is not None:  # never among the arguments, which other users can read
        environment["PGPASSWORD"] = password
    elif "PGPASSWORD" in os.environ:
        environment["PGPASSWORD"] = os.environ["PGPASSWORD"]
    command = [str(installed() / "bin" / program), *options, f"--dbname={make_conninfo(**parts)}"]
    pipes.setdefault("stdin", subprocess.DEVNULL)
    pipes.setdefault("stdout", subprocess.DEVNULL)
    return subprocess.Popen(command, env=environment, **pipes)  # noqa: S603 - our own program and arguments


def _refused(done: str, output: bytes) -> StoreError | ConfigurationError:
    complaint = first_complaint(output.decode(errors="replace"))[:LONGEST_COMPLAINT]
    if is_full(complaint):
        return StoreUnavailable(f"The database could not be {done}: its disk is full.", hint="Make room there.")
    if "lock timeout" in complaint:
        return StoreUnavailable(
            f"The database could not be {done}: it is in use.", hint="Stop `up` and every crawl, then try again."
        )
    if "server version" in complaint:
        return ConfigurationError(
            f"The database could not be {done}: {complaint}.", hint="Use the pg_dump of that server."
        )
    return StoreError(f"The database could not be {done}: {complaint}.", hint="It is as it was before.")
