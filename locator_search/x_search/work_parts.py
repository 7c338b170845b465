"""What a worker works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

    from locator_search.llm.question_models import QuestionChatModel
    from locator_search.ports import Clock, Embedder
    from locator_search.ports.x.meter import SpendMeter
    from locator_search.ports.x.posts import PostSearch, Reranker
    from locator_search.ports.x.sessions import Session, SessionStore
    from locator_search.ports.x.work import SessionEvents

OnSession = Callable[["Session"], None]
"""Receives the session whenever it has changed."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a worker works with. `chat_model` and `reranker` are those of the session's model; `chat_model` has a
    stand-in."""

    posts: PostSearch
    chat_model: QuestionChatModel
    reranker: Reranker
    embedder: Embedder
    store: SessionStore
    events: SessionEvents
    meter: SpendMeter
    clock: Clock
    step_seconds: float
    """How long one step of a model may take."""
    monthly_cap: float
    zone: tzinfo
