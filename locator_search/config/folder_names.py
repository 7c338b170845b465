"""The names of local folders (LOCATOR_FOLDER_NAMES): what makes one usable. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def checked_folder_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names in NFC. Raises ValueError for one that could be mistaken for another one's files.

    A name is a word of one's own without slashes, or a whole path: that of the folder where it was crawled first.
    """
    checked = tuple(unicodedata.normalize("NFC", name).rstrip("/") or "/" for name in names)
    for number, name in enumerate(checked):
        if not name.isprintable():
            raise ValueError(f"the name of folder {number + 1} holds characters that cannot be printed")
        if "/" in name and not name.startswith("/"):
            raise ValueError(f"{name} is neither a name without slashes nor a whole path")
        if name in checked[:number]:
            raise ValueError(f"two folders are named {name}, and every name needs to be another one")
    return checked


def refuse_overlaps(names: Sequence[str], folders: Sequence[str]) -> None:
    """Raise ValueError where one name is a path below another one and the folders do not lie like that."""
    for inner, inner_folder in zip(names, folders, strict=True):
        for outer, outer_folder in zip(names, folders, strict=True):
            rest = inner.removeprefix(f"{outer}/")
            if outer.startswith("/") and rest != inner and inner_folder.rstrip("/") != f"{outer_folder}/{rest}":
                raise ValueError(f"the name {inner} lies below the name {outer}, and their folders do not")
