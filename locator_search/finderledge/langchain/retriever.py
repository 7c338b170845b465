"""A LangChain retriever over a ledger. Its Documents bear `relevance_score`."""

from __future__ import annotations

import inspect
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables.config import run_in_executor
from langchain_core.vectorstores.utils import maximal_marginal_relevance
from pydantic import ConfigDict, Field, field_validator

from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.collection import Collection
from locator_search.finderledge.finder import USUAL_TOP_K

ARGUMENTS = (
    *tuple(inspect.signature(Collection.search).parameters)[2:],
    "filter",
    "score_threshold",
    "fetch_k",
    "lambda_mult",
)
"""The arguments of `search` after `self` and the query, and those of LangChain's stores."""

FETCH_K, LAMBDA_MULT = 20, 0.5
"""LangChain's own, for mmr."""
SEARCH_TYPES = ("similarity", "similarity_score_threshold", "mmr")


def score_of(threshold: Any) -> float | None:
    """A score threshold. Raises ConfigurationError for what is none."""
    if threshold is None or (
        isinstance(threshold, int | float) and not isinstance(threshold, bool) and 0 <= threshold <= 1
    ):
        return threshold
    raise ConfigurationError(f"score_threshold is a number from 0 to 1, not {threshold!r}.")


def at_least(threshold: float | None, found: list[Document]) -> list[Document]:
    """The documents with at least this relevance."""
    if threshold is None:
        return found
    return [document for document in found if document.metadata["relevance_score"] >= threshold]


class FinderLedgeRetriever(BaseRetriever):
    """Calls `search` of a ledger with `search_kwargs`; keyword arguments of `invoke` win over them.

    `k` is how many Documents there may be, if `search_kwargs` does not say. The ledger is kept out of dumps and reprs.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    ledger: Any = Field(exclude=True, repr=False)
    k: int | None = Field(default=None, ge=1)
    search_type: str = "similarity"
    search_kwargs: dict[str, Any] = Field(default_factory=dict)

    @field_validator("search_type")
    @classmethod
    def _known_type(cls, search_type: str) -> str:
        if search_type not in SEARCH_TYPES:
            raise ConfigurationError(
                f"search_type is one of {', '.join(SEARCH_TYPES)}, not {search_type!r}.",
                hint="Whether words or vectors are searched says search_mode.",
            )
        return search_type

    @field_validator("search_kwargs")
    @classmethod
    def _known(cls, arguments: dict[str, Any]) -> dict[str, Any]:
        for name in arguments:
            if name not in ARGUMENTS:
                raise ConfigurationError(
                    f"search takes no argument {name!r}.", hint=f"It takes {', '.join(ARGUMENTS)}."
                )
        return arguments

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
        k: int | None = None,
        **overrides: Any,
    ) -> list[Document]:
        return self._search(query, k, overrides)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
        k: int | None = None,
        **overrides: Any,
    ) -> list[Document]:
        return await run_in_executor(None, self._search, query, k, overrides)

    def get_relevant_documents(self, query: str, **kwargs: Any) -> list[Document]:
        """The same as `invoke`, by the name that LangChain gave it before 1.0."""
        return self.invoke(query, **kwargs)

    async def aget_relevant_documents(self, query: str, **kwargs: Any) -> list[Document]:
        """The same as `ainvoke`."""
        return await self.ainvoke(query, **kwargs)

    def _search(self, query: str, k: int | None, overrides: dict[str, Any]) -> list[Document]:
        given = {**overrides, "k": k} if k is not None else overrides
        arguments = self._known({**self._usual(given), **given})
        if "filter" in arguments:
            if "vector_filter" in arguments:
                raise ConfigurationError("filter and vector_filter mean the same.", hint="Give one of them.")
            arguments["vector_filter"] = arguments.pop("filter")
        least = score_of(arguments.pop("score_threshold", None))
        if least is None and self.search_type == "similarity_score_threshold":
            raise ConfigurationError(
                "The search_type similarity_score_threshold needs a score_threshold.",
                hint="as_retriever(search_type=..., search_kwargs={'score_threshold': 0.5})",
            )
        fetch_k, lambda_mult = arguments.pop("fetch_k", FETCH_K), arguments.pop("lambda_mult", LAMBDA_MULT)
        if self.search_type == "mmr":
            return self._unlike(query, arguments, fetch_k, lambda_mult, least)
        return at_least(least, self.ledger.search(query, **arguments))

    def _unlike(
        self, query: str, arguments: dict[str, Any], fetch_k: int, lambda_mult: float, least: float | None
    ) -> list[Document]:
        """Those of the first `fetch_k` that are near the query and unlike each other."""
        top_k, k = arguments.pop("top_k", None), arguments.pop("k", None)
        wanted = next((number for number in (top_k, k) if number is not None), USUAL_TOP_K)
        found = at_least(least, self.ledger.search(query, **arguments, k=max(wanted, fetch_k)))
        vectors = self.ledger.finder.vectors([document.id for document in found])
        kept = [document for document in found if document.id in vectors]
        chosen = maximal_marginal_relevance(
            self.ledger.vector_store.embed_query(query),
            [vectors[document.id].tolist() for document in kept],
            lambda_mult,
            wanted,
        )
        return [kept[place] for place in chosen]

    def _usual(self, given: dict[str, Any]) -> dict[str, Any]:
        """The usual arguments without those given now. `k` and `top_k` mean the same, so one replaces the other."""
        usual = dict(self.search_kwargs)
        if self.k is not None and "top_k" not in usual:
            usual.setdefault("k", self.k)
        if "k" in given or "top_k" in given:
            usual.pop("k", None)
            usual.pop("top_k", None)
        return usual
