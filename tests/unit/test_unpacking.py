"""Files of the archive taken apart: every document, nothing else, and nowhere else."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from locator_search.adapters.threegpp_ftp.unpacking import ZipUnpacker
from locator_search.ports import PackageMember
from tests.builders.files.word import paragraph, word

Unpack = Callable[[dict[str, bytes]], dict[str, PackageMember]]


@pytest.fixture
def docx(tmp_path: Path) -> bytes:
    return word(tmp_path / "some.docx", paragraph("The UE shall register.")).read_bytes()


@pytest.fixture
def unpack(tmp_path: Path) -> Unpack:
    """Unpacks a ZIP of the given entries; members by name."""

    def unpacked(entries: dict[str, bytes]) -> dict[str, PackageMember]:
        path = tmp_path / "package"
        path.write_bytes(_zip(entries))
        directory = tmp_path / "bodies"
        directory.mkdir(exist_ok=True)
        return {member.name: member for member in ZipUnpacker().unpack(path, "S1-254001.zip", directory)}

    return unpacked


def _zip(entries: dict[str, bytes]) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_all_documents_of_a_zip_are_taken_and_what_macos_leaves_is_not(unpack: Unpack, docx: bytes) -> None:
    members = unpack(
        {
            "S1-254001.docx": docx,
            "attachments/cover 表紙.pdf": b"%PDF-1.4",
            "__MACOSX/._S1-254001.docx": b"x",
            ".DS_Store": b"x",
            ".git/config": b"x",
            "~$254001.docx": b"x",
            "Thumbs.db": b"x",
        }
    )
    assert set(members) == {"S1-254001.docx", "attachments/cover 表紙.pdf"}
    assert members["S1-254001.docx"].path is not None
    assert members["S1-254001.docx"].path.read_bytes() == docx


def test_of_a_docx_and_a_doc_of_one_name_the_docx_is_taken(unpack: Unpack, docx: bytes) -> None:
    assert set(unpack({"a.doc": b"old", "A.docx": docx, "b.doc": b"only"})) == {"A.docx", "b.doc"}


def test_a_zip_in_the_zip_is_opened_and_one_inside_that_is_not(unpack: Unpack, docx: bytes) -> None:
    deepest = _zip({"c.docx": docx})
    members = unpack({"outer.docx": docx, "inner.zip": _zip({"b.docx": docx, "deep.zip": deepest})})
    assert set(members) == {"outer.docx", "inner.zip!b.docx", "inner.zip!deep.zip"}
    assert members["inner.zip!deep.zip"].path is None
    assert members["inner.zip!deep.zip"].state == "unsupported"


@pytest.mark.parametrize("name", ["../../evil.docx", "/etc/evil.docx", "..\\..\\evil.docx", "a/../../../evil.docx"])
def test_a_name_leads_nowhere(unpack: Unpack, docx: bytes, tmp_path: Path, name: str) -> None:
    before = set(tmp_path.iterdir())
    (member,) = unpack({name: docx}).values()
    assert member.path is not None
    assert member.path.parent == tmp_path / "bodies"
    assert ".." not in member.name
    assert set(tmp_path.iterdir()) - before == {tmp_path / "package", tmp_path / "bodies"}
    assert not (tmp_path.parent / "evil.docx").exists()


def test_a_bomb_costs_only_itself(unpack: Unpack, docx: bytes) -> None:
    members = unpack({"bomb.docx": b"\0" * (65 * 1024 * 1024), "good.docx": docx})
    assert members["bomb.docx"].state == "too-large"
    assert members["bomb.docx"].path is None
    assert members["good.docx"].path is not None


@pytest.mark.large
def test_nested_bombs_share_one_limit(unpack: Unpack) -> None:
    inner = _zip({f"{number}.bin": b"\0" * (60 * 1024 * 1024) for number in range(3)})
    members = unpack({f"{number}.zip": inner for number in range(4)})
    unpacked = sum(member.path.stat().st_size for member in members.values() if member.path is not None)
    assert unpacked <= 320 * 1024 * 1024
    assert any(member.state == "too-large" for member in members.values())


def test_more_files_than_any_contribution_has_are_cut_off(unpack: Unpack) -> None:
    members = unpack({f"{number}.txt": b"x" for number in range(300)})
    assert sum(member.path is not None for member in members.values()) == 200
    assert sum(member.state == "too-large" for member in members.values()) == 1


def test_a_password_is_said(tmp_path: Path, docx: bytes) -> None:
    data = bytearray(_zip({"a.docx": docx}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1  # "encrypted"
    (tmp_path / "locked.zip").write_bytes(data)
    (member,) = ZipUnpacker().unpack(tmp_path / "locked.zip", "S1-254001.zip", tmp_path)
    assert (member.path, member.state) == (None, "encrypted")


@pytest.mark.parametrize("content", [b"PK\x03\x04 nothing of a ZIP", b"PK\x05\x06", b"PK\x03\x04" * 5000])
def test_a_damaged_archive_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.zip").write_bytes(content)
    (member,) = ZipUnpacker().unpack(tmp_path / "broken.zip", "S1-254001.zip", tmp_path)
    assert (member.path, member.state) == (None, "corrupt")


def test_an_empty_archive_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.zip").write_bytes(_zip({}))
    assert ZipUnpacker().unpack(tmp_path / "empty.zip", "S1-254001.zip", tmp_path)[0].state == "empty"


def test_a_file_that_is_no_zip_is_its_own_document(tmp_path: Path, docx: bytes) -> None:
    for name, content in (("S1-254001.docx", docx), ("S1-254001.doc", b"\xd0\xcf\x11\xe0"), ("empty.doc", b"")):
        path = tmp_path / name
        path.write_bytes(content)
        assert ZipUnpacker().unpack(path, name, tmp_path) == [PackageMember(name, path)]


def test_two_members_of_one_name_stay_two(tmp_path: Path, docx: bytes) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.docx", docx)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.docx", docx + b" ")
    names = [member.name for member in ZipUnpacker().unpack(path, "S1-254001.zip", tmp_path)]
    assert names == ["a.docx", "a.docx (2)"]
