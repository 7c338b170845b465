"""Which searches there are, and which queries are put: what a model drafted, checked. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from locator_search.core.errors import ConfigurationError
from locator_search.live_search.budget import SYNTAX_TOKENS, beginnings
from locator_search.live_search.messages import Sentences
from locator_search.live_search.outcome import Alternative
from locator_search.locales import Language
from locator_search.model import Service, ServiceQuery
from locator_search.text.normalise import normalise
from locator_search.text.words import words

MAX_QUESTION_LENGTH = 1000
"""Characters. Longer texts are documents, not questions."""
LONGEST_QUERY = 256
"""Characters; what GitHub's search takes at most."""
MOST_ALTERNATIVES = 2
OPERATORS = ("or", "and", "not", "contains", "fulltext")
"""The operators of the services' query languages, as `normalise` writes them."""


@dataclass(frozen=True, slots=True)
class Target:
    """One search of one service, as a model is told about it. `name` is its field in the model's answer."""

    name: str
    service: str
    label: str
    kind: str
    understands_or: bool
    syntax: str
    operators: Mapping[str, str]
    addresses: str


@dataclass(frozen=True, slots=True)
class DraftQuery:
    """The queries for one target, the narrowest first, and what to try where they find nothing."""

    target: Target
    queries: tuple[str, ...]
    alternatives: tuple[str, ...]

    @property
    def as_service_queries(self) -> tuple[ServiceQuery, ...]:
        """The queries as the gateway is asked."""
        return tuple(ServiceQuery(self.target.service, self.target.kind, query) for query in self.queries)


def checked_question(question: str, language: Language) -> str:
    """The question on one line, without control characters. Raises ConfigurationError when empty or too long."""
    cleaned = _one_line(question, ("Cc", "Cs"))
    say = Sentences.of(language)
    if not cleaned:
        raise ConfigurationError(say.question_empty)
    if len(cleaned) > MAX_QUESTION_LENGTH:
        raise ConfigurationError(say.question_too_long.format(length=len(cleaned), limit=MAX_QUESTION_LENGTH))
    return cleaned


def targets_of(services: Sequence[Service]) -> list[Target]:
    """Every search of the services that can be asked, with as much about its syntax as there is room for."""
    searches = [(service, search) for service in services if service.failure is None for search in service.searches]
    syntaxes = beginnings([search.syntax for _, search in searches], SYNTAX_TOKENS)
    return [
        Target(
            name=f"{service.name}__{search.kind}".replace("-", "_"),
            service=service.name,
            label=service.label,
            kind=search.kind,
            understands_or=search.understands_or,
            syntax=syntax,
            operators=search.operators,
            addresses=search.addresses,
        )
        for (service, search), syntax in zip(searches, syntaxes, strict=True)
    ]


def checked_queries(answer: BaseModel | None, targets: Sequence[Target], question: str) -> list[DraftQuery]:
    """The queries for each target, in their order, each on one line and no longer than a service takes.

    `answer` has a field for each target. What the question names by its address is asked for as well. Targets without
    a query are left out: the question is not meant for them.
    """
    checked = []
    for target in targets:
        draft = getattr(answer, target.name, None)
        drafted = [draft.query, *draft.also] if draft and _query(draft.query) else []
        addresses = addresses_in(question, target.addresses)
        queries = [one for one in dict.fromkeys(map(_query, [*addresses, *drafted])) if one]
        if queries:
            others = dict.fromkeys(_query(other) for other in (draft.alternatives if draft else ()))
            kept = [other for other in others if other not in ("", *queries)] or simpler(queries[0], question)
            checked.append(DraftQuery(target, tuple(queries), tuple(kept[:MOST_ALTERNATIVES])))
    return checked


def addresses_in(text: str, pattern: str) -> list[str]:
    """The parts of a text that fit the pattern of a search, each once."""
    return list(dict.fromkeys(match.group() for match in re.finditer(pattern, text, re.ASCII))) if pattern else []


def simpler(query: str, question: str) -> list[str]:
    """Alternatives where nobody proposed any: each word of the query alone, the question, or half of one word."""
    parts = [word.surface for word in words(normalise(query)) if word.part_of_speech[0] == "名詞"]
    telling = [part for part in dict.fromkeys(parts) if len(part) > 1 and part not in OPERATORS]
    fewer = [part for part in telling if part != normalise(query)]
    whole = [_query(question)] if _query(question) != query else []
    return fewer or whole or ([query[: (len(query) + 1) // 2]] if len(query) > 1 else [])


def alternatives_of(
    drafts: Sequence[DraftQuery], labels: Mapping[str, str], without: Collection[str]
) -> tuple[Alternative, ...]:
    """The alternatives of the services, but for those named in `without`; each query of a service once."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for draft in drafts:
        for query in draft.alternatives if draft.target.service not in without else ():
            kinds.setdefault((draft.target.service, query), []).append(draft.target.kind)
    return tuple(Alternative(name, labels[name], query, tuple(of)) for (name, query), of in kinds.items())


def _query(text: str) -> str:
    return _one_line(text, ("Cc", "Cf", "Cs", "Co", "Cn"))[:LONGEST_QUERY].rstrip()


def _one_line(text: str, categories: Collection[str]) -> str:
    """The text on one line, with a space in place of characters of these Unicode categories."""
    return " ".join("".join(" " if unicodedata.category(letter) in categories else letter for letter in text).split())
