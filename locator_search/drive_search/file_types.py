"""Names of MIME types for people to read. The names people write are in `locator_search.text.file_types`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.locales import Language, Section

_PREFIX = re.compile(r"^(?:x-|vnd\.)+")


@dataclass(frozen=True)
class FileTypes(Section, section="file_types"):
    """The names of MIME types; of those nobody named, a phrase for the first half of the type that holds the second."""

    names: Mapping[str, str]
    families: Mapping[str, str]
    other: str


def type_name(mime_type: str, language: Language) -> str:
    """The name of a MIME type; where there is none, the family it belongs to with what the type calls itself."""
    types, written = FileTypes.of(language), mime_type.lower()
    family, _, kind = written.partition("/")
    return types.names.get(written) or types.families.get(family, types.other).format(
        kind=_PREFIX.sub("", kind or written)
    )


def is_named(mime_type: str, language: Language) -> bool:
    """Whether people have a name for a MIME type."""
    return mime_type.lower() in FileTypes.of(language).names
