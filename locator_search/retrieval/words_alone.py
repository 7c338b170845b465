"""A retrieval does with words alone where there is no vector of the question that the index could compare."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from locator_search.core.errors import DimensionMismatch
from locator_search.core.model_results import KEYWORDS_ONLY, ModelResult, failure_of
from locator_search.model import Retrieval, RetrievalQuery
from locator_search.ports import IndexStore

if TYPE_CHECKING:
    from locator_search.model import Vector

logger = logging.getLogger(__name__)


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
