"""A local folder as a place where files live, and the last look before evidence is shown."""

from __future__ import annotations

import os
import socket
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from locator_search.adapters.local_folder import LocalAccessChecker, LocalFolderSource
from locator_search.errors import FileGone, SourceError
from locator_search.model import FOLDER_MIME_TYPE, Evidence, FileRef


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "共有"
    made.mkdir()
    return made


def write(path: Path, text: str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def listed(*folders: Path, home: Path | None = None) -> list[FileRef]:
    return list(LocalFolderSource(folders, home=home).list_files())


def names(*folders: Path) -> list[str]:
    return [file.file_name for file in listed(*folders)]


def test_every_file_is_listed_with_what_a_person_needs_to_know(folder: Path) -> None:
    path = write(folder / "営業" / "見積書.csv", "a,b")
    [file] = listed(folder)
    assert (file.file_name, file.folder_path) == ("見積書.csv", "共有/営業")
    assert (file.mime_type, file.size, file.source) == ("text/csv", 3, "local_folder")
    assert file.file_id.startswith("local:")
    assert file.modified_at == datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert os.fsdecode(unquote_to_bytes(file.link.removeprefix("file://"))) == str(path)


def test_a_listing_is_the_same_every_time(folder: Path) -> None:
    for number in range(20):
        write(folder / f"{number % 3}" / f"{number}.txt")
    assert listed(folder) == listed(folder)


def test_folders_may_be_twenty_deep(folder: Path) -> None:
    write(folder.joinpath(*"abcdefghijklmnopqrstuvwxyz", "leaf.txt"))
    assert names(folder) == ["leaf.txt"]


def test_an_edit_changes_the_revision_even_when_size_and_time_stay(folder: Path) -> None:
    path = write(folder / "a.txt", "one")
    before = path.stat()
    [first] = listed(folder)
    while path.stat().st_ctime_ns == before.st_ctime_ns:  # a clock of files may tick slowly
        path.write_text("two", encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    [second] = listed(folder)
    assert first.file_id == second.file_id
    assert first.revision != second.revision


def test_overlapping_folders_list_each_file_once(folder: Path) -> None:
    write(folder / "a.txt")
    write(folder / "inner" / "b.txt")
    assert sorted(names(folder, folder / "inner", folder)) == ["a.txt", "b.txt"]


def test_hidden_files_and_lock_files_are_left_out(folder: Path) -> None:
    for name in (".secret", "~$報告.docx", ".git/config", "報告.docx"):
        write(folder / name)
    assert names(folder) == ["報告.docx"]


def test_the_home_of_the_product_is_left_out(folder: Path) -> None:
    write(folder / "home" / "data.txt")
    write(folder / "a.txt")
    assert [file.file_name for file in listed(folder, home=folder / "home")] == ["a.txt"]


def test_links_are_not_followed_so_loops_cannot_arise(folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    write(tmp_path / "outside" / "b.txt")
    (folder / "loop").symlink_to(folder)
    (folder / "outside").symlink_to(tmp_path / "outside")
    (folder / "outside.txt").symlink_to(tmp_path / "outside" / "b.txt")
    (folder / "again.txt").symlink_to(folder / "a.txt")
    assert names(folder) == ["a.txt"]


def test_a_folder_given_as_a_link_is_the_folder_it_points_to(folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    (tmp_path / "link").symlink_to(folder)
    assert listed(tmp_path / "link") == listed(folder)


def test_pipes_and_sockets_are_left_out(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        short = os.open(folder, os.O_RDONLY)
        try:
            listening.bind(f"/proc/self/fd/{short}/s.txt")
        finally:
            os.close(short)
        assert names(folder) == []


def test_names_are_shown_in_one_normal_form(folder: Path) -> None:
    write(folder / unicodedata.normalize("NFD", "ガイド.txt"))
    assert names(folder) == [unicodedata.normalize("NFC", "ガイド.txt")]


def test_two_names_that_differ_in_their_normal_form_alone_are_two_files(folder: Path) -> None:
    for form in ("NFC", "NFD"):
        write(folder / unicodedata.normalize(form, "ガイド.txt"))
    assert len({file.file_id for file in listed(folder)}) == 2


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"two\nlines.txt", "two␊lines.txt"),
        (b"\xff\xfe.txt", "\\xff\\xfe.txt"),
        ("gnp\u202etxt.exe".encode(), "gnp\\u202etxt.exe"),
        ("".join(["a"] * 200).encode() + b".txt", "a" * 200 + ".txt"),
        (b"%41 ' \" ; $(x) --.txt", "%41 ' \" ; $(x) --.txt"),
    ],
)
def test_strange_names_are_shown_escaped_and_still_read(folder: Path, tmp_path: Path, raw: bytes, shown: str) -> None:
    path = os.fsencode(folder) + b"/" + raw
    with open(path, "wb") as stream:  # noqa: PTH123 - the name is bytes
        stream.write(b"content")
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    assert file.file_name == shown
    for kept in (file.file_name, file.location, file.link, file.folder_path):
        kept.encode()  # what the database can hold
    assert source.read(file, tmp_path).read_bytes() == b"content"


def test_a_file_removed_since_it_was_listed_is_gone(folder: Path, tmp_path: Path) -> None:
    path = write(folder / "a.txt")
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    path.unlink()
    with pytest.raises(FileGone):
        source.read(file, tmp_path)


def test_a_pipe_put_in_the_place_of_a_file_holds_nobody(folder: Path, tmp_path: Path) -> None:
    path = write(folder / "a.txt")
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(FileGone):
        source.read(file, tmp_path)


@pytest.mark.parametrize("wrong", ["missing", "file.txt"])
def test_a_folder_that_cannot_be_listed_is_told_before_the_first_file(folder: Path, wrong: str) -> None:
    write(folder / "file.txt")
    with pytest.raises(SourceError, match=wrong):
        next(LocalFolderSource([folder, folder / wrong]).list_files())


def test_a_sub_folder_that_may_not_be_read_is_an_entry_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "a.txt")
    write(folder / "secret" / "b.txt")
    scandir = os.scandir

    def guarded(path: str) -> object:  # a test may run as root, whom no permission stops
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    found = {file.file_name: file for file in listed(folder)}
    assert set(found) == {"a.txt", "secret"}
    assert found["secret"].mime_type == FOLDER_MIME_TYPE
    assert found["secret"].location == str(folder / "secret")


def test_a_disk_that_stops_answering_is_an_error_and_not_a_short_listing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "a.txt")
    write(folder / "mount" / "b.txt")
    scandir = os.scandir

    def failing(path: str) -> object:
        if str(path).endswith("mount"):
            raise OSError(5, "Input/output error")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", failing)
    with pytest.raises(SourceError, match="mount stopped answering"):
        listed(folder)


def test_a_folder_that_lists_nothing_beside_others_looks_like_a_lost_mount(folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    (tmp_path / "mount").mkdir()
    assert [(file.file_name, file.mime_type) for file in listed(folder, tmp_path / "mount")] == [
        ("a.txt", "text/plain"),
        ("mount", FOLDER_MIME_TYPE),
    ]


def test_one_empty_folder_alone_lists_nothing(folder: Path) -> None:
    assert listed(folder) == []


def evidence_of(file: FileRef) -> Evidence:
    return Evidence(
        file_id=file.file_id,
        file_name=file.file_name,
        summary="",
        link=file.link,
        mime_type=file.mime_type,
        modified_at=file.modified_at,
        similarity=0.9,
        score=0.9,
        location=file.location,
        revision=file.revision,
    )


def test_an_unchanged_file_is_verified_and_an_edited_one_is_marked(folder: Path) -> None:
    write(folder / "same.txt")
    edited = write(folder / "edited.txt")
    shown = [evidence_of(file) for file in listed(folder)]
    edited.write_text("something else", encoding="utf-8")
    checked = LocalAccessChecker([folder]).check(shown)
    assert [(item.file_name, item.freshness, item.verified) for item in checked] == [
        ("edited.txt", "changed", True),
        ("same.txt", "verified", True),
    ]


def test_a_file_that_is_gone_or_outside_the_folders_is_not_shown(folder: Path, tmp_path: Path) -> None:
    gone = write(folder / "gone.txt")
    write(tmp_path / "other" / "outside.txt")
    shown = [evidence_of(file) for file in listed(folder, tmp_path / "other")]
    gone.unlink()
    assert LocalAccessChecker([folder]).check(shown) == []
