"""Lines of folder listings in every form they come in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from locator_search.adapters.threegpp_ftp.listing import entries, list_parser, parse_mlsd

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "name", "is_folder", "size", "modified"),
    [
        ("02-21-19  10:39AM       <DIR>          TSGS1_85_Tallinn", "TSGS1_85_Tallinn", True, None, "2019-02-21T10:39"),
        ("11-05-2025  12:07AM             1048576 S1-254001.zip", "S1-254001.zip", False, 1048576, "2025-11-05T00:07"),
        ("11-05-25  23:07               12 R1-25 a  b.docx", "R1-25 a  b.docx", False, 12, "2025-11-05T23:07"),
        ("drwxr-xr-x    5 0        0            4096 Nov 20  2024 Docs", "Docs", True, None, "2024-11-20T00:00"),
        ("-rw-r--r--   1 ftp ftp  77 Mar 02 09:05 a b.doc", "a b.doc", False, 77, "2026-03-02T09:05"),
        ("-rw-r--r--   1 ftp  77 Dec 31 23:59 late.doc", "late.doc", False, 77, "2025-12-31T23:59"),
        ("-rw-r--r--.  1 1001 1001 0 Feb 29  2024  leading", " leading", False, 0, "2024-02-29T00:00"),
    ],
)
def test_a_line_of_list_is_read(line: str, name: str, is_folder: bool, size: int | None, modified: str) -> None:
    (entry,) = entries("tsg_sa", [line], list_parser(NOW))
    assert (entry.path, entry.is_folder, entry.size) == (f"tsg_sa/{name}", is_folder, size)
    assert entry.modified_at == datetime.fromisoformat(modified).replace(tzinfo=UTC)
    assert entry.raw == line


@pytest.mark.parametrize(
    "line",
    [
        "total 12",
        "",
        "lrwxrwxrwx 1 ftp ftp 4 Mar 02 09:05 latest -> /etc",
        "-rw-r--r-- 1 ftp ftp 4 Mar 02 09:05 ..",
        "-rw-r--r-- 1 ftp ftp 4 Mar 02 09:05 a/../../b",
        "02-21-19  10:39AM       <DIR>          ..",
        "-rw-r--r-- 1 " + "x " * 5000,
    ],
)
def test_what_is_no_entry_of_the_folder_is_passed_over(line: str) -> None:
    assert entries("x", [line], list_parser(NOW)) == []


def test_a_date_that_does_not_exist_costs_only_the_date() -> None:
    (entry,) = entries("", ["13-45-19  10:39AM       12 a.zip"], list_parser(NOW))
    assert (entry.path, entry.modified_at) == ("a.zip", None)


def test_facts_of_mlsd_are_read_in_any_order_and_case() -> None:
    lines = [
        "Size=12;Modify=20250203040506.123;Type=file;UNIX.mode=0644; S1-254001 r1; final.zip",
        "type=cdir;modify=20250203040506; .",
        "type=pdir; ..",
        "type=OS.unix=slink:/x; link",
        "no facts at all",
        "type=dir;size=4096; Docs",
    ]
    file, folder = entries("a", lines, parse_mlsd)
    assert (file.path, file.size, file.modified_at) == (
        "a/S1-254001 r1; final.zip",
        12,
        datetime(2025, 2, 3, 4, 5, 6, tzinfo=UTC),
    )
    assert (folder.is_folder, folder.size) == (True, None)


def test_a_name_that_was_utf_8_is_shown_as_it_was_meant_and_handed_back_as_it_came() -> None:
    wire = "type=file;size=1; S1-254003_議事録.docx".encode().decode("latin-1")
    (entry,) = entries("", [wire], parse_mlsd)
    assert entry.name == "S1-254003_議事録.docx"
    assert entry.path.encode("latin-1").decode() == "S1-254003_議事録.docx"
    (latin,) = entries("", ["type=file;size=1; Göteborg.docx"], parse_mlsd)
    assert latin.name == "Göteborg.docx"
