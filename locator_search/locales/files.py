"""The locale files: which languages there are, and all texts of one of them, held against the Japanese file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, TypeAlias

from locator_search.core.errors import ConfigurationError

Language: TypeAlias = str
"""The name of a locale file without its ending: `ja`, `en`."""

FOLDER = Path(__file__).parent
REFERENCE: Language = "ja"
"""Every other file has the keys of this one; its texts stand in for a language that is gone."""
FIRST = (REFERENCE, "en")
"""Offered before all others."""


def languages() -> list[Language]:
    """Every language there is a file of."""
    added = sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem not in FIRST)
    return [*FIRST, *added]


def refuse_faulty_files() -> None:
    """For whoever offers all languages. Raises ConfigurationError: the first thing that is wrong with any file."""
    for language in languages():
        texts_of(language)


def language_name(language: Language) -> str:
    """A language as it calls itself: 日本語."""
    return str(texts_of(language)["language"]["name"])


def name_in_english(language: Language) -> str:
    """A language as a prompt names it: Japanese."""
    return str(texts_of(language)["language"]["name_in_english"])


def texts_of(language: Language) -> Mapping[str, Any]:
    """All texts of a language by section and key; Japanese ones for a language there is no file of.

    Raises ConfigurationError: the first thing that is wrong with the file.
    """
    return _checked(FOLDER, language if (FOLDER / f"{language}.toml").is_file() else REFERENCE)


def is_plural(value: object) -> bool:
    """Whether a table holds the forms of one sentence, which a count decides between."""
    return isinstance(value, dict) and "other" in value and value.keys() <= {"one", "other"}


@cache
def _checked(folder: Path, language: Language) -> Mapping[str, Any]:
    texts = _read(folder, language)
    problem = next(_problems(_flat(_read(folder, REFERENCE)), _flat(texts)), "")
    if problem:
        raise ConfigurationError(
            f"{folder / language}.toml: {problem}.", hint=f"Every locale file has the keys of {REFERENCE}.toml."
        )
    return texts


@cache
def _read(folder: Path, language: Language) -> dict[str, Any]:
    path = folder / f"{language}.toml"
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}.", hint="It is a TOML file in UTF-8.") from None


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Every text or list of texts by its whole key; the forms of a plural stay together."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) and not is_plural(value):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _problems(reference: Mapping[str, Any], texts: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"the text `{key}` is missing" for key in reference if key not in texts)
    yield from (f"there is no text `{key}` in this program" for key in texts if key not in reference)
    for key, value in texts.items():
        try:
            expected, found = _placeholders(reference[key]), _placeholders(value)
        except ValueError as error:
            yield f"the text `{key}` cannot be filled in: {error}"
            continue
        if found != expected:
            yield f"the text `{key}` needs {_named(expected)}, and has {_named(found)}"


def _placeholders(value: Any) -> tuple[frozenset[str], ...]:
    """The names in braces of a text, or of each text of a list. Raises ValueError."""
    if isinstance(value, list):
        return tuple(names for text in value for names in _placeholders(text))
    form = "".join(value.values()) if isinstance(value, dict) else str(value)
    return (frozenset(name for _, name, _, _ in Formatter().parse(form) if name is not None),)


def _named(placeholders: tuple[frozenset[str], ...]) -> str:
    return "; ".join(", ".join(f"{{{name}}}" for name in sorted(names)) or "no braces" for names in placeholders)
