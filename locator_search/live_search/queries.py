"""Which searches there are, and which queries are put: what a model drafted, checked.

Pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from locator_search.live_search.budget import SYNTAX_TOKENS, beginnings
from locator_search.live_search.effects import DraftQuery, Target
from locator_search.model import Service, ServiceQuery
from locator_search.text.normalise import normalise
from locator_search.text.words import words

LONGEST_QUERY = 256
"""Characters; what GitHub's search takes at most."""
MOST_ALTERNATIVES = 2
OPERATORS = ("or", "and", "not", "contains", "fulltext")
"""Of the services' queries, as `normalise` writes them."""


def targets_of(services: Sequence[Service]) -> tuple[Target, ...]:
    """Every search of the services that can be asked, with as much about its syntax as there is room for."""
    searches = [(service, search) for service in services if service.failure is None for search in service.searches]
    syntaxes = beginnings([search.syntax for _, search in searches], SYNTAX_TOKENS)
    return tuple(
        Target(
            name=f"{service.name}__{search.kind}".replace("-", "_"),
            service=service.name,
            label=service.label,
            kind=search.kind,
            understands_or=search.understands_or,
            syntax=syntax,
        )
        for (service, search), syntax in zip(searches, syntaxes, strict=True)
    )


def checked_queries(drafts: Iterable[DraftQuery], targets: Sequence[Target], question: str) -> list[DraftQuery]:
    """One draft for each target, in their order, each on one line and no longer than a service takes.

    Targets without a query are left out: the question is not meant for them. Drafts for anything else are dropped.
    """
    by_name = {draft.name: draft for draft in drafts}
    checked = []
    for target in targets:
        draft = by_name.get(target.name)
        query = _one_line(draft.query) if draft else ""
        if draft and query:
            others = dict.fromkeys(_one_line(other) for other in draft.alternatives)
            kept = [other for other in others if other not in ("", query)] or simpler(query, question)
            checked.append(DraftQuery(target.name, query, tuple(kept[:MOST_ALTERNATIVES])))
    return checked


def simpler(query: str, question: str) -> list[str]:
    """What to try where nobody proposed anything: each word of the query alone, the question, or half of one word."""
    parts = [word.surface for word in words(normalise(query)) if word.part_of_speech[0] == "名詞"]
    telling = [part for part in dict.fromkeys(parts) if len(part) > 1 and part not in OPERATORS]
    fewer = [part for part in telling if part != normalise(query)]
    whole = [_one_line(question)] if _one_line(question) != query else []
    return fewer or whole or ([query[: (len(query) + 1) // 2]] if len(query) > 1 else [])


def as_service_queries(drafts: Iterable[DraftQuery], targets: Sequence[Target]) -> tuple[ServiceQuery, ...]:
    """The drafts as what the gateway is asked."""
    by_name = {target.name: target for target in targets}
    return tuple(ServiceQuery(by_name[draft.name].service, by_name[draft.name].kind, draft.query) for draft in drafts)


def _one_line(text: str) -> str:
    printable = "".join(" " if unicodedata.category(letter)[0] == "C" else letter for letter in text)
    return " ".join(printable.split())[:LONGEST_QUERY].rstrip()
