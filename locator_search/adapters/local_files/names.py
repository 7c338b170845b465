"""Names and paths of a file system, which are bytes, as text for databases and screens; folders as source roots."""

from __future__ import annotations

import hashlib
import os
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote_from_bytes, unquote_to_bytes

from locator_search.core.errors import ConfigurationError
from locator_search.model import SourceRoot

_URI = "file://"
_ENCODING, _ERRORS = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
_REORDERING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def displayable(name: str) -> str:
    """A name, or a path name by name, in NFC with control characters, undecodable bytes and text-reordering marks
    escaped. Names in CP932, as Windows shares and archives bring them, are read as such."""
    if name.isprintable():  # nothing to escape or to decode: nearly all names
        return unicodedata.normalize("NFC", name)
    decoded = "/".join(map(_decoded, name.split("/")))
    return "".join(_visible(character) for character in unicodedata.normalize("NFC", decoded))


def _decoded(name: str) -> str:
    """A name whose bytes are not UTF-8 as the CP932 it most likely is, else as it came."""
    undecodable = sum(_is_byte(character) for character in name)
    if undecodable <= sum(character > "\x7f" and not _is_byte(character) for character in name):
        return name  # mostly UTF-8: cut off, or damaged
    try:
        text = os.fsencode(name).decode("cp932")
    except UnicodeDecodeError:
        return name
    return name if any(unicodedata.category(character) in ("Cc", "Co") for character in text) else text


def _is_byte(character: str) -> bool:
    return 0xDC80 <= ord(character) <= 0xDCFF


def _visible(character: str) -> str:
    code = ord(character)
    if _is_byte(character):
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x20:
        return chr(0x2400 + code)
    if code in _REORDERING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return f"\\u{code:04x}"
    return character


def location_of(path: str) -> str:
    """A path as it is where it is valid Unicode, else as a file URI of its bytes. Undone by `path_of`."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return _URI + quote_from_bytes(os.fsencode(path))
    return path


def path_of(location: str) -> str:
    """The path behind a location."""
    return os.fsdecode(unquote_to_bytes(location.removeprefix(_URI))) if location.startswith(_URI) else location


def link_of(path: str) -> str:
    """A `file://` URI that opens the path."""
    return _URI + quoted(path)


def quoted(path: str) -> str:
    """A path, or a part of one, as it stands in a `file://` URI."""
    return quote_from_bytes(os.fsencode(path), safe="/:")


def file_id_of(identity: str) -> str:
    """The id of a local file: a hash, because partition keys refuse control characters and `...`."""
    return "local:" + hashlib.sha256(identity.encode(_ENCODING, _ERRORS)).hexdigest()[:32]


SOURCE = "local_folder"


@dataclass(frozen=True, slots=True)
class LocalRoot:
    """A folder and its name. The ids of its files derive from the name and their paths inside it: under the same name,
    another path or another machine changes none of them."""

    path: str
    name: str
    root_id: str = field(init=False)
    """The name after that of the source."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "root_id", f"{SOURCE}:{location_of(self.name)}")

    @property
    def shown(self) -> str:
        """How the folder is called in paths that people read: the end of a name that is a path."""
        return displayable(PurePosixPath(self.name).name or self.name)

    @property
    def as_root(self) -> SourceRoot:
        """The folder as the registry keeps it."""
        return SourceRoot(self.root_id, displayable(self.name), SOURCE)


def local_roots(folders: Sequence[Path], names: Sequence[str] = ()) -> tuple[LocalRoot, ...]:
    """The folders with their links resolved, each once; without names each goes by its path.

    Raises ConfigurationError where one folder has two names.
    """
    paths = [os.path.realpath(folder.expanduser()) for folder in folders]
    if names and len(set(paths)) < len(paths):
        raise ConfigurationError(
            "LOCATOR_FOLDERS names one folder twice.",
            hint="Name each folder once; then LOCATOR_FOLDER_NAMES fits, too.",
        )
    called = names or [unicodedata.normalize("NFC", path) for path in paths]
    return tuple({path: LocalRoot(path, name) for path, name in zip(paths, called, strict=True)}.values())
