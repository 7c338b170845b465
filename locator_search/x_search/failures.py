"""Why X, a reranker or the database failed a session, as half a sentence in its language. Their own words stay in the
log: they are of another language, and of others."""

from __future__ import annotations

from locator_search.core.errors import (
    AccessDenied,
    AnswerUnreadable,
    CursorExpired,
    DimensionMismatch,
    LocatorError,
    QueryRefused,
    QuotaUsedUp,
    RateLimited,
    SourceError,
    SourceUnavailable,
    StoreError,
)
from locator_search.x_search.messages import FailureKind, Sentences

_KINDS_OF: tuple[tuple[type[LocatorError], FailureKind], ...] = (
    (AnswerUnreadable, "unreadable"),
    (SourceUnavailable, "silent"),
    (AccessDenied, "not_allowed"),
    (QuotaUsedUp, "no_credits"),
    (RateLimited, "rate_limit"),
    (QueryRefused, "query_refused"),
    (CursorExpired, "place_forgotten"),
    (SourceError, "refused"),
    (DimensionMismatch, "dimensions"),
    (StoreError, "database"),
)


def why_failed(error: LocatorError, service: str, say: Sentences) -> str:
    """The failure that kept `service` from answering."""
    kind: FailureKind = next((kind for error_type, kind in _KINDS_OF if isinstance(error, error_type)), "other")
    return say.failures[kind].format(service=service)
