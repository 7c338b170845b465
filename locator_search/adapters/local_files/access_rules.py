"""Who may read the files of a local folder: `.locator-access.toml` at the top of it.

    [[rule]]
    path = "人事"                      # the folder or file, or a pattern with * and ?; * stands for slashes, too
    readers = ["group:hr@example.com", "a.sato@example.com"]

The last rule that fits a file counts. A file that none fits is read by nobody, and so is everything where there is no
such file, or where it cannot be read. Brackets are no pattern: names of files have them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass

from locator_search.adapters.local_files.beneath import open_file, open_folder
from locator_search.adapters.local_files.names import displayable
from locator_search.core.errors import FileGone, SourceError
from locator_search.core.reader import principal

RULES = ".locator-access.toml"
MOST_BYTES = 1 << 20
ALL = "*"


@dataclass(frozen=True, slots=True)
class Rule:
    """A path as it was written, what it fits, and who may read that."""

    written: str
    fitting: re.Pattern[str]
    readers: tuple[str, ...]


class AccessRules:
    """The rules of a root; the last that fits counts. They keep in mind which of them have fitted nothing so far."""

    def __init__(self, rules: Collection[Rule] = ()) -> None:
        self._rules = tuple(reversed([*rules]))
        self._idle = [rule for rule in rules if rule.written != ALL]

    def of(self, inside: str) -> tuple[str, ...]:
        """The readers of a file or a folder by its path inside the root."""
        path = normal(inside)
        if self._idle:
            self._idle = [rule for rule in self._idle if not rule.fitting.fullmatch(path)]
        return next((rule.readers for rule in self._rules if rule.fitting.fullmatch(path)), ())

    def without_effect(self) -> str:
        """A sentence about the rules that fitted none of the paths asked about so far; "" where each fitted one."""
        if not self._idle:
            return ""
        paths = ", ".join(dict.fromkeys(displayable(rule.written) for rule in self._idle))
        return f"{RULES} has rules that fit no file and no folder, so they have no effect: {paths}."


def read_rules(root: str, names: Collection[str] = ()) -> AccessRules:
    """The rules of a root that goes by these names; none where there is no such file.

    Raises SourceError where they cannot be read.
    """
    try:
        with open_file(root, RULES) as descriptor, open(descriptor, "rb", closefd=False) as content:
            written = content.read(MOST_BYTES + 1)
        return AccessRules(_rules_in(written, root, names))
    except FileGone:
        return AccessRules()
    except (TypeError, ValueError) as error:  # TOML and UTF-8 that are none among them
        cause = " ".join(str(error).split())
        raise SourceError(f"{RULES} cannot be read, so nobody may read any file here: {cause}.") from None


def normal(path: str) -> str:
    """A path as it is compared: as it is shown, without ./, doubled slashes, and blanks around names."""
    names = (name.strip() for name in displayable(path).replace("\\", "/").split("/"))
    return "/".join(name for name in names if name not in ("", "."))


def _rules_in(written: bytes, root: str, names: Collection[str]) -> list[Rule]:
    """Raises ValueError, TypeError."""
    if len(written) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES} bytes")
    given = tomllib.loads(written.decode("utf-8")).get("rule")
    if not isinstance(given, list):
        raise TypeError("it has no [[rule]]")
    return [_rule(number, one, root, names) for number, one in enumerate(given, 1)]


def _rule(number: int, given: object, root: str, names: Collection[str]) -> Rule:
    """Raises ValueError, TypeError."""
    if not isinstance(given, dict):
        raise TypeError(f"rule {number} is no [[rule]]")
    for key in ("path", "readers"):
        if key not in given:
            raise ValueError(f"rule {number} lacks {key}")
    if other := ", ".join(sorted(given.keys() - {"path", "readers"})):
        raise ValueError(f"rule {number} has an unknown key: {other}")
    path, readers = given["path"], given["readers"]
    if not isinstance(path, str):
        raise TypeError(f"path of rule {number} is no text")
    if not isinstance(readers, list) or not all(isinstance(one, str) for one in readers):
        raise TypeError(f"readers of rule {number} are no list of texts")
    try:
        principals = tuple(sorted({principal(one) for one in readers}))
    except ValueError as error:
        raise ValueError(f"rule {number}: {error}") from None
    return Rule(path.strip() or ALL, _pattern(_inside(path, root, names) or ALL), principals)


def _inside(path: str, root: str, names: Collection[str]) -> str:
    """The path inside the root, also of one that is written with the root's own path or name in front of it."""
    inside, place = normal(path), normal(root)
    if path.strip().startswith("/") and f"{inside}/".startswith(f"{place}/"):
        return inside[len(place) :].lstrip("/")
    first, _, below = inside.partition("/")
    if below and first in map(normal, names) and first not in _entries(root):
        return below
    return inside


def _entries(root: str) -> set[str]:
    with open_folder(root, "") as descriptor, os.scandir(descriptor) as found:
        return {normal(one.name) for one in found}


def _pattern(path: str) -> re.Pattern[str]:
    """Fits what the path names, and everything in it. Below `*/` also counts what lies at the top."""
    below, anywhere = re.subn(r"^\*+/", "", path)
    parts = re.split(r"(\*+|\?)", below)
    written = "".join(".*" if part.startswith("*") else "." if part == "?" else re.escape(part) for part in parts)
    return re.compile(f"{'(?:.*/)?' * anywhere}{written}(?:/.*)?", re.DOTALL)
