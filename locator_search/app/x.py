"""The parts of X search: settings in, working parts out. The composition root keeps one `XSearch` made of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from locator_search.app.model_choice import OFFERED_MODELS, chosen_chat_model
from locator_search.config.bundled import sample_posts

if TYPE_CHECKING:
    from locator_search.adapters.postgres import Database
    from locator_search.app.models import Models
    from locator_search.ports import ChatModel
    from locator_search.ports.x.posts import PostSearch
    from locator_search.ports.x.rerankers import Reranker
    from locator_search.ports.x.sessions import SessionStore
    from locator_search.x_search.searcher import XSearch


def make_x_search(models: Models) -> XSearch:
    """The X search of these settings. Connects to nothing yet."""
    from locator_search.adapters.postgres.x.known_posts import PostgresKnownPosts
    from locator_search.adapters.postgres.x.sessions import PostgresSessionEvents, PostgresSpendMeter
    from locator_search.adapters.postgres.x.work import PostgresSessionWork
    from locator_search.x_search.searcher import XSearch

    database = models.database
    return XSearch(
        post_search=_posts(models),
        models=_models(models),
        chat_model=models.chat_model_named,
        reranker=lambda model: _reranker(models, models.chat_model_named(model)),
        embedder=models.bare_embedder,  # posts keep their embeddings themselves, and leave nothing behind
        store=make_session_store(database),
        events=PostgresSessionEvents(database),
        meter=PostgresSpendMeter(database),
        known_posts=PostgresKnownPosts(database),
        open_work=lambda session_id: PostgresSessionWork(database, session_id),
        clock=models.clock,
        settings=models.settings,
        stand_in=models.offline_chat_model,
    )


def make_session_store(database: Database) -> SessionStore:
    """The sessions alone, for who carries none out."""
    from locator_search.adapters.postgres.x.sessions import PostgresSessionStore

    return PostgresSessionStore(database)


def _posts(models: Models) -> PostSearch:
    from locator_search.ports.x.posts import PostPrices

    settings = models.settings
    if settings.uses_x:
        from locator_search.adapters.x_api.client import XPostSearch

        prices = PostPrices(settings.x_post_price_usd, settings.x_user_price_usd, settings.x_joined_post_price_usd)
        return XPostSearch(cast(str, settings.x_bearer_token), models.clock, prices, settings.x_api_base_url)
    from locator_search.adapters.x_api.recorded import RecordedPostSearch

    return RecordedPostSearch(sample_posts())


def _models(models: Models) -> tuple[str, ...]:
    """The models a person can choose from, that of the settings first."""
    choice = chosen_chat_model(models.settings)
    offered = OFFERED_MODELS if choice.provider == "openai" and choice.base_url is None else ()
    return tuple(dict.fromkeys((models.chat_model.model_name, *offered)))


def _reranker(models: Models, chat_model: ChatModel) -> Reranker:
    settings = models.settings
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
        models.clock,
        base_url=settings.x_reranker_url,
        api_key=settings.x_reranker_api_key,
        model=settings.x_reranker_model,
    )
