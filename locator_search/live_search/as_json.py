"""The JSON document of a live search (a contract: more keys may come, none goes)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from locator_search.live_search.outcome import Alternative, AskedQuery, LiveEvidence, LiveOutcome

Json = dict[str, object]


def live_as_json(outcome: LiveOutcome) -> Json:
    """One search that has ended. `queries` and `alternative_queries` are by service; `alternatives` are the same
    alternatives one after the other. `found` is null for a query that failed."""
    return {
        "question": outcome.question,
        "answer": outcome.answer,
        "queries": _by_service(outcome.queries),
        "evidence": [_evidence(one) for one in outcome.evidence],
        "claims": [{**asdict(one), "supported": one.supported} for one in outcome.claims],
        "disagreements": [[asdict(said) for said in one.said] for one in outcome.disagreements],
        "warnings": [asdict(one) for one in outcome.warnings],
        "alternatives": list(dict.fromkeys(one.query for one in outcome.alternatives)),
        "alternative_queries": _by_service(outcome.alternatives),
        "searches": [query_as_json(one) for one in outcome.queries],
        "services": [asdict(one) for one in outcome.services],
        "seconds": round(outcome.seconds, 3),
        "models": dict(outcome.models),
        "usage": {
            "calls": outcome.usage.calls,
            "tokens": outcome.usage.tokens,
            "cost_usd": outcome.usage.cost_usd,
            "estimated_tokens": outcome.tokens,
        },
    }


def query_as_json(one: AskedQuery) -> Json:
    """A query as it was put, with its hits and seconds."""
    return {**_without_label(one), "seconds": round(one.seconds, 3)}


def _evidence(one: LiveEvidence) -> Json:
    copy = one.indexed
    indexed = copy and {**asdict(copy), "modified_at": copy.modified_at.isoformat()}
    return {**_without_label(one), "indexed": indexed}


def _without_label(one: AskedQuery | LiveEvidence) -> Json:
    return {name: value for name, value in asdict(one).items() if name != "label"}


def _by_service(queries: Iterable[AskedQuery | Alternative]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in queries:
        found.setdefault(one.service, []).append(one.query)
    return found
