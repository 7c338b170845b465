"""The parts of X search: settings in, working parts out. The composition root keeps one `XSearch` made of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from locator_search.app.model_choice import OFFERED_MODELS, chosen_chat_model
from locator_search.config.bundled import sample_posts

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.app.locator import Locator
    from locator_search.ports import ChatModel
    from locator_search.ports.x.posts import PostSearch, Reranker
    from locator_search.ports.x.sessions import SessionStore
    from locator_search.x_search.searcher import XSearch


def make_x_search(locator: Locator) -> XSearch:
    """The X search of these settings. Connects to nothing yet."""
    from locator_search.adapters.postgres.x.known_posts import PostgresKnownPosts
    from locator_search.adapters.postgres.x.sessions import PostgresSessionEvents, PostgresSpendMeter
    from locator_search.adapters.postgres.x.work import PostgresSessionWork
    from locator_search.x_search.searcher import XSearch

    database = locator.database
    return XSearch(
        posts=_posts(locator),
        models=_models(locator),
        chat_model=locator.chat_model_named,
        reranker=lambda model: _reranker(locator, locator.chat_model_named(model)),
        embedder=locator.bare_embedder,  # posts keep their embeddings themselves, and leave nothing behind
        store=make_session_store(database),
        events=PostgresSessionEvents(database),
        meter=PostgresSpendMeter(database),
        known_posts=PostgresKnownPosts(database),
        open_work=lambda session_id: PostgresSessionWork(database, session_id),
        clock=locator.clock,
        settings=locator.settings,
        stand_in=locator.offline_chat_model,
    )


def make_session_store(database: Database) -> SessionStore:
    """The sessions alone, for who carries none out."""
    from locator_search.adapters.postgres.x.sessions import PostgresSessionStore

    return PostgresSessionStore(database)


def _posts(locator: Locator) -> PostSearch:
    from locator_search.ports.x.posts import PostPrices

    settings = locator.settings
    if settings.uses_x:
        from locator_search.adapters.x_api.client import XPostSearch

        prices = PostPrices(settings.x_post_price_usd, settings.x_user_price_usd)
        return XPostSearch(cast(str, settings.x_bearer_token), locator.clock, prices, settings.x_api_base_url)
    from locator_search.adapters.x_api.recorded import RecordedPostSearch

    return RecordedPostSearch(sample_posts())


def _models(locator: Locator) -> tuple[str, ...]:
    """The models a person can choose from, that of the settings first."""
    choice = chosen_chat_model(locator.settings)
    offered = OFFERED_MODELS if choice.provider == "openai" and choice.base_url is None else ()
    return tuple(dict.fromkeys((locator.chat_model.model_name, *offered)))


def _reranker(locator: Locator, chat_model: ChatModel) -> Reranker:
    settings = locator.settings
    kind = settings.x_reranker or ("lexical" if chat_model.model_name.startswith("offline-") else "model")
    if kind == "lexical":
        from locator_search.adapters.rerankers.lexical import LexicalReranker

        return LexicalReranker()
    if kind == "model":
        from locator_search.adapters.rerankers.model import ModelReranker

        return ModelReranker(chat_model)
    from locator_search.adapters.rerankers.http import HttpReranker

    return HttpReranker(
        kind,
        locator.clock,
        base_url=settings.x_reranker_url,
        api_key=settings.x_reranker_api_key,
        model=settings.x_reranker_model,
    )
