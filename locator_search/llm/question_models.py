"""The models of one question: each is asked within a part of what is left of the deadline, and not again once it has
failed. An offline stand-in then answers for the chat model, and words for the embedding model; words do as well where
the index cannot compare the vector of the question."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from locator_search.core.clock import share_of_deadline
from locator_search.core.errors import ConfigurationError, DimensionMismatch, LocatorError, ModelError
from locator_search.core.model_results import KEYWORDS_ONLY, ModelFailure, ModelResult, failure_of
from locator_search.model import Retrieval, RetrievalQuery
from locator_search.ports import Answer, ChatModel, Embedder, IndexStore, Prompt
from locator_search.text.variants.finding import without_words

if TYPE_CHECKING:
    from locator_search.model import Vector

SHARE_OF_A_MODEL = 1 / 4
"""Of the seconds that are left. Two models that hang take less than half together; the rest is for everything else."""

logger = logging.getLogger(__name__)


class QuestionChatModel:
    """A chat model for one question, with the stand-in that answers for it once it has failed."""

    def __init__(self, model: ChatModel, stand_in: ChatModel | None = None) -> None:
        self._model = model
        self._stand_in = stand_in
        self._failure: ModelFailure | None = None

    def ask(self, prompt: Prompt[Answer], share: float = SHARE_OF_A_MODEL) -> ModelResult[Answer | None]:
        """The answer and whose it is; no value where nobody could answer. Raises StoreError."""
        if self._failure is None:
            try:
                with share_of_deadline(share):
                    return ModelResult(self._model.answer(prompt), self._model.model_name)
            except (ModelError, ConfigurationError) as error:
                self._failure = _noted(error, self._model.model_name)
        return self.ask_stand_in(prompt)

    def ask_stand_in(self, prompt: Prompt[Answer]) -> ModelResult[Answer | None]:
        """The answer of the stand-in, whether the model has failed or not."""
        failure = self._failure
        if self._stand_in is not None:
            try:
                return ModelResult(self._stand_in.answer(prompt), self._stand_in.model_name, failure)
            except ModelError as error:
                logger.debug("The stand-in could not answer: %s", error.message)
        return ModelResult(None, "", failure)


def embed_question(embedder: Embedder, text: str, ignored: Sequence[str] = ()) -> ModelResult[Vector | None]:
    """The vector of a question without the words that are ignored; no value where the model failed, and words have to
    do. Raises StoreError."""
    try:
        with share_of_deadline(SHARE_OF_A_MODEL):
            return ModelResult(embedder.embed([without_words(text, ignored)], "query")[0], embedder.model_name)
    except (ModelError, ConfigurationError) as error:
        return ModelResult(None, KEYWORDS_ONLY, _noted(error, embedder.model_name))


def _noted(error: LocatorError, model: str) -> ModelFailure:
    logger.warning("%s did not answer a question: %s", model, error.message)
    return failure_of(error, model)


def retrieve_or_words(
    index: IndexStore, query: RetrievalQuery, embedded: ModelResult[Vector | None]
) -> ModelResult[Retrieval]:
    """By words alone where the model gave no vector or is not that of the index, which the result says. Raises
    StoreError."""
    if embedded.value is None:
        query = replace(query, mode="keyword")
    try:
        return ModelResult(index.retrieve(query, embedded.value), embedded.model, embedded.failure)
    except DimensionMismatch as error:
        logger.warning("%s", error.message)
        by_words = index.retrieve(replace(query, mode="keyword"), None)
        return ModelResult(by_words, KEYWORDS_ONLY, failure_of(error, embedded.model))
