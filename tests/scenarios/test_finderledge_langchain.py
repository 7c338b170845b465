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
from locator_search.model import JsonValue


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


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({"n": {"$in": [1, 4, 99]}}, {1, 4}),
        ({"n": [1, 4]}, {1, 4}),
        ({"n": {"$nin": [0, 1, 2, 3]}}, {4, 5}),
        ({"n": {"$gte": 2, "$lt": 4}}, {2, 3}),
        ({"n": {"$gt": 4}}, {5}),
        ({"n": {"$lte": 0}}, {0}),
        ({"n": {"$ne": 3}}, {0, 1, 2, 4, 5}),
        ({"$or": [{"n": 1}, {"n": {"$eq": 5}}]}, {1, 5}),
        ({"$and": [{"n": {"$gt": 1}}, {"$or": [{"n": 2}, {"n": 0}]}]}, {2}),
        ({"$not": {"n": {"$lt": 5}}}, {5}),
        ({"n": {"$in": []}}, set()),
        ({"n": "3"}, set()),
        ({"missing": {"$ne": 1}}, {0, 1, 2, 3, 4, 5}),
        ({'"] || 1 == 1 || $["': 1}, set()),
    ],
)
def test_filters_nest_as_in_langchains_stores(
    ledger: FinderLedge, asked: dict[str, JsonValue], numbers: set[int]
) -> None:
    for mode in ("keyword", "vector"):
        found = ledger.search("経費精算", mode, k=6, vector_filter=asked)
        assert {document.metadata["n"] for document in found} == numbers
    by_store = ledger.as_vector_store().similarity_search("経費精算", k=6, filter=asked)
    assert {document.metadata["n"] for document in by_store} == numbers


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"n": {"$like": "a"}}, r"A filter knows no '\$like'"),
        ({"$near": 1}, r"knows no '\$near'"),
        ({"n": {"$in": 3}}, r"\$in takes a list of values, not 3"),
        ({"$or": {"n": 1}}, r"\$or takes a list of filters"),
        ({"$and": [3]}, r"\$and takes a filter, not 3"),
        ({"n": {"$gt": [1]}}, r"\$gt compares with one value"),
        ({"n": {}}, "n takes a filter"),
    ],
)
def test_a_filter_that_is_none_is_refused_and_never_finds_nothing(
    ledger: FinderLedge, asked: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as refused:
        ledger.as_retriever(search_kwargs={"filter": asked}).invoke("経費精算")
    assert "$in" in (refused.value.hint or "")


def test_a_member_of_a_list_and_an_entry_below_another_can_be_filtered(ledger: FinderLedge) -> None:
    ledger.add_texts(["経費精算の表"], [{"tags": ["表", "経理"], "by": {"name": "相馬"}}], ids=["table"])
    filters: tuple[dict[str, JsonValue], ...] = (
        {"tags": "表"},
        {"tags": {"$in": ["図", "経理"]}},
        {"by": {"name": "相馬"}},
        {"by": {"name": {"$ne": "早川"}, "$ne": 1}},
    )
    for asked in filters:
        assert "table" in {
            one.metadata["document_id"] for one in ledger.search("経費精算の表", k=9, vector_filter=asked)
        }
    assert ledger.search("経費精算の表", vector_filter={"tags": {"$nin": ["表"]}, "by": {"name": "相馬"}}) == []


def test_a_retriever_takes_what_langchains_stores_take(ledger: FinderLedge) -> None:
    usual = {"k": 2, "filter": {"n": {"$gt": 1}}}
    found = ledger.as_retriever(search_type="similarity", search_kwargs=usual).invoke("経費精算の手順3")
    assert found == ledger.search("経費精算の手順3", k=2, vector_filter={"n": {"$gt": 1}})

    first = ledger.search("経費精算の手順3", k=1)[0]
    best = {"k": 6, "score_threshold": 1.0}
    assert ledger.as_retriever("similarity_score_threshold", best).invoke("経費精算の手順3") == [first]
    assert len(ledger.as_retriever(search_kwargs={"k": 6, "score_threshold": 0.0}).invoke("経費精算の手順3")) == 6
    for kind, kwargs, sentence in (
        ("hybrid", {}, "search_type is one of"),
        ("similarity_score_threshold", {"k": 2}, "needs a score_threshold"),
        ("similarity", {"score_threshold": 2}, "from 0 to 1"),
        ("similarity", {"filter": {"n": 1}, "vector_filter": {"n": 1}}, "mean the same"),
    ):
        with pytest.raises(ConfigurationError, match=sentence):
            ledger.as_retriever(kind, kwargs).invoke("経費精算")


def test_mmr_chooses_what_is_unlike_each_other(ledger: FinderLedge) -> None:
    ledger.add_texts(
        ["経費精算の手順0", "経費精算の手順0", "経費精算と出張の旅費"], ids=["again", "once-more", "travel"]
    )
    query = "経費精算の手順0"
    alike = {"k": 3, "fetch_k": 9}
    for source in (ledger, ledger.as_vector_store()):
        near = [one.page_content for one in source.as_retriever(search_kwargs={"k": 3}).invoke(query)]
        assert near == [query] * 3
        varied = source.as_retriever(search_type="mmr", search_kwargs=alike | {"lambda_mult": 0.1}).invoke(query)
        assert len({one.page_content for one in varied}) == 3
        same = source.as_retriever(search_type="mmr", search_kwargs=alike | {"lambda_mult": 1.0}).invoke(query)
        assert [one.page_content for one in same] == near


def test_a_vector_store_keeps_score_thresholds(ledger: FinderLedge) -> None:
    store = ledger.as_vector_store()
    scored = store.similarity_search_with_relevance_scores("経費精算の手順3", k=6, score_threshold=0.99)
    assert [document.page_content for document, _ in scored] == ["経費精算の手順3"]
    assert len(store.similarity_search("経費精算の手順3", k=6, score_threshold=0.99)) == 1
    retriever = store.as_retriever(search_type="similarity_score_threshold", search_kwargs={"score_threshold": 0.99})
    assert len(retriever.invoke("経費精算の手順3")) == 1


def test_what_cannot_be_added_is_said_in_words(ledger: FinderLedge) -> None:
    for item, named in ((3, "an int"), (None, "None"), ({"a": 1}, "a dict")):
        with pytest.raises(ConfigurationError, match=f"FinderLedge cannot add {named}.") as refused:
            ledger.add_document(item)  # type: ignore[arg-type]
        assert "A path of a file or folder, a Document" in (refused.value.hint or "")
