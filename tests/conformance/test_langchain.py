"""LangChain's conformance tests: the vector store over every provider, the retriever, the embeddings.

Their embeddings have 6 dimensions; the index fills them up with zeros, which changes no cosine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests, VectorStoreIntegrationTests
from langchain_tests.integration_tests.embeddings import EmbeddingsIntegrationTests

from locator_search import FinderLedge
from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.finderledge.langchain.retriever import FinderLedgeRetriever
from locator_search.finderledge.langchain.vector_store import LedgerEmbeddings

OFFICE = [
    "経費精算は毎月25日までに経理部へ提出する。",
    "経費精算には領収書の原本を添える。",
    "出張の経費は帰社後に精算する。",
    "有給休暇の申請は三日前までに届け出る。",
]


class OfVectorStore(VectorStoreIntegrationTests):
    provider: str

    @pytest.fixture
    def vectorstore(self, database_url: str, tmp_path: Path) -> Iterator[VectorStore]:  # type: ignore[override]
        embeddings: Embeddings = self.get_embeddings()
        with FinderLedge(
            self.provider, database_url=database_url, persist_directory=tmp_path, embeddings=embeddings
        ) as ledger:
            yield ledger.as_vector_store()


class TestPgvector(OfVectorStore):
    provider = "pgvector"


class TestChroma(OfVectorStore):
    provider = "chroma"


class TestFaiss(OfVectorStore):
    provider = "faiss"


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _ledger(self, database_url: str, tmp_path: Path) -> Iterator[None]:
        with FinderLedge(database_url=database_url, persist_directory=tmp_path, embedding_provider="offline") as ledger:
            ledger.add_texts(OFFICE)
            self.ledger = ledger
            yield

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return FinderLedgeRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"ledger": self.ledger}

    @property
    def retriever_query_example(self) -> str:
        return "経費精算"


class TestRetrieverOfGivenEmbeddings(TestRetriever):
    @pytest.fixture(autouse=True)
    def _ledger(self, database_url: str, tmp_path: Path) -> Iterator[None]:
        with FinderLedge(
            database_url=database_url, persist_directory=tmp_path, embeddings=DeterministicFakeEmbedding(size=6)
        ) as ledger:
            ledger.add_texts(OFFICE)
            self.ledger = ledger
            yield


class TestEmbeddings(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return LedgerEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"embedder": OfflineEmbedder()}
