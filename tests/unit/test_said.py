"""Nothing the program says of folders that cannot be read is English in a Japanese sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
import regex

from locator_search.adapters.local_files.beneath import why_not_listed
from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.health.root_texts import notice
from locator_search.locales.said import in_words, known_in_words
from locator_search.model import RootWarning, SourceRoot

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
