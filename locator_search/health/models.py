"""The state of the two models: provider, address, name, whether it answers, and when it shuts down."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from locator_search.app.model_choice import ModelChoice, chosen_chat_model, chosen_embedding_model
from locator_search.health.texts import PartsTexts
from locator_search.ports import PartStatus

if TYPE_CHECKING:
    from locator_search.app.locator import Locator

WARNED_FROM_DAYS = 60


def chat_model_part(locator: Locator, texts: PartsTexts) -> PartStatus:
    """The chat model. Asks its server about it, which costs nothing."""
    choice = chosen_chat_model(locator.settings)
    name = locator.chat_model.model_name
    if choice.provider == "offline":
        return PartStatus("chat_model", "offline", texts.offline_chat_model.format(model=name), texts.use_real_models)
    locator.look_up_model(choice)
    return _answering("chat_model", name, choice, locator, texts)


def embedding_model_part(locator: Locator, texts: PartsTexts) -> PartStatus:
    """The embedding model. Asks its server about it and embeds one word, which is remembered."""
    choice = chosen_embedding_model(locator.settings)
    embedder = locator.embedder
    if choice.provider in ("openai", "ollama"):
        locator.look_up_model(choice)
    if choice.provider in ("local", "huggingface"):
        embedder = locator.bare_embedder
    length = float((embedder.embed(["試験"], "query") ** 2).sum())
    if abs(length - 1) > 0.01:
        detail = texts.wrong_length.format(model=embedder.model_name, length=f"{length:.3f}")
        return PartStatus("embedding_model", "failing", detail)
    named = {"model": embedder.model_name, "dimensions": embedder.dimensions}
    if choice.provider == "offline":
        detail = texts.offline_embedding_model.format(**named)
        return PartStatus("embedding_model", "offline", detail, texts.use_real_models)
    return _answering("embedding_model", texts.embedding_model.format(**named), choice, locator, texts)


def shutdown_warnings(locator: Locator) -> list[str]:
    """One sentence for each chosen model that shuts down soon, or has. Costs one free call a day at most."""
    choices = {"OPENAI_CHAT_MODEL": chosen_chat_model(locator.settings)}
    choices["OPENAI_EMBEDDING_MODEL"] = chosen_embedding_model(locator.settings)
    if not any(map(_is_of_a_server, choices.values())):
        return []
    texts = PartsTexts.of(locator.settings.locator_language)
    found = {name: _shutdown_warning(choice, locator, texts) for name, choice in choices.items()}
    return [f"{sentence} {texts.choose_another.format(name=name)}" for name, sentence in found.items() if sentence]


def _answering(part: str, name: str, choice: ModelChoice, locator: Locator, texts: PartsTexts) -> PartStatus:
    warning = _shutdown_warning(choice, locator, texts)
    extra = {"provider": choice.provider, "model": choice.model, "warning": warning}
    return PartStatus(part, "real", f"{name}: {choice.spoken_to}", warning, extra)


def _is_of_a_server(choice: ModelChoice) -> bool:
    return choice.provider not in ("offline", "local", "huggingface")


def _shutdown_warning(choice: ModelChoice, locator: Locator, texts: PartsTexts) -> str:
    if not _is_of_a_server(choice):
        return ""
    shutdown = locator.model_calendar(choice).shutdown_of(choice.model)
    return warning_about(choice.model, shutdown, locator.clock.now().date(), texts)


def warning_about(model: str, shutdown: date | None, today: date, texts: PartsTexts) -> str:
    """A sentence from 60 days before a model shuts down; nothing where that is far off or not announced."""
    if shutdown is None:
        return ""
    days = (shutdown - today).days
    if days > WARNED_FROM_DAYS:
        return ""
    sentence = texts.shuts_down if days > 0 else texts.was_shut_down
    return sentence.format(model=model, date=shutdown, days=days)
