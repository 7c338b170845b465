"""Texts as typed objects: a section of the locale files is a class, and its keys are fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any, ClassVar, Self

from locator_search.locales import files
from locator_search.locales.files import Language


@dataclass(frozen=True)
class Plural:
    """One sentence with a form for one and a form for all other counts; some languages have only the latter."""

    other: str
    one: str = ""

    def format(self, count: int, **values: object) -> str:
        """The form of a count, filled in."""
        form = self.one if count == 1 and self.one else self.other
        return form.format(count=count, **values)


@dataclass(frozen=True)
class Section:
    """The texts of one section in one language; names in braces are filled in with `str.format`.

    A subclass names its section and declares each key as a field: `str`, `Plural`, a tuple or a mapping of `str`. The
    subclass of a section has the texts of both.
    """

    section: ClassVar[str]
    language: Language

    def __init_subclass__(cls, section: str) -> None:
        cls.section = section

    @classmethod
    def of(cls, language: Language) -> Self:
        """The texts in a language, in Japanese where there is no file of it. Raises ConfigurationError."""
        texts = files.texts_of(language)
        kinds = [kind for kind in reversed(cls.__mro__) if "section" in vars(kind)]
        return cls(language=language, **{name: value for kind in kinds for name, value in _own(kind, texts).items()})


def _own(kind: type[Any], texts: Mapping[str, Any]) -> dict[str, Any]:
    """The texts of the fields that a class declares itself."""
    table = reduce(lambda inner, name: inner[name], kind.section.split("."), texts)
    return {name: _value(table[name]) for name in vars(kind)["__annotations__"]}


def _value(value: Any) -> Any:
    if files.is_plural(value):
        return Plural(**value)
    if isinstance(value, dict):
        return MappingProxyType(value)
    return tuple(value) if isinstance(value, list) else value
