"""Nothing the program says of folders that cannot be read is English in a Japanese sentence."""

from __future__ import annotations

import ast
import errno
import os
from pathlib import Path

import psycopg
import pytest
import regex

from locator_search.adapters.local_files.beneath import why_not_listed
from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.adapters.postgres.index.profile import another_model
from locator_search.adapters.postgres.server.vendor_errors import in_our_words
from locator_search.adapters.postgres.x.rows import no_such_session
from locator_search.core.disk import full_disk
from locator_search.core.errors import LocatorError, StoreUnavailable
from locator_search.health.root_texts import notice
from locator_search.locales.said import Said, _pattern, in_words, known_in_words
from locator_search.model import RootWarning, SourceRoot
from tests.builders.sentences import ROOMS

ENGLISH = regex.compile(r"[A-Za-z]{2,}")
ROOT = SourceRoot("local:1", "営業", "local_folder")
UNKNOWN = "The moon is in the way."


def test_a_folder_that_is_gone_or_none_is_told_in_japanese(tmp_path: Path) -> None:
    (tmp_path / "文書.md").write_text("文書", encoding="utf-8")
    for name in ("無い", "文書.md"):
        sweep = LocalFolderSource([tmp_path / name]).sweep()
        assert list(sweep.files()) == []
        [unlisted] = sweep.unlisted
        told, path = notice(RootWarning("unreachable", ROOT, 3, detail=unlisted.reason), "ja"), str(tmp_path / name)
        assert path in told.message
        assert not ENGLISH.search(told.message.replace(path, "").replace("local:1", ""))
        assert told.detail == unlisted.reason


@pytest.mark.parametrize(
    "number",
    [
        *(errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE, errno.ENOTCONN, errno.ENODEV, errno.EHOSTDOWN),
        *(errno.EHOSTUNREACH, errno.ETIMEDOUT, errno.ENAMETOOLONG, errno.ELOOP, errno.EMFILE),
    ],
)
def test_what_a_system_says_of_a_folder_is_told_in_japanese(number: int) -> None:
    said = why_not_listed("営業", OSError(number, os.strerror(number)))
    assert not ENGLISH.search(in_words(said, "ja"))
    assert in_words(said, "en") == said


def test_an_unknown_sentence_is_left_to_the_record() -> None:
    warning = RootWarning("unreachable", ROOT, 3, detail=UNKNOWN)
    told = notice(warning, "ja")
    assert "moon" not in told.message
    assert told.detail == UNKNOWN
    assert known_in_words(UNKNOWN, "ja") == ""
    assert (notice(warning, "en").detail, UNKNOWN in notice(warning, "en").message) == ("", True)


def test_a_name_that_reads_like_a_sentence_stays_a_name() -> None:
    path = "{x} does not exist. {0} Permission denied"
    assert path in in_words(why_not_listed(path, FileNotFoundError()), "ja")


def literals() -> str:
    """All texts of the product's code, one behind the other, with `{}` where a value stands."""
    written = []
    for room in ROOMS:
        for path in (Path(__file__).parents[2] / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    parts = (one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
                    written.append("".join(map(str, parts)))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    written.append(regex.sub(r"\{\w+\}", "{}", node.value))
    return "\n".join(written)


def test_every_sentence_stands_in_the_code_or_is_the_systems() -> None:
    said, of_the_system = literals(), {os.strerror(number) for number in errno.errorcode}
    made_of_parts = {"database_away", "database_busy", "database_away_at_all", "database_busy_at_all"}
    made_of_parts |= {"embedded_away", "embedded_busy", "pdf_damaged_so", "drive_refused_alone", "run_pip_or"}
    made_of_parts |= {"unset_provider", "run_to_see_or", "model_refused", "model_refused_for", "no_yaml_line"}
    for key, sentence in Said.of("en").sentences.items():
        fixed = [part.strip(" .") for part in regex.split(r"\{\w+\}|\{\{.*?\}\}|: ", sentence)]
        if sentence not in of_the_system and key not in made_of_parts and not key.startswith("input_"):  # Pydantic's
            assert all(part in said for part in fixed), key


@pytest.mark.parametrize("home", [None, Path("/tmp")])
@pytest.mark.parametrize("error", [psycopg.OperationalError("x"), psycopg.errors.AdminShutdown("x")])
@pytest.mark.parametrize("place", ["db.example.com:5432", ""])
def test_a_database_that_is_away_is_told_in_japanese(place: str, error: psycopg.Error, home: Path | None) -> None:
    ours = in_our_words(error, place, home)
    for line in (ours.message, ours.hint):
        assert regex.search(r"\p{Hiragana}", known_in_words(line, "ja")), line


@pytest.mark.parametrize(
    "error",
    [
        another_model("offline", "text-embedding-3-small"),
        no_such_session(),
        StoreUnavailable(*full_disk("/")),
        in_our_words(psycopg.errors.UndefinedTable("x"), "db.example.com:5432", None),
    ],
)
def test_errors_that_a_page_shows_are_told_in_japanese_with_their_hints(error: LocatorError) -> None:
    for line in filter(None, (error.message, error.hint)):
        assert regex.search(r"\p{Hiragana}", known_in_words(line, "ja")) or "x sessions" in line, line


def test_a_sentence_is_compiled_alone_and_nothing_said_compiles_none() -> None:
    _pattern.cache_clear()
    known_in_words.cache_clear()
    assert known_in_words("", "ja") == ""
    assert _pattern.cache_info().currsize == 0
    assert known_in_words("3 files to index.", "ja")
    assert _pattern.cache_info().currsize < 10
