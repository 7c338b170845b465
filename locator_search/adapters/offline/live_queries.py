"""Queries for live services without a model: what the question names, in the form each service understands.

Queries of one search are put at the same time, the narrowest first: all that was named, the most telling word alone,
alternatives. What the narrowest finds, or all others, comes first among the hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from locator_search.adapters.offline.question_parts import QuestionParts, is_generic, other_forms, question_parts
from locator_search.text.normalise import normalise
from locator_search.text.words import words

MOST_QUERIES = 3
"""Of one search."""
MOST_JOINED = 6
"""Words and their other forms joined with OR: GitHub takes five operators."""
MOST_REQUIRED = 2
"""Words asked for where all of them must occur."""
MOST_ALTERNATIVES = 2


def live_queries(question: str, searches: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, object]]:
    """Queries with alternatives for each search, by its name."""
    services = {normalise(word) for one in searches for word in str(one.get("service", "")).split()}
    parts = question_parts(question, services)
    return {str(one["name"]): _draft(parts, question, one) for one in searches}


def _draft(parts: QuestionParts, question: str, search: Mapping[str, Any]) -> dict[str, object]:
    operators: Mapping[str, str] = search.get("operators") or {}
    named = {"repository": parts.repositories, "channel": parts.channels, "person": parts.people}
    filters = {kind: [operators[kind] + one for one in named[kind]] for kind in named if kind in operators}
    short = [one.partition("/")[2] for one in parts.repositories]
    spare = [
        *([] if "repository" in operators else [*parts.repositories, *short]),
        *([] if "person" in operators else parts.people),
        *([] if "channel" in operators or parts.words else parts.channels),
    ]
    all_filters = [one for each in filters.values() for one in each]
    places = [one for kind, each in filters.items() if kind != "person" for one in each]
    told = list(parts.words) or spare or ([] if all_filters else [question])
    if search.get("understands_or"):
        joined = _joined([*told, *spare])
        wide = f"({joined})" if places and " OR " in joined else joined
        queries = [_all([*all_filters, *_quoted(told)]), *told[:1], _all([*places, wide])]
    elif operators:
        people = list(parts.people) if "person" in operators else []
        less = [_all([*places, *_quoted([*told[:1], *people])]), _all([*places, *_quoted(told[:1])])]
        queries = [_all([*all_filters, *_quoted(told)]), *less[: 1 if people else 2], *told[:MOST_REQUIRED]]
    else:
        queries = list(dict.fromkeys([*told, *spare]))
    queries = list(dict.fromkeys(filter(None, (_bare(one) for one in queries))))[:MOST_QUERIES]
    others = [part for word in told for part in (word, *_parts(word)) if part not in queries]
    return {"query": queries[0], "also": queries[1:], "alternatives": list(dict.fromkeys(others))[:MOST_ALTERNATIVES]}


def _all(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _quoted(told: Sequence[str]) -> list[str]:
    return [f'"{word}"' if " " in word else word for word in told[:MOST_REQUIRED]]


def _joined(told: Sequence[str]) -> str:
    """The words with OR between them; other spellings and parts where places are left."""
    forms = [*told, *(form for word in told for form in (*_number(word), *other_forms(word), *_parts(word)))]
    kept = list(dict.fromkeys(forms))[:MOST_JOINED]
    return " OR ".join(f'"{form}"' if " " in form else form for form in kept)


def _number(word: str) -> list[str]:
    return [word[1:]] if word.startswith("#") else []


def _parts(word: str) -> list[str]:
    """The nouns of a compound: 設計ドキュメント is 設計 and ドキュメント."""
    if word.isascii():
        return []
    nouns = [one.surface for one in words(normalise(word)) if one.part_of_speech[0] == "名詞"]
    return [noun for noun in nouns if len(noun) > 1 and noun != normalise(word) and not is_generic(noun)]


def _bare(query: str) -> str:
    """A phrase alone needs no quotation marks, without which it is found by services that know none."""
    return query[1:-1] if query.startswith('"') and query.count('"') == 2 and query.endswith('"') else query
