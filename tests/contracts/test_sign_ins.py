"""Sign-ins in the database: sealed, shared by whoever has the secret, renewed by one at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.sign_ins import PostgresSignIns

CONTENT = '{"tokens": {"access_token": "access-1"}}'


@pytest.fixture
def sign_ins(database: Database, tmp_path: Path) -> PostgresSignIns:
    return with_secret(database, tmp_path, "a")


def with_secret(database: Database, home: Path, letter: str) -> PostgresSignIns:
    return PostgresSignIns(database, lambda: letter.encode() * 32, home / "live_tokens")


def test_what_was_kept_last_is_read_by_whoever_has_the_secret(
    sign_ins: PostgresSignIns, database: Database, tmp_path: Path
) -> None:
    assert sign_ins.read("wiki") == ""
    sign_ins.keep("wiki", "before")
    sign_ins.keep("wiki", CONTENT)
    assert with_secret(database, tmp_path / "elsewhere", "a").read("wiki") == CONTENT
    assert with_secret(database, tmp_path, "b").read("wiki") == ""
    sign_ins.forget("wiki")
    assert sign_ins.read("wiki") == ""


def test_a_row_that_was_changed_or_put_under_another_name_is_no_sign_in(
    sign_ins: PostgresSignIns, database: Database
) -> None:
    sign_ins.keep("wiki", CONTENT)
    database.run("INSERT INTO live_sign_in SELECT 'evil', secret_mark, sealed FROM live_sign_in")
    database.run(
        "UPDATE live_sign_in SET sealed = replace(sealed, right(sealed, 9), 'AAAAAAAAA') WHERE service = 'wiki'"
    )
    assert (sign_ins.read("evil"), sign_ins.read("wiki")) == ("", "")


def test_one_renews_at_a_time_and_who_vanished_meanwhile_is_not_waited_for_long(
    sign_ins: PostgresSignIns, database: Database, tmp_path: Path
) -> None:
    other = with_secret(database, tmp_path / "elsewhere", "a")
    assert sign_ins.take_turn("wiki"), "nothing is kept"
    sign_ins.keep("wiki", CONTENT)
    assert sign_ins.take_turn("wiki")
    sign_ins.keep("wiki", CONTENT)
    assert not other.take_turn("wiki")
    sign_ins.end_turn("wiki")
    assert other.take_turn("wiki")
    assert not sign_ins.take_turn("wiki")
    database.run("UPDATE live_sign_in SET renewed_until = renewed_until - interval '1 minute'")
    assert sign_ins.take_turn("wiki")


def test_a_file_of_an_earlier_version_gives_way_to_what_is_kept(sign_ins: PostgresSignIns, tmp_path: Path) -> None:
    file = tmp_path / "live_tokens" / "wiki.json"
    file.parent.mkdir()
    for content in ("from the file", "an older file"):
        file.write_text(content)
        assert sign_ins.read("wiki") == "from the file"
        assert not file.exists()
