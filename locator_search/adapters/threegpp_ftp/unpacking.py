"""The documents of one file of the archive. Files are never written under names that came with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from locator_search.adapters.extractors.limited_zip import DAMAGE, LimitedZip
from locator_search.adapters.extractors.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_ARCHIVE_MEMBERS,
    MAX_FILE_BYTES,
    MIB,
)
from locator_search.adapters.extractors.outcome import CannotExtract
from locator_search.ports import PackageMember

DEEPEST = 2
"""A ZIP inside a ZIP is opened, one inside that is not."""
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_DOCUMENT_PARTS = ("[Content_Types].xml", "mimetype")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


class ZipUnpacker:
    """An `Unpacker`: every document of a ZIP, and of the ZIPs directly inside it; any other file is its own document.

    Left out: what macOS and office programs leave behind (`__MACOSX`, hidden and lock files), and a .doc beside a .docx
    of the same name. What cannot be had comes with its reason.
    """

    def unpack(self, path: Path, name: str, directory: Path) -> list[PackageMember]:
        """The documents of a file, bodies in `directory`. Never raises for bad content."""
        if path.stat().st_size > MAX_FILE_BYTES:
            return [PackageMember(name, None, "too-large", f"The file is larger than {MAX_FILE_BYTES // MIB} MB.")]
        with path.open("rb") as stream:
            if not stream.read(4).startswith(_ZIP):
                return [PackageMember(name, path)]
        data = path.read_bytes()
        if _is_document(data):
            return [PackageMember(name, path)]
        members = list(_Unpacking(name, directory).members(data, "", 1))
        if not members:
            return [PackageMember(name, None, "empty", "The archive holds no document.")]
        return _each_named_once(_without_older_form(members))


@dataclass(slots=True)
class _Unpacking:
    """One file being taken apart, all depths under common limits."""

    name: str
    directory: Path
    bytes_left: int = MAX_ARCHIVE_BYTES
    seen: int = 0

    def members(self, data: bytes, prefix: str, depth: int) -> Iterator[PackageMember]:
        """The documents of a ZIP, `prefix` before their names."""
        try:
            with LimitedZip(data) as archive:
                for name, entry in archive.files():
                    shown = prefix + _shown(name)
                    if _is_left_behind(name):
                        continue
                    if self.seen >= MAX_ARCHIVE_MEMBERS or self.bytes_left <= 0:
                        reason = f"The archive holds more than {MAX_ARCHIVE_MEMBERS} files."
                        if self.bytes_left <= 0:
                            reason = f"The archive unpacks to more than {MAX_ARCHIVE_BYTES // MIB} MB."
                        yield PackageMember(shown, None, "too-large", f"{reason} The rest was left out.")
                        return
                    self.seen += 1
                    try:
                        content = archive.read(entry)
                    except CannotExtract as error:
                        yield PackageMember(shown, None, error.state, error.message)
                    except DAMAGE:
                        yield PackageMember(shown, None, "corrupt", "The entry of the archive is damaged.")
                    else:
                        yield from self._member(content, shown, depth)
        except CannotExtract as error:
            yield PackageMember(prefix.rstrip("!") or self.name, None, error.state, error.message)
        except DAMAGE:
            yield PackageMember(prefix.rstrip("!") or self.name, None, "corrupt", "The archive is damaged.")

    def _member(self, content: bytes, shown: str, depth: int) -> Iterator[PackageMember]:
        self.bytes_left -= len(content)
        if content.startswith(_ZIP) and not _is_document(content):
            if depth < DEEPEST:
                yield from self.members(content, f"{shown}!", depth + 1)
            else:
                reason = "Archives inside archives of archives are not opened."
                yield PackageMember(shown, None, "unsupported", reason)
            return
        suffix = PurePosixPath(shown).suffix.lower()
        target = self.directory / f"{self.seen:03}{suffix if _SUFFIX.fullmatch(suffix) else ''}"
        target.write_bytes(content)
        yield PackageMember(shown, target)


def _is_document(data: bytes) -> bool:
    """Whether a ZIP container is an office document itself. A damaged one is left to those who read documents."""
    try:
        with LimitedZip(data) as archive:
            return any(name in _DOCUMENT_PARTS for name, _ in archive.files())
    except (CannotExtract, *DAMAGE):
        return False


def _is_left_behind(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return "__MACOSX" in parts or any(part.startswith(".") and part.strip(".") for part in parts) or _is_lock(parts[-1])


def _is_lock(name: str) -> bool:
    return name.startswith("~$") or name.lower() in ("thumbs.db", "desktop.ini")


def _shown(name: str) -> str:
    """A member's name for people: no way up, no way out, nothing that moves a cursor."""
    parts = _CONTROL.sub("", name).replace("\\", "/").replace("!", "_").split("/")
    return "/".join(part for part in parts if part.strip(". ")) or "unnamed"


def _without_older_form(members: Iterable[PackageMember]) -> list[PackageMember]:
    members = list(members)
    newer = {member.name.lower() for member in members if member.path is not None}
    return [
        member
        for member in members
        if not (member.name.lower().endswith(".doc") and member.name.lower() + "x" in newer)
    ]


def _each_named_once(members: Iterable[PackageMember]) -> list[PackageMember]:
    seen: dict[str, int] = {}
    named = []
    for member in members:
        count = seen[member.name] = seen.get(member.name, 0) + 1
        name = member.name if count == 1 else f"{member.name} ({count})"
        named.append(PackageMember(name, member.path, member.state, member.reason))
    return named
