"""The matching rules by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from locator_search.core.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; its names for people are in the locale files. `folds`: applied whenever terms are made, to texts and
    questions alike, so that switching it off leaves out what is only written otherwise."""

    folds: bool = False


RULES: Mapping[str, Rule] = {
    "width": Rule(folds=True),
    "kanji": Rule(folds=True),
    "kana": Rule(folds=True),
    "okurigana": Rule(folds=True),
    "number": Rule(),
    "era": Rule(),
    "quarter": Rule(),
    "company": Rule(),
    "romaji": Rule(),
    "synonym": Rule(),
    "office": Rule(),
}


def checked_rules(names: Iterable[str]) -> tuple[str, ...]:
    """The names of rules, lower case, each once. Raises ConfigurationError that lists the rules for any other name."""
    wanted = tuple(dict.fromkeys(name.strip().lower() for name in names if name.strip()))
    unknown = [name for name in wanted if name not in RULES]
    if unknown:
        raise ConfigurationError(
            f"No matching rule is called {', '.join(unknown)}.", hint=f"The rules are: {', '.join(RULES)}."
        )
    return wanted
