"""Long lists of texts arrive as they were sent, whatever stands in them."""

from __future__ import annotations

import psycopg
import pytest

from locator_search.adapters.postgres.server.database import Database

PLAIN = [f"local:{number:032x}" for number in range(1000)]
ODD = ["", "NULL", " ", "{a,b}", 'a"b', "a\\b", "北斗製鋼、秘密保持契約", "\u3000", "🗂", "a\nb", "',--"]


@pytest.mark.parametrize(
    "sent",
    [PLAIN, [*PLAIN, *ODD], [*PLAIN, "NULL", "", "{a,b}", "北斗　製鋼"], [*PLAIN, None], PLAIN[:3], []],
    ids=["plain", "with escapes", "without escapes", "with nothing", "short", "empty"],
)
def test_a_list_of_texts_arrives_as_it_was_sent(database: Database, sent: list[str | None]) -> None:
    with database.connection() as connection:
        [arrived] = connection.execute("SELECT %s::text[]", (sent,)).fetchone() or (None,)
    assert arrived == sent


def test_nul_is_refused_in_long_lists_too(database: Database) -> None:
    with database.connection() as connection, pytest.raises(psycopg.DataError):
        connection.execute("SELECT %s::text[]", ([*PLAIN, "a\0b"],))


def test_lists_of_numbers_and_of_lists_are_no_lists_of_texts(database: Database) -> None:
    numbers, nested = list(range(1000)), [[f"a{row}", "b"] for row in range(100)]
    with database.connection() as connection:
        row = connection.execute("SELECT %s::bigint[], %s::text[]", (numbers, nested)).fetchone()
    assert row == (numbers, nested)
