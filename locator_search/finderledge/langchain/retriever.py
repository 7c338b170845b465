"""A LangChain retriever over a ledger. Its Documents bear `relevance_score`."""

from __future__ import annotations

import inspect
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables.config import run_in_executor
from pydantic import ConfigDict, Field, field_validator

from locator_search.core.errors import ConfigurationError
from locator_search.finderledge.collection import Collection

ARGUMENTS = tuple(inspect.signature(Collection.search).parameters)[2:]
"""The arguments of `search` after `self` and the query."""


class FinderLedgeRetriever(BaseRetriever):
    """Calls `search` of a ledger with `search_kwargs`; keyword arguments of `invoke` win over them.

    `k` is how many Documents there may be, if `search_kwargs` does not say. The ledger is kept out of dumps and reprs.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    ledger: Any = Field(exclude=True, repr=False)
    k: int | None = Field(default=None, ge=1)
    search_kwargs: dict[str, Any] = Field(default_factory=dict)

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
        found: list[Document] = self.ledger.search(query, **arguments)
        return found

    def _usual(self, given: dict[str, Any]) -> dict[str, Any]:
        """The usual arguments without those given now. `k` and `top_k` mean the same, so one replaces the other."""
        usual = dict(self.search_kwargs)
        if self.k is not None and "top_k" not in usual:
            usual.setdefault("k", self.k)
        if "k" in given or "top_k" in given:
            usual.pop("k", None)
            usual.pop("top_k", None)
        return usual
