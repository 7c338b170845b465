"""`document-locator db backup` and `db restore` as a person meets them."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from locator_search.adapters.postgres import Database, migrate

COMMAND = [sys.executable, "-m", "locator_search.cli.main"]
QUESTION = ["search", "椿計画の予算", "--json", "--no-input"]


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every user may pass, with documents, a home that holds their index, and a backup of it."""
    place = Path(tempfile.mkdtemp(prefix="locator-backup-"))
    place.chmod(0o711)
    make(place)
    yield place
    shutil.rmtree(place)


def run(
    documents: Path, home: Path, *words: str, url: str = "", prefix: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LOCATOR_", "DAGSTER"))}
    places = {"LOCATOR_HOME": str(home), "LOCATOR_FOLDERS": str(documents), "LOCATOR_LANGUAGE": "en"}
    return subprocess.run(
        [*prefix, *COMMAND, *words],
        env={**kept, **places, "DATABASE_URL": url, "SUPABASE_URL": "", "LOG_LEVEL": "ERROR"},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def found(result: subprocess.CompletedProcess[str]) -> Mapping[str, object]:
    assert result.returncode == 0, result.stderr
    return dict(json.loads(result.stdout))


def make(place: Path) -> None:
    """Documents, their index and a backup of it."""
    (place / "documents").mkdir()
    (place / "documents" / "椿計画の議事録.md").write_text("# 椿計画\n\n予算は三百万円と決まった。\n", "utf-8")
    (place / "documents" / "休暇規程.md").write_text("# 休暇規程\n\n有給休暇は二十日とする。\n", "utf-8")
    assert run(place / "documents", place / "home", "crawler").returncode == 0
    (place / "home" / "synonyms.txt").write_text("予算, 費用\n", "utf-8")
    (place / "home" / "link_secret").write_text("a key")
    (place / "home" / "live_tokens").mkdir()
    (place / "home" / "live_tokens" / "wiki.json").write_text("a token")
    saved = run(place / "documents", place / "home", "db", "backup", str(place / "index.backup"), "--json")
    assert json.loads(saved.stdout)["files"] == ["synonyms.txt"], saved.stderr


@pytest.mark.timeout(900)
def test_a_backup_is_private_holds_no_secret_and_brings_everything_back(place: Path, tmp_path: Path) -> None:
    backup = place / "index.backup"
    assert backup.stat().st_mode & 0o077 == 0
    assert not any("secret" in name for name in zipfile.ZipFile(backup).namelist())
    restored = run(place / "documents", tmp_path / "home", "db", "restore", str(backup))
    assert restored.returncode == 0, restored.stderr
    assert found(run(place / "documents", tmp_path / "home", *QUESTION)) == found(
        run(place / "documents", place / "home", *QUESTION)
    )
    assert (tmp_path / "home" / "synonyms.txt").read_text("utf-8") == "予算, 費用\n"
    with Database(tmp_path / "home") as database, database.connection() as connection:
        runs = connection.execute("SELECT count(*) FROM dagster.runs").fetchone()
    assert runs is not None
    assert runs[0] > 0

    again = run(place / "documents", tmp_path / "home", "db", "restore", str(backup))
    assert (again.returncode, "not empty" in again.stderr) == (2, True)
    assert run(place / "documents", tmp_path / "home", "db", "restore", str(backup), "--replace").returncode == 0
    assert found(run(place / "documents", tmp_path / "home", *QUESTION))["outcome"] == "found"


@pytest.mark.timeout(900)
def test_sign_ins_come_along_with_secrets_alone_and_are_private_where_they_are_restored(
    place: Path, tmp_path: Path
) -> None:
    documents, file = place / "documents", tmp_path / "whole.backup"
    assert not [name for name in zipfile.ZipFile(place / "index.backup").namelist() if "live_tokens" in name]
    saved = found(run(documents, place / "home", "db", "backup", str(file), "--with-secrets", "--json"))
    assert saved["files"] == ["synonyms.txt", "live_tokens/wiki.json", "link_secret"]
    assert file.stat().st_mode & 0o077 == 0
    restored = run(documents, tmp_path / "home", "db", "restore", str(file))
    assert restored.returncode == 0, restored.stderr
    tokens = tmp_path / "home" / "live_tokens" / "wiki.json"
    assert tokens.read_text() == "a token"
    assert [path.stat().st_mode & 0o077 for path in (tokens, tmp_path / "home" / "link_secret")] == [0, 0]
    assert "a token" not in restored.stdout + restored.stderr


@pytest.mark.timeout(900)
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")
def test_a_backup_made_by_root_is_restored_by_another_user(place: Path) -> None:
    somebody = pwd.getpwnam("nobody")
    theirs = place / "theirs"
    theirs.mkdir()
    shutil.copy(place / "index.backup", theirs / "index.backup")
    for path in (theirs, theirs / "index.backup"):
        os.chown(path, somebody.pw_uid, somebody.pw_gid)
    # Of what root may do, they keep to read this checkout and its Python, which may lie behind closed folders.
    reading = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
    as_them = ("setpriv", f"--reuid={somebody.pw_uid}", f"--regid={somebody.pw_gid}", "--clear-groups", *reading)
    restored = run(place / "documents", theirs / "home", "db", "restore", str(theirs / "index.backup"), prefix=as_them)
    assert restored.returncode == 0, restored.stderr
    assert (theirs / "home").stat().st_uid == somebody.pw_uid
    here = found(run(place / "documents", place / "home", *QUESTION))
    assert found(run(place / "documents", theirs / "home", *QUESTION, prefix=as_them)) == here


@pytest.mark.timeout(900)
@pytest.mark.parametrize("damage", ["cut off", "not SQL"])
def test_a_damaged_backup_changes_nothing(place: Path, tmp_path: Path, damage: str) -> None:
    damaged = tmp_path / "damaged.backup"
    if damage == "cut off":
        damaged.write_bytes((place / "index.backup").read_bytes()[:-5000])
    else:
        with zipfile.ZipFile(place / "index.backup") as whole, zipfile.ZipFile(damaged, "w") as archive:
            for name in whole.namelist():
                content = whole.read(name)
                archive.writestr(name, content + b"\nnonsense;\n" if name == "database.sql" else content)
    before = found(run(place / "documents", place / "home", *QUESTION))
    refused = run(place / "documents", place / "home", "db", "restore", str(damaged), "--replace")
    assert refused.returncode != 0
    assert len(refused.stderr.splitlines()) == 2, refused.stderr
    assert "fault of the program" not in refused.stderr
    assert found(run(place / "documents", place / "home", *QUESTION)) == before


@pytest.mark.timeout(900)
def test_a_backup_goes_into_a_database_of_ones_own_and_back(
    place: Path, tmp_path: Path, empty_database_url: str
) -> None:
    with Database(empty_database_url) as database:
        migrate(database)
    restored = run(
        place / "documents", tmp_path / "home", "db", "restore", str(place / "index.backup"), url=empty_database_url
    )
    assert restored.returncode == 0, restored.stderr
    assert found(run(place / "documents", tmp_path / "home", *QUESTION, url=empty_database_url)) == found(
        run(place / "documents", place / "home", *QUESTION)
    )
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("CREATE TABLE of_somebody_else (n int)")
    refused = run(place / "documents", tmp_path / "home", "db", "backup", str(tmp_path / "b"), url=empty_database_url)
    assert refused.returncode == 1
    assert "tables of others: of_somebody_else" in refused.stderr
    assert not (tmp_path / "b").exists()


def test_what_is_no_backup_cannot_be_read_or_written_is_named(place: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a backup")
    for words, said in (
        (("restore", str(tmp_path / "notes.txt")), "is not a whole backup"),
        (("restore", str(tmp_path / "nowhere")), "No such file"),
        (("backup", str(tmp_path / "no folder" / "b")), "cannot be written"),
    ):
        refused = run(place / "documents", place / "home", "db", *words)
        assert (refused.returncode, said in refused.stderr) == (2, True), refused.stderr
