"""How questions are matched here: the rules of LOCATOR_MATCHING_OFF, and the owner's dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from locator_search.config.settings import Settings
from locator_search.model import Matching
from locator_search.text.variants.rules import checked_rules
from locator_search.text.variants.synonyms import Dictionary, parse_dictionary

_ENCODINGS = ("utf-8-sig", "cp932")
MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class DictionaryFile:
    """The dictionary as read from `path`: `readable` unless it is named in the settings and cannot be read."""

    path: Path
    dictionary: Dictionary
    readable: bool = True


def read_dictionary(settings: Settings) -> DictionaryFile:
    """The dictionary as it is now; an empty one where there is none. Never raises."""
    path = settings.synonyms_file
    try:
        found = path.stat()
        if found.st_size > MOST_BYTES:
            return DictionaryFile(path, Dictionary(), readable=False)
        return DictionaryFile(path, _parsed(path, found.st_mtime_ns, found.st_size))
    except FileNotFoundError:
        return DictionaryFile(path, Dictionary(), readable=settings.locator_synonyms is None)
    except (OSError, UnicodeError):
        return DictionaryFile(path, Dictionary(), readable=False)


def matching_of(settings: Settings, off: Sequence[str] = ()) -> Matching:
    """The rules that are off, `off` among them, and the dictionary. Raises ConfigurationError for an unknown rule."""
    return with_dictionary(Matching(checked_rules((*settings.locator_matching_off, *off))), settings)


def with_dictionary(matching: Matching, settings: Settings) -> Matching:
    """The same rules, and the dictionary as it is now."""
    read = read_dictionary(settings).dictionary
    return replace(matching, synonyms=read.groups, ignored=read.ignored, placements=read.placements)


@lru_cache(maxsize=4)
def _parsed(path: Path, modified: int, size: int) -> Dictionary:  # noqa: ARG001 - a changed file is read again
    content = path.read_bytes()
    for encoding in _ENCODINGS[:-1]:
        try:
            return parse_dictionary(content.decode(encoding))
        except UnicodeDecodeError:
            continue
    return parse_dictionary(content.decode(_ENCODINGS[-1]))
