"""The JSON document of a live search (a contract: more keys may come, none goes)."""

from __future__ import annotations

from collections.abc import Iterable

from locator_search.live_search.outcome import Alternative, AskedQuery, LiveEvidence, LiveOutcome


def live_as_json(outcome: LiveOutcome) -> dict[str, object]:
    """One search that has ended. `queries` and `alternative_queries` are by service; `alternatives` are the same
    alternatives one after the other. `found` is null for a query that failed."""
    return {
        "question": outcome.question,
        "answer": outcome.answer,
        "queries": _by_service(outcome.queries),
        "evidence": [_evidence(one) for one in outcome.evidence],
        "warnings": [{"service": one.service, "message": one.message} for one in outcome.warnings],
        "alternatives": list(dict.fromkeys(one.query for one in outcome.alternatives)),
        "alternative_queries": _by_service(outcome.alternatives),
        "searches": [
            {
                "service": one.service,
                "kind": one.kind,
                "query": one.query,
                "found": one.found,
                "seconds": round(one.seconds, 3),
            }
            for one in outcome.queries
        ],
        "services": [
            {
                "name": one.name,
                "label": one.label,
                "mock": one.mock,
                "failed": one.failed,
                "missing": list(one.missing),
            }
            for one in outcome.services
        ],
        "models": dict(outcome.models),
        "usage": {
            "calls": outcome.usage.calls,
            "tokens": outcome.usage.tokens,
            "cost_usd": outcome.usage.cost_usd,
            "estimated_tokens": outcome.tokens,
        },
    }


def _evidence(one: LiveEvidence) -> dict[str, object]:
    return {
        "number": one.number,
        "service": one.service,
        "kind": one.kind,
        "title": one.title,
        "uri": one.uri,
        "snippet": one.snippet,
        "read": one.read,
        "cited": one.cited,
        "indexed": one.indexed
        and {
            "file_id": one.indexed.file_id,
            "modified_at": one.indexed.modified_at.isoformat(),
            "similarity": one.indexed.similarity,
            "age": one.indexed.age,
        },
    }


def _by_service(queries: Iterable[AskedQuery | Alternative]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in queries:
        found.setdefault(one.service, []).append(one.query)
    return found
