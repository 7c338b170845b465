"""The chosen models, with their memory, their prices and their budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locator_search.app.model_choice import ModelChoice, chosen_chat_model, chosen_embedding_model
from locator_search.app.part import part
from locator_search.app.storage import Storage
from locator_search.config.settings import Settings

if TYPE_CHECKING:
    from locator_search.adapters.local_model.embedder import LocalEmbedder
    from locator_search.adapters.openai_models.calendar import ModelCalendar
    from locator_search.adapters.openai_models.client import OpenAiClient
    from locator_search.indexing.cost import ModelPrices
    from locator_search.indexing.memo import MemoisedChatModel
    from locator_search.llm.budget import Budget
    from locator_search.ports import (
        ChatModel,
        Embedder,
    )


class Models(Storage):
    """The chat model and the embedding model of one set of settings."""

    def __init__(self, settings: Settings, schema: str | None = None) -> None:
        super().__init__(settings, schema)
        self._openai_clients: dict[str | None, OpenAiClient] = {}
        self._local: LocalEmbedder | None = None

    def close(self) -> None:
        """End the connections to model services, too."""
        for client in self._openai_clients.values():
            client.close()
        if self._local is not None:
            self._local.close()
        super().close()

    @part
    def embedder(self) -> Embedder:
        if chosen_embedding_model(self.settings).provider == "offline":
            return self.bare_embedder
        from locator_search.indexing.gathering import GatheringEmbedder
        from locator_search.indexing.memo import MemoisedEmbedder

        return MemoisedEmbedder(GatheringEmbedder(self.bare_embedder, self._is_asking), self.embedding_memo)

    @part
    def bare_embedder(self) -> Embedder:
        """The embedder that remembers nothing."""
        choice = chosen_embedding_model(self.settings)
        if choice.provider == "offline":
            from locator_search.adapters.offline.embedder import OfflineEmbedder

            return OfflineEmbedder()
        if choice.provider == "local":
            return self._local_embedder(choice.model)
        if choice.provider == "huggingface":
            from locator_search.adapters.huggingface_embedder import HuggingFaceEmbedder

            return HuggingFaceEmbedder(choice.model, self.embedding_memo)
        from locator_search.adapters.openai_models.embedder import OpenAiEmbedder

        return OpenAiEmbedder(self._openai_client(choice.base_url), choice.model, self.embedding_memo)

    @part
    def chat_model(self) -> MemoisedChatModel:
        from locator_search.indexing.memo import MemoisedChatModel

        return MemoisedChatModel(self.bare_chat_model, self.answer_memo)

    @part
    def bare_chat_model(self) -> ChatModel:
        """The chat model that remembers nothing."""
        choice = chosen_chat_model(self.settings)
        if choice.provider == "offline":
            from locator_search.adapters.offline.chat_model import OfflineChatModel

            return OfflineChatModel()
        from locator_search.adapters.openai_models.chat_model import OpenAiChatModel

        return OpenAiChatModel(self._openai_client(choice.base_url), choice.model)

    @part
    def offline_chat_model(self) -> ChatModel:
        """The stand-in that answers a question where the chat model does not."""
        from locator_search.adapters.offline.chat_model import OfflineChatModel

        return OfflineChatModel()

    def chat_model_named(self, name: str) -> MemoisedChatModel:
        """Another model of the provider of the chat model."""
        choice = chosen_chat_model(self.settings)
        if choice.provider == "offline" or name == choice.model:
            return self.chat_model
        from locator_search.adapters.openai_models.chat_model import OpenAiChatModel
        from locator_search.indexing.memo import MemoisedChatModel

        return MemoisedChatModel(OpenAiChatModel(self._openai_client(choice.base_url), name), self.answer_memo)

    @part
    def model_prices(self) -> ModelPrices | None:
        """The prices of indexing; None where no model that counts tokens is chosen."""
        from locator_search.app.model_choice import prices_of

        return prices_of(self.settings)

    @part
    def budget(self) -> Budget:
        from locator_search.adapters.postgres import PostgresUsageLog
        from locator_search.llm.budget import Budget

        def promised() -> float:
            return sum(batch.estimated_usd for batch in self.batch_log.waiting())

        return Budget(PostgresUsageLog(self.database), self.settings.locator_max_cost_usd, promised)

    @part
    def files_at_once(self) -> int:
        """Files that a crawl works on at the same time: as many as make a group that is written together, and more than
        fit into a model's slots where one is waited for."""
        return 12 if self.model_prices is None else max(48, 2 * self.settings.locator_request_slots)

    @property
    def crawl_slots(self) -> int:
        """Batches of files that are worked on at the same time, by all processes and machines together."""
        return self.settings.locator_crawl_slots

    def model_calendar(self, choice: ModelChoice) -> ModelCalendar:
        """When the models of a provider shut down."""
        from locator_search.adapters.openai_models.calendar import ModelCalendar

        client = self._openai_client(choice.base_url)
        return ModelCalendar(client, self.settings.home / "model_calendar.json", self.clock)

    def look_up_model(self, choice: ModelChoice) -> None:
        """Ask its server about a model. Raises ModelUnavailable or ConfigurationError."""
        self._openai_client(choice.base_url).look_up(choice.model)

    def _openai_client(self, base_url: str | None) -> OpenAiClient:
        from locator_search.adapters.openai_models.client import OpenAiClient

        if base_url not in self._openai_clients:
            self._openai_clients[base_url] = OpenAiClient(
                api_key=self.settings.openai_api_key,
                base_url=base_url,
                organization=self.settings.openai_org,
                slots=self.slots,
                clock=self.clock,
                budget=self.budget,
            )
        return self._openai_clients[base_url]

    def _local_embedder(self, model: str) -> LocalEmbedder:
        from locator_search.adapters.local_model.embedder import LocalEmbedder

        self._local = LocalEmbedder(model, self.embedding_memo)
        return self._local

    def _is_asking(self) -> bool:
        """Whether files are at a model now, so that others follow them."""
        return any(client.under_way.total() for client in list(self._openai_clients.values()))
