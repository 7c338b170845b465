"""Which models the settings choose: OpenAI or a server that speaks its API, Hugging Face, or offline stand-ins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from locator_search.settings import Settings

OLLAMA_URL = "http://127.0.0.1:11434/v1"
USUAL_EMBEDDING_MODELS = {"ollama": "bge-m3", "huggingface": "intfloat/multilingual-e5-small"}
"""Where OPENAI_EMBEDDING_MODEL is blank and its default, a model of OpenAI, is of no use. Both know Japanese."""

ProviderName = Literal["openai", "ollama", "huggingface", "offline"]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Who answers, under which model name, and at which address where that is not OpenAI's."""

    provider: ProviderName
    model: str = ""
    base_url: str | None = None

    @property
    def spoken_to(self) -> str:
        """The provider as people name it, with the host of the server."""
        if self.provider == "huggingface":
            return "Hugging Face, on this machine"
        if self.base_url is None:
            return "OpenAI, api.openai.com"
        address = urlsplit(self.base_url)
        host = f"{address.hostname}:{address.port}" if address.port else address.hostname
        return f"{'Ollama' if self.provider == 'ollama' else 'OpenAI-compatible server'}, {host}"


def chosen_chat_model(settings: Settings) -> ModelChoice:
    """OpenAI where a key or another address is set."""
    if not settings.uses_openai:
        return ModelChoice("offline")
    return ModelChoice("openai", settings.openai_chat_model, settings.openai_base_url)


def chosen_embedding_model(settings: Settings) -> ModelChoice:
    """EMBEDDING_PROVIDER, by default the provider of the chat model."""
    provider = settings.embedding_provider or ("openai" if settings.uses_openai else "offline")
    if provider == "offline":
        return ModelChoice("offline")
    model = settings.openai_embedding_model
    if "openai_embedding_model" not in settings.model_fields_set:
        model = USUAL_EMBEDDING_MODELS.get(provider, model)
    if provider == "huggingface":
        return ModelChoice("huggingface", model)
    return ModelChoice(provider, model, settings.openai_base_url or (OLLAMA_URL if provider == "ollama" else None))
