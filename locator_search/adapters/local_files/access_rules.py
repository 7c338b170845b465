"""Who may read the files of a local folder: `.locator-access.toml` at the top of it.

    [[rule]]
    path = "人事"                      # the folder or file, or a pattern with * ? [...]; * stands for slashes, too
    readers = ["group:hr@example.com", "a.sato@example.com"]

The last rule that fits a file counts. A file that none fits is read by nobody, and so is everything where there is no
such file, or where it cannot be read.
"""

from __future__ import annotations

import tomllib
import unicodedata
from dataclasses import dataclass
from fnmatch import fnmatchcase

from locator_search.adapters.local_files.beneath import open_file
from locator_search.core.errors import FileGone, SourceError
from locator_search.core.reader import principal

RULES = ".locator-access.toml"
MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class AccessRules:
    """Patterns of paths inside a root, each with its readers; the last that fits counts."""

    rules: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def of(self, inside: str) -> tuple[str, ...]:
        """The readers of a file by its path inside the root."""
        path = unicodedata.normalize("NFC", inside)
        fitting = (
            readers
            for pattern, readers in reversed(self.rules)
            if fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*")
        )
        return next(fitting, ())


def read_rules(root: str) -> AccessRules:
    """The rules of a root; none where there is no such file. Raises SourceError where they cannot be read."""
    try:
        with open_file(root, RULES) as descriptor, open(descriptor, "rb", closefd=False) as content:
            written = content.read(MOST_BYTES).decode("utf-8")
        given = tomllib.loads(written)["rule"]
        return AccessRules(tuple(_rule(**one) for one in given))
    except FileGone:
        return AccessRules()
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise SourceError(f"{RULES} cannot be read ({' '.join(str(error).split())}), so nobody may read.") from None


def _rule(*, path: str, readers: list[str]) -> tuple[str, tuple[str, ...]]:
    if not isinstance(path, str) or not isinstance(readers, list):
        raise TypeError("a rule has a path and a list of readers")
    pattern = unicodedata.normalize("NFC", path).strip("/") or "*"
    return pattern, tuple(sorted({principal(one) for one in readers}))
