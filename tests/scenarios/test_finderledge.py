"""FinderLedge as a program uses it: files and documents in, answers out."""

from __future__ import annotations

import asyncio
import copy
import subprocess
import sys
import traceback
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.documents import Document

from locator_search import FinderLedge
from locator_search.core.errors import ConfigurationError, LocatorError, ModelUnavailable, SourceError, UnreadableFile
from tests.fakes.openai_server import Reply, embeddings, error, openai_server

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def ledger(database_url: str, tmp_path: Path) -> Iterator[FinderLedge]:
    with FinderLedge(
        persist_directory=tmp_path / "home", database_url=database_url, embedding_provider="offline"
    ) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    office = tmp_path / "書類"
    (office / "経理").mkdir(parents=True)
    (office / "経理" / "精算.md").write_text("# 経費精算\n\n毎月25日までに領収書を提出する。\n", "utf-8")
    (office / "休暇.txt").write_text("有給休暇は三日前までに届け出る。", "utf-8")
    (office / "写真.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (office / "空.txt").write_text("")
    return office


def test_the_arguments_are_those_of_the_design() -> None:
    import inspect

    names = list(inspect.signature(FinderLedge.__init__).parameters)
    assert names[1:8] == [
        "vector_store_provider",
        "keyword_store_provider",
        "embedding_provider",
        "embedding_model_name",
        "persist_directory",
        "chunk_size",
        "chunk_overlap",
    ]
    assert names[-1] == "kwargs"
    search = list(inspect.signature(FinderLedge.search).parameters)
    assert search[1:7] == ["query", "search_mode", "top_k", "k_vector", "k_keyword", "vector_filter"]


def test_the_parts_are_kept_under_the_names_of_the_design(ledger: FinderLedge) -> None:
    from locator_search import finderledge

    assert isinstance(ledger.vector_store, finderledge.VectorDocumentStore)
    assert isinstance(ledger.keyword_store, finderledge.BM25DocumentStore)
    assert isinstance(ledger.finder, finderledge.Finder)
    assert isinstance(ledger.loader, finderledge.DocumentLoader)
    assert ledger.embeddings.model_name == "offline-hashed-ngrams-2"


def test_a_folder_is_read_to_its_depths_and_what_cannot_be_read_is_told(ledger: FinderLedge, folder: Path) -> None:
    left_out: list[tuple[str, str]] = []
    ids = ledger.add_document(folder, on_skip=lambda path, reason: left_out.append((path, reason)))
    assert len(ids) == 2
    assert sorted(path for path, _ in left_out) == ["書類/写真.png", "書類/空.txt"]
    assert all(reason for _, reason in left_out)
    found = ledger.search("経費精算の領収書")[0]
    assert found.metadata["source"] == "書類/経理/精算.md"
    assert found.metadata["heading_path"] == ["経費精算"]
    assert str(folder) not in str(found.metadata), "no full path leaves this machine by a callback"


def test_a_file_has_the_same_id_by_itself_and_in_its_folder(ledger: FinderLedge, folder: Path) -> None:
    alone = ledger.add_document(str(folder / "休暇.txt"))
    assert alone[0] in ledger.add_document(folder)
    assert len(ledger.document_ids()) == 2


def test_a_changed_file_takes_the_place_of_its_former_version(ledger: FinderLedge, folder: Path) -> None:
    first = ledger.add_document(folder / "休暇.txt")
    (folder / "休暇.txt").write_text("有給休暇は前日までに届け出る。", "utf-8")
    assert ledger.add_document(folder / "休暇.txt") == first
    assert [result.page_content for result in ledger.search("有給休暇")] == ["有給休暇は前日までに届け出る。"]


def test_a_file_is_found_by_its_name(ledger: FinderLedge) -> None:
    ledger.add_document(SAMPLES / "経営会議" / "議事録")
    name = "経営会議議事録_令和6年9月"
    assert ledger.search(name, "keyword")[0].metadata["file_name"] == f"{name}.docx"


def test_documents_of_langchain_go_in_and_come_out_unharmed(ledger: FinderLedge) -> None:
    given = [
        Document(page_content="監査は十月に行う。", metadata={"year": 2026, "on": date(2026, 10, 1)}, id="audit"),
        Document(page_content="監査は十月に行う。", metadata={"year": 2025}),
    ]
    before = copy.deepcopy(given)
    ids = ledger.add_document(given)
    assert given == before
    assert ids[0] == "audit"
    assert len(set(ids)) == 2, "the same text with other metadata is another document"
    assert ledger.add_document(given) == ids

    found = ledger.search("監査", vector_filter={"year": 2026})
    assert isinstance(found[0], Document)
    assert found[0].metadata["on"] == "2026-10-01"
    assert ledger.get_documents(["audit", "nobody"]) == [
        Document(page_content="監査は十月に行う。", metadata={"year": 2026, "on": "2026-10-01"}, id="audit")
    ]


def test_every_chunk_names_its_parent(ledger: FinderLedge) -> None:
    text = "".join(f"第{number}条 この規程の第{number}項を定める。" for number in range(1, 200))
    (parent,) = ledger.add_document(Document(page_content=text, metadata={"title": "規程"}))
    found = ledger.search("規程の第五項", top_k=3)
    assert [result.metadata["document_id"] for result in found] == [parent] * 3
    assert len({result.id for result in found}) == 3
    assert all(result.id == f"{parent}#{result.metadata['chunk_index']}" for result in found)
    assert ledger.get_documents([parent])[0].page_content == text, "what overlaps is there once"


UNFIT: list[tuple[Any, str]] = [
    ("no such file.txt", "no such file.txt"),
    ("", "no file or folder"),
    ("bad\0name", "no file or folder"),
    ("長い文章" * 2_000, "no file or folder"),
    (Document(page_content=" \n"), "is empty"),
    (Document(page_content="本文", metadata={"connection": object()}), "'connection'"),
    (Document(page_content="本文", metadata={"score": float("nan")}), "'score'"),
    (Document(page_content="本文", id=" "), "id"),
    (Document(page_content="本文", id="x" * 501), "id"),
    (42, "int"),
    (SimpleNamespace(page_content="本文", metadata=["no dictionary"]), "dictionary"),
    ([Document(page_content="良い文書"), Document(page_content="")], "is empty"),
]


def test_what_cannot_be_added_is_refused_in_one_sentence_and_nothing_is_written(ledger: FinderLedge) -> None:
    for given, named in UNFIT:
        with pytest.raises((ConfigurationError, SourceError)) as refused:
            ledger.add_document(given)
        assert named in refused.value.message
        assert len(refused.value.message) < 300
        assert "\n" not in refused.value.message
    assert ledger.document_ids() == []


def test_a_file_that_was_named_and_cannot_be_read_is_an_error(ledger: FinderLedge, folder: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"写真\.png"):
        ledger.add_document(folder / "写真.png")
    (folder / "空き").mkdir()
    with pytest.raises(SourceError, match="no file"):
        ledger.add_document(folder / "空き")


def test_characters_that_no_database_takes_do_no_harm(ledger: FinderLedge) -> None:
    ledger.add_texts(["経費\0精算\ud800の手順"], [{"n\0ame": "v\0alue"}], ["nul"])
    found = ledger.search("経費精算の\0手順")[0]
    assert (found.page_content, found.metadata["name"]) == ("経費精算?の手順", "value")


def test_texts_with_the_wrong_number_of_companions_are_refused(ledger: FinderLedge) -> None:
    with pytest.raises(ConfigurationError, match="ids has 1 entries for 2 texts"):
        ledger.add_texts(["一", "二"], ids=["1"])
    with pytest.raises(ConfigurationError, match="list of texts"):
        ledger.add_texts("一つの文")


def test_names_nobody_gave_are_in_nobody_s_way(ledger: FinderLedge) -> None:
    assert not ledger.remove_document("no\0body")
    assert ledger.get_documents(["no\0body"]) == []
    unheard: dict[str, Any] = {"on": date(2026, 10, 1), "na\0me": "\0"}
    assert ledger.search("経費", vector_filter=unheard) == []


def test_a_ledger_says_what_it_holds_and_what_stands_behind_it(ledger: FinderLedge) -> None:
    ledger.add_texts(["経費精算の手順", "有給休暇の手順"])
    assert ledger.status() == {
        "collection": "default",
        "documents": 2,
        "chunks": 2,
        "embedding_model": "offline-hashed-ngrams-2",
        "vector_store": "pgvector",
        "keyword_store": "bm25",
        "notes": [],
    }


def test_a_blank_question_finds_nothing(ledger: FinderLedge) -> None:
    ledger.add_texts(["経費精算"])
    assert ledger.search(" \n") == []
    assert ledger.get_context("") == ""


def test_k_is_another_name_of_top_k(ledger: FinderLedge) -> None:
    ledger.add_texts([f"経費精算の手順{number}" for number in range(9)])
    assert len(ledger.search("経費精算")) == 5
    assert len(ledger.search("経費精算", k=2)) == len(ledger.search("経費精算", top_k=2)) == 2
    with pytest.raises(ConfigurationError, match="top_k and k"):
        ledger.search("経費精算", k=2, top_k=2)


def test_a_context_is_what_a_search_finds_within_its_budget(ledger: FinderLedge) -> None:
    ledger.add_texts(["経費精算は二十五日まで。領収書を添える。", "有給休暇は三日前まで。"])
    found = ledger.search("経費精算", top_k=2)
    assert ledger.get_context("経費精算", top_k=2) == "\n\n".join(result.page_content for result in found)
    assert ledger.get_context("経費精算", max_tokens=16, separator=" / ") == "経費精算は二十五日まで。"


def test_nothing_blocks_an_event_loop(ledger: FinderLedge) -> None:
    async def use() -> tuple[list[Document], str, bool]:
        (added,) = await ledger.aadd_document(Document(page_content="経費精算の手順"))
        found = await ledger.asearch("経費精算", top_k=1)
        context = await ledger.aget_context("経費精算", max_tokens=50)
        return found, context, await ledger.aremove_document(added)

    found, context, removed = asyncio.run(use())
    assert found[0].page_content == context == "経費精算の手順"
    assert removed


def test_a_closed_ledger_says_so(ledger: FinderLedge) -> None:
    ledger.close()
    ledger.close()
    for use in (lambda: ledger.search("何か"), lambda: ledger.add_texts(["何か"]), lambda: ledger.remove_document("x")):
        with pytest.raises(ConfigurationError, match="closed"):
            use()


def test_a_traceback_says_what_to_do(ledger: FinderLedge) -> None:
    ledger.close()
    with pytest.raises(ConfigurationError) as refused:
        ledger.search("経費")
    assert "Open it again with FinderLedge(...)." in "".join(traceback.format_exception(refused.value))


def test_the_schema_of_the_tool_fits_the_search(ledger: FinderLedge) -> None:
    import inspect

    function = ledger.as_tool_schema()["function"]
    assert set(function["parameters"]["properties"]) <= set(inspect.signature(ledger.search).parameters)
    ledger.add_texts(["経費精算の手順"])
    call: dict[str, Any] = {"query": "経費精算", "search_mode": "keyword", "top_k": 1}
    assert ledger.search(**call)


@pytest.mark.parametrize("name", ["chroma", "faiss"])
def test_a_missing_extra_is_named_when_the_ledger_is_made(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, {"chroma": "chromadb", "faiss": "faiss"}[name], None)
    with pytest.raises(LocatorError) as refused:
        FinderLedge(name, persist_directory=tmp_path)
    assert name in refused.value.message
    assert f"document-locator[{name}]" in refused.value.hint


WITHOUT_LANGCHAIN = """
import sys
sys.modules["langchain_core"] = None
from locator_search import FinderLedge
from locator_search.core.errors import ConfigurationError
from locator_search.finderledge import Document

with FinderLedge(database_url=sys.argv[1], log_level="ERROR", embedding_provider="offline") as ledger:
    ledger.add_document(Document(page_content="経費精算の手順", metadata={"year": 2026}, id="expenses"))
    found = ledger.search("経費精算")[0]
    print(found.page_content, found.metadata["year"], found.id, ledger.get_context("経費精算"))
    for use in (ledger.as_retriever, ledger.as_vector_store):
        try:
            use()
        except ConfigurationError as error:
            print(error.hint)
assert not [name for name in sys.modules if name.startswith(("dagster", "streamlit"))]
"""


def test_everything_but_the_bridge_to_langchain_works_without_it_and_without_dagster(database_url: str) -> None:
    printed = subprocess.check_output(
        [sys.executable, "-c", WITHOUT_LANGCHAIN, database_url], text=True, timeout=200
    ).splitlines()
    assert printed[0] == "経費精算の手順 2026 expenses#0 経費精算の手順"
    assert printed[1] == printed[2] == "Run `pip install 'document-locator[langchain]'`."


def test_a_real_model_is_paid_once_for_a_text_and_needs_no_more_than_its_address(
    database_url: str, tmp_path: Path
) -> None:
    def vectors(path: str, body: dict[str, Any]) -> Reply:
        return Reply(embeddings([[1.0 + len(text), 2.0] for text in body["input"]]))

    with openai_server() as server:
        server.handler = vectors
        chosen: dict[str, Any] = {
            "openai_base_url": server.url,
            "openai_api_key": "a-key",
            "embedding_model_name": "a-model",
        }
        with FinderLedge(database_url=database_url, persist_directory=tmp_path, **chosen) as ledger:
            assert (ledger.embeddings.model_name, ledger.notes) == ("a-model", ())
            ledger.add_texts(["経費精算の手順", "有給休暇"], ids=["expenses", "holidays"])
            ledger.remove_document("expenses")
            ledger.add_texts(["経費精算の手順"], ids=["expenses"])
            assert ledger.search("経費精算", "hybrid")[0].metadata["document_id"] == "expenses"
        embedded = [text for _, body in server.requests for text in body["input"]]
        assert sorted(embedded) == ["有給休暇", "経費精算", "経費精算の手順"]

        server.handler = lambda path, body: Reply(error("no such key", 401), 401)
        with FinderLedge(database_url=database_url, persist_directory=tmp_path, **chosen) as ledger:
            with pytest.raises(ConfigurationError, match="refused the key"):
                ledger.add_texts(["宿泊費の上限"])
            assert ledger.document_ids() == ["expenses", "holidays"]
            assert ledger.search("経費精算", "keyword"), "words need no model"


def test_without_the_embedding_model_a_hybrid_search_is_one_by_keywords_and_says_so(
    database_url: str, tmp_path: Path
) -> None:
    class Closed:
        model = "somebody's"

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 0.0] for _ in texts]

        def embed_query(self, text: str) -> list[float]:
            raise ModelUnavailable("Nobody is there.")

    with FinderLedge(embeddings=Closed(), persist_directory=tmp_path, database_url=database_url) as ledger:
        ledger.add_texts(["北斗製鋼との契約", "南星電機との契約"])
        (first, *_) = ledger.search("北斗製鋼", explain=True)
        assert first.page_content == "北斗製鋼との契約"
        reasons = ledger.explain("北斗製鋼")[0]
        assert reasons["mode"] == "keyword"
        assert "without the embedding model somebody's" in reasons["note"]
        with pytest.raises(ModelUnavailable):
            ledger.search("北斗製鋼", search_mode="vector")
