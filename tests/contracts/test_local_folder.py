"""A local folder as a place where files live, and the last look before evidence is shown."""

from __future__ import annotations

import os
import socket
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from locator_search.adapters.local_files.access import LocalAccessChecker
from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.core.errors import AccessDenied, FileGone, SourceError, UnreadableFile
from locator_search.model import FOLDER_MIME_TYPE, Evidence, FileRef
from locator_search.ports import KnownFile


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
def test_a_folder_that_cannot_be_listed_is_told_and_does_not_stop_the_others(folder: Path, wrong: str) -> None:
    write(folder / "file.txt")
    sweep = LocalFolderSource([folder / wrong, folder]).sweep()
    assert [file.file_name for file in sweep.files()] == ["file.txt"]
    [lost] = sweep.unlisted
    assert (lost.root_id, lost.path) == (f"local_folder:{folder / wrong}", "")
    assert wrong in lost.reason


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_sub_folder_that_cannot_be_listed_is_an_entry_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    write(folder / "a.txt")
    write(folder / "secret" / "b.txt")
    write(folder / "z" / "c.txt")
    secret, scandir = (folder / "secret").stat(), os.scandir

    def guarded(opened: int) -> object:  # a test may run as root, whom no permission stops
        if os.path.samestat(os.fstat(opened), secret):
            raise error
        return scandir(opened)

    monkeypatch.setattr(os, "scandir", guarded)
    sweep = LocalFolderSource([folder]).sweep()
    found = {file.file_name: file for file in sweep.files()}
    assert set(found) == {"a.txt", "secret", "c.txt"}
    assert found["secret"].mime_type == FOLDER_MIME_TYPE
    assert found["secret"].location == "secret"
    [unlisted] = sweep.unlisted
    assert (unlisted.path, unlisted.reason) == (f"{folder.name}/secret", error.strerror)
    assert unlisted.covers(replace(found["a.txt"], folder_path=f"{folder.name}/secret/deep"))
    assert not unlisted.covers(replace(found["a.txt"], folder_path=f"{folder.name}/secretariat"))


def test_a_root_that_is_lost_midway_stops_itself_alone(folder: Path, tmp_path: Path) -> None:
    for name in ("1/a.txt", "2/b.txt"):
        write(folder / name)
    other = write(tmp_path / "other" / "c.txt").parent
    sweep = LocalFolderSource([folder, other]).sweep()
    files = sweep.files()
    assert next(files).file_name == "a.txt"
    folder.rename(tmp_path / "elsewhere")
    assert [file.file_name for file in files] == ["c.txt"]
    assert [(one.root_id, one.path) for one in sweep.unlisted] == [(f"local_folder:{folder}", "")]


def test_what_was_met_of_a_root_that_is_lost_midway_is_compared_all_the_same(folder: Path, tmp_path: Path) -> None:
    for name in ("1/a.txt", "2/b.txt"):
        write(folder / name)
    asked: list[list[str]] = []

    def differing(_root_id: str, marks: Mapping[str, str]) -> Collection[str]:
        asked.append([mark.split("\n")[4] for mark in marks.values()])
        return marks

    steps = LocalFolderSource([folder]).sweep_beside(differing).by_folder()
    assert [next(steps), next(steps)] == [[], []], "the root and the first folder"
    folder.rename(tmp_path / "elsewhere")
    assert [file.file_name for files in steps for file in files] == ["a.txt"]
    assert asked == [["a.txt"]]


def test_one_empty_folder_alone_lists_nothing(folder: Path) -> None:
    assert listed(folder) == []


def test_under_a_name_of_its_own_a_folder_keeps_its_files_at_another_path(folder: Path, tmp_path: Path) -> None:
    write(folder / "営業" / "見積書.csv", "a,b")
    named = LocalFolderSource([folder], names=["共有資料"])
    [before] = named.list_files()
    moved = folder.rename(tmp_path / "another path")
    [after] = LocalFolderSource([moved], names=["共有資料"]).list_files()
    assert replace(after, link=before.link) == before
    assert (before.root_id, before.folder_path) == ("local_folder:共有資料", "共有資料/営業")
    assert after.link != before.link


def test_named_by_the_path_it_had_a_folder_keeps_the_ids_of_its_files(folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    [before] = listed(folder)
    moved = folder.rename(tmp_path / "another path")
    [after] = LocalFolderSource([moved], names=[str(folder)]).list_files()
    assert (after.file_id, after.folder_path) == (before.file_id, before.folder_path)


@pytest.mark.parametrize("what", ["file", "folder", "folder above"])
def test_a_link_put_in_the_way_after_the_listing_is_not_followed(folder: Path, tmp_path: Path, what: str) -> None:
    swapped = {"file": "1/2/a.txt", "folder": "1/2", "folder above": "1"}[what]
    write(folder / "1" / "2" / "a.txt", "inside")
    write(tmp_path / "outside" / "1" / "2" / "a.txt", "secret")
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    (folder / swapped).rename(tmp_path / "away")
    (folder / swapped).symlink_to(tmp_path / "outside" / swapped)
    (tmp_path / "copies").mkdir()
    with pytest.raises(AccessDenied, match="link"):
        source.read(file, tmp_path / "copies")
    assert list((tmp_path / "copies").iterdir()) == []
    assert LocalAccessChecker([folder], Registered([file])).check([evidence_of(file)]) == []  # type: ignore[arg-type]


def test_a_folder_swapped_for_a_link_during_the_listing_is_not_followed(folder: Path, tmp_path: Path) -> None:
    write(folder / "1" / "a.txt")
    write(folder / "2" / "b.txt")
    write(tmp_path / "outside" / "secret.txt")
    sweep = LocalFolderSource([folder]).sweep()
    files = sweep.files()
    assert next(files).file_name == "a.txt"
    (folder / "2").rename(tmp_path / "away")
    (folder / "2").symlink_to(tmp_path / "outside")
    assert [file.mime_type for file in files] == [FOLDER_MIME_TYPE]
    assert [one.path for one in sweep.unlisted] == [f"{folder.name}/2"]


@pytest.mark.parametrize("location", ["../outside.txt", "a/../../outside.txt", "/etc/hostname", "./a.txt", ""])
def test_no_location_leads_out_of_its_root(folder: Path, tmp_path: Path, location: str) -> None:
    write(folder / "a" / "b.txt")
    write(tmp_path / "outside.txt", "secret")
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    with pytest.raises(SourceError):
        source.read(replace(file, location=location), tmp_path)


def test_what_is_too_large_to_be_read_is_not_copied(folder: Path, tmp_path: Path) -> None:
    with write(folder / "a.txt").open("wb") as stream:
        stream.truncate(200 * 1024 * 1024)
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    with pytest.raises(UnreadableFile, match="larger"):
        source.read(file, tmp_path)


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


class Registered:
    """A registry of the files of a listing."""

    def __init__(self, files: Sequence[FileRef]) -> None:
        self._known = {file.file_id: KnownFile(file, "indexed") for file in files}

    def known(self, file_ids: Sequence[str]) -> dict[str, KnownFile]:
        return {file_id: self._known[file_id] for file_id in file_ids if file_id in self._known}


def test_rules_that_were_changed_since_the_listing_count_at_once(folder: Path) -> None:
    write(folder / "a.txt")
    [file] = LocalFolderSource([folder]).list_files()

    def shown(rules: str) -> int:
        (folder / ".locator-access.toml").write_text(rules, "utf-8")
        registry: Any = Registered([file])
        checker = LocalAccessChecker([folder], registry, principals=lambda: ["user:aki@example.com"])
        return len(checker.check([evidence_of(file)]))

    assert shown('[[rule]]\npath = "*"\nreaders = ["aki@example.com"]\n') == 1
    assert shown('[[rule]]\npath = "*"\nreaders = ["hana@example.com"]\n') == 0
    assert shown("[[rule]") == 0


def checked(files: Sequence[FileRef], *folders: Path) -> list[Evidence]:
    shown = [evidence_of(file) for file in files]
    return LocalAccessChecker(folders, Registered(files)).check(shown)  # type: ignore[arg-type]


def test_names_are_shown_of_files_that_may_not_be_read_and_not_of_what_is_gone_or_a_link(
    folder: Path, tmp_path: Path
) -> None:
    written = [write(folder / name) for name in ("gone.txt", "kept.txt", "link.txt", "locked/a.txt")]
    files = listed(folder)
    written[0].unlink()
    written[1].chmod(0)
    written[2].unlink()
    written[2].symlink_to(write(tmp_path / "outside" / "secret.txt"))
    written[3].parent.rename(tmp_path / "away")
    written[3].parent.symlink_to(tmp_path / "away")
    checker = LocalAccessChecker([folder], Registered(files))  # type: ignore[arg-type]
    named = checker.check([evidence_of(file) for file in files], names_alone=True)
    assert [item.file_name for item in named] == ["kept.txt"]


def test_an_unchanged_file_is_verified_and_an_edited_one_is_marked(folder: Path) -> None:
    write(folder / "same.txt")
    edited = write(folder / "edited.txt")
    files = listed(folder)
    edited.write_text("something else", encoding="utf-8")
    assert [(item.file_name, item.freshness, item.verified) for item in checked(files, folder)] == [
        ("edited.txt", "changed", True),
        ("same.txt", "verified", True),
    ]


def test_a_file_that_is_gone_is_not_shown(folder: Path) -> None:
    gone = write(folder / "gone.txt")
    files = listed(folder)
    gone.unlink()
    assert checked(files, folder) == []


def test_a_file_of_a_root_that_is_not_crawled_here_is_shown_as_not_verified(folder: Path, tmp_path: Path) -> None:
    files = listed(write(tmp_path / "other" / "outside.txt").parent)
    assert [(item.freshness, item.verified) for item in checked(files, folder)] == [("not_verified", None)]


def test_while_a_root_is_out_of_reach_its_files_are_shown_as_not_verified(folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    files = listed(folder)
    folder.rename(tmp_path / "elsewhere")
    assert [item.freshness for item in checked(files, folder)] == ["not_verified"]


def test_a_link_leads_to_where_the_file_lies_on_this_machine(folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    files = list(LocalFolderSource([folder], names=["共有"]).list_files())
    moved = folder.rename(tmp_path / "elsewhere")
    [shown] = LocalAccessChecker([moved], Registered(files), ["共有"]).check([evidence_of(files[0])])  # type: ignore[arg-type]
    assert shown.link == (moved / "a.txt").as_uri()


CP932 = "営業/見積書_日本電気株式会社.txt"


def test_names_in_cp932_are_shown_as_they_are_meant(folder: Path, tmp_path: Path) -> None:
    path = os.fsencode(folder) + b"/" + CP932.encode("cp932")
    os.makedirs(os.path.dirname(path))  # noqa: PTH103, PTH120 - the name is bytes
    with open(path, "wb") as stream:  # noqa: PTH123
        stream.write(b"content")
    source = LocalFolderSource([folder])
    [file] = source.list_files()
    assert f"{file.folder_path}/{file.file_name}" == f"{folder.name}/{CP932}"
    assert file.mime_type == "text/plain"
    assert [file.file_id for file in source.list_files()] == [file.file_id], "an id out of the bytes"
    for kept in (file.file_name, file.location, file.link, file.folder_path):
        kept.encode()  # what the database can hold
    assert source.read(file, tmp_path).read_bytes() == b"content"
    assert [item.verified for item in checked([file], folder)] == [True]
