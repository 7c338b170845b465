"""Named SQL statements: the code uses each of them, none is missing, and PostgreSQL accepts all of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import psycopg
import pytest

from locator_search.adapters import postgres
from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.server.statements import HEADER, Statements, statements

ADAPTERS = Path(postgres.__file__).parents[1]
FILES = sorted(ADAPTERS.rglob("*.sql"))
COMMANDS = ("SET", "SHOW", "LISTEN", "TRUNCATE", "ANALYZE", "COMMENT", "CREATE", "DROP")
"""Statements that PostgreSQL runs without preparing them; a temporary table is made for those that use it."""
STATEMENT = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|SET|SHOW|CREATE|DROP|TRUNCATE) [\w'(*]+ ")


def module_of(file: Path) -> str:
    return ".".join(("locator_search.adapters", *file.relative_to(ADAPTERS).with_suffix("").parts))


def names_used(file: Path) -> set[str]:
    """The attributes of SQL in the module beside a file."""
    nodes = ast.walk(ast.parse(file.with_suffix(".py").read_text("utf-8")))
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "SQL"
    }


def numbered(command: str) -> str:
    """The command with PostgreSQL's own parameters, about some table and column where it is a template."""
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)[sbt]", command)))
    return (
        re.sub(r"%\((\w+)\)[sbt]", lambda found: f"${names.index(found[1]) + 1}", command)
        .replace("%%", "%")
        .replace("{table}", "file_state")
        .replace("{copy}", "file_state")
        .replace("{columns}", "file_id")
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ADAPTERS)))
def test_a_module_uses_exactly_the_statements_of_its_file(file: Path) -> None:
    assert set(statements(module_of(file)).by_name) == names_used(file)


@pytest.mark.dagster_tables
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ADAPTERS)))
def test_postgresql_accepts_every_statement(file: Path, database: Database) -> None:
    with database.transaction() as connection:
        for name, statement in statements(module_of(file)).by_name.items():
            for command in re.split(r";\s*\n", statement):
                if command.startswith("CREATE TEMPORARY"):
                    connection.execute(command)
                elif not command.startswith(COMMANDS):
                    try:
                        connection.execute(f"PREPARE typo AS {numbered(command)}", prepare=False)
                    except psycopg.Error as error:
                        pytest.fail(f"{file.name}: {name}: {error}")
                    connection.execute("DEALLOCATE typo")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ADAPTERS)))
def test_every_statement_says_what_it_does_in_lines_of_120_characters(file: Path) -> None:
    assert [line for line in file.read_text("utf-8").splitlines() if len(line) > 120] == []
    silent = [found[1] for found in HEADER.finditer(file.read_text("utf-8")) if found[0].count("\n") < 2]
    assert silent == []


def test_a_name_that_is_missing_or_there_twice_is_refused() -> None:
    some = Statements("some.sql", "-- name: one\n-- The number one.\nSELECT 1\n\n-- name: two\nSELECT 2\n")
    assert (some.one, some.two) == ("SELECT 1", "SELECT 2")
    with pytest.raises(AttributeError, match=r"some\.sql has no statement named 'three'"):
        _ = some.three
    with pytest.raises(ValueError, match="twice: one"):
        Statements("some.sql", "-- name: one\nSELECT 1\n-- name: one\nSELECT 2\n")


def test_no_statement_hides_in_a_module() -> None:
    hidden = []
    for file in sorted(ADAPTERS.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and STATEMENT.match(node.value):
                hidden.append(f"{file.name}:{node.lineno} {node.value.split()[:4]}")
    assert hidden == []
