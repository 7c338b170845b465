"""What a worker works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

    from locator_search.ports import ChatModel, Clock, Embedder
    from locator_search.ports.x_search import (
        PostSearch,
        Reranker,
        Session,
        SessionEvents,
        SessionStore,
        SpendMeter,
    )

OnSession = Callable[["Session"], None]
"""Receives the session whenever it has changed."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker works with. `chat_model` and `reranker` are those of the session's model."""

    posts: PostSearch
    chat_model: ChatModel
    reranker: Reranker
    embedder: Embedder
    store: SessionStore
    events: SessionEvents
    meter: SpendMeter
    clock: Clock
    monthly_cap: float
    zone: tzinfo
