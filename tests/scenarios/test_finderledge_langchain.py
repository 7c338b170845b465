"""FinderLedge as LangChain meets it. Its own conformance tests: tests/conformance."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

from locator_search import FinderLedge
from locator_search.core.errors import ConfigurationError


@pytest.fixture
def ledger(database_url: str, tmp_path: Path) -> Iterator[FinderLedge]:
    with FinderLedge(persist_directory=tmp_path, database_url=database_url, embedding_provider="offline") as opened:
        opened.add_texts([f"経費精算の手順{number}" for number in range(6)], [{"n": number} for number in range(6)])
        yield opened


def test_a_retriever_calls_search_with_its_arguments(ledger: FinderLedge) -> None:
    retriever = ledger.as_retriever(top_k=2, search_mode="keyword", vector_filter={"n": 3})
    assert isinstance(retriever, BaseRetriever)
    assert retriever.invoke("経費精算") == ledger.search("経費精算", "keyword", 2, vector_filter={"n": 3})
    assert retriever.get_relevant_documents("経費精算") == retriever.invoke("経費精算")


def test_arguments_of_a_call_win_over_those_of_the_retriever_sync_and_async(ledger: FinderLedge) -> None:
    for retriever in (ledger.as_retriever(top_k=2), ledger.as_retriever(k=2), ledger.as_retriever()):
        assert len(retriever.invoke("経費精算", k=3)) == 3
        assert len(retriever.invoke("経費精算", top_k=4)) == 4
        assert len(asyncio.run(retriever.ainvoke("経費精算", k=3, search_mode="vector"))) == 3
    assert len(asyncio.run(ledger.as_retriever(k=1).aget_relevant_documents("経費精算"))) == 1


def test_a_misspelt_argument_is_refused_at_once(ledger: FinderLedge) -> None:
    with pytest.raises(ConfigurationError, match="topk"):
        ledger.as_retriever(topk=3)
    with pytest.raises(ConfigurationError, match="topk"):
        ledger.as_retriever().invoke("経費精算", topk=3)


def test_a_retriever_is_part_of_a_chain_and_tells_its_callbacks(ledger: FinderLedge) -> None:
    told: list[int] = []

    class Listener(BaseCallbackHandler):
        def on_retriever_end(self, documents: list[Document], **kwargs: object) -> None:  # type: ignore[override]
            told.append(len(documents))

    def texts(found: list[Document]) -> list[str]:
        return [each.page_content for each in found]

    chain = ledger.as_retriever(k=2) | RunnableLambda(texts)
    assert len(chain.invoke("経費精算", config={"callbacks": [Listener()]})) == 2
    assert told == [2]


def test_a_retriever_shows_nothing_of_the_ledger(ledger: FinderLedge) -> None:
    retriever = ledger.as_retriever(k=2)
    assert "FinderLedge " not in repr(retriever)
    assert "ledger" not in retriever.model_dump()


def test_the_vector_store_keeps_documents_whole_and_gives_them_back_as_they_were(
    database_url: str, tmp_path: Path
) -> None:
    long = "長い文書である。" * 400
    with FinderLedge(
        persist_directory=tmp_path, database_url=database_url, embeddings=DeterministicFakeEmbedding(size=6)
    ) as ledger:
        store = ledger.as_vector_store()
        given = [Document(page_content=long, metadata={"a": 1}, id="long"), Document(page_content="短い", id="short")]
        assert store.add_documents(given) == ["long", "short"]
        assert store.similarity_search(long, k=1) == [given[0]]
        assert store.similarity_search_with_relevance_scores(long, k=1)[0][1] == pytest.approx(1)
        assert store.similarity_search("短い", k=5, filter={"a": 1}) == [given[0]]
        assert store.similarity_search_by_vector([1.0, 0, 0, 0, 0, 0], k=2)
        assert store.get_by_ids(["short", "long", "none"]) == [given[1], given[0]]
        assert store.as_retriever(search_kwargs={"k": 1}).invoke("短い") == [given[1]]
        assert store.delete(["long", "none"])
        assert store.delete()
        assert store.similarity_search("短い") == []


def test_a_vector_store_is_made_of_texts(database_url: str, tmp_path: Path) -> None:
    from locator_search.finderledge.langchain.vector_store import FinderLedgeVectorStore

    fake = DeterministicFakeEmbedding(size=6)
    store = FinderLedgeVectorStore.from_texts(
        ["一", "二"], fake, [{"n": 1}, {"n": 2}], ids=["1", "2"], database_url=database_url, persist_directory=tmp_path
    )
    assert store.embeddings is fake
    assert store.similarity_search("二", k=1) == [Document(page_content="二", metadata={"n": 2}, id="2")]
    store.ledger.close()
