"""The matching rules by name."""

from __future__ import annotations

from collections.abc import Iterable

from locator_search.core.errors import ConfigurationError

RULES = ("width", "kanji", "kana", "okurigana", "number", "era", "quarter", "company", "romaji", "synonym", "office")
"""Their names for people are in the locale files."""


def checked_rules(names: Iterable[str]) -> tuple[str, ...]:
    """The names of rules, lower case, each once. Raises ConfigurationError that lists the rules for any other name."""
    wanted = tuple(dict.fromkeys(name.strip().lower() for name in names if name.strip()))
    unknown = [name for name in wanted if name not in RULES]
    if unknown:
        raise ConfigurationError(
            f"No matching rule is called {', '.join(unknown)}.", hint=f"The rules are: {', '.join(RULES)}."
        )
    return wanted
