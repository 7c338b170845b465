"""What FinderLedge promises of its two stores, whichever vector store is chosen."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from locator_search import FinderLedge
from locator_search.app.ledger import chunk_vectors
from locator_search.core.errors import DimensionMismatch, StoreError
from locator_search.finderledge.configuration import folder_of
from locator_search.finderledge.finder import SearchMode
from locator_search.finderledge.stores import Filter

if TYPE_CHECKING:
    from langchain_core.documents import Document

MODES: tuple[SearchMode, ...] = ("hybrid", "vector", "keyword")
PACKAGES = {"pgvector": "pgvector", "chroma": "chromadb", "faiss": "faiss"}

Opener = Callable[..., FinderLedge]


@pytest.fixture(params=list(PACKAGES))
def provider(request: pytest.FixtureRequest) -> str:
    if find_spec(PACKAGES[request.param]) is None:
        pytest.skip(f"the extra [{request.param}] is not installed; `make conformance` has it")
    return str(request.param)


@pytest.fixture
def open_ledger(provider: str, database_url: str, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same collection, as often as it is called."""
    opened: list[FinderLedge] = []

    def opener(**arguments: Any) -> FinderLedge:
        usual = {"vector_store_provider": provider, "embedding_provider": "offline", "persist_directory": tmp_path}
        opened.append(FinderLedge(**{**usual, "database_url": database_url, **arguments}))
        return opened[-1]

    yield opener
    for ledger in opened:
        ledger.close()


@pytest.fixture
def ledger(open_ledger: Opener) -> FinderLedge:
    return open_ledger()


OFFICE = {
    "expenses": "経費精算は毎月25日までに経理部へ提出する。領収書の原本を添えること。",
    "holidays": "有給休暇の申請は三日前までに上長へ届け出る。年に二十日まで取得できる。",
    "minutes": "令和6年9月の経営会議では新工場の建設計画が承認された。",
    "manual": "The pump PX-2041 must be primed before the first start. Check the valve for leaks.",
}


def add_office(ledger: FinderLedge) -> None:
    ledger.add_texts(list(OFFICE.values()), [{"topic": name} for name in OFFICE], list(OFFICE))


def ids_of(results: list[Document]) -> list[str]:
    return [result.metadata["document_id"] for result in results]


def kept_outside(ledger: FinderLedge, provider: str) -> set[str] | None:
    ledger.close()
    outside = chunk_vectors(provider, folder_of(ledger.settings), 1536)
    if outside is None:
        return None
    documents = {key.partition("#")[0] for key in outside.keys()}  # noqa: SIM118 - no mapping
    outside.close()
    return documents


@pytest.mark.parametrize("mode", MODES)
def test_a_question_finds_its_document_in_every_mode(ledger: FinderLedge, mode: SearchMode) -> None:
    add_office(ledger)
    questions = {
        "領収書はいつまでに出しますか": "expenses",
        "有給の届け出": "holidays",
        "新工場の建設": "minutes",
        "priming PX-2041": "manual",
    }
    for question, expected in questions.items():
        first = ledger.search(question, mode, top_k=2)[0]
        assert first.metadata["document_id"] == expected
        assert first.page_content == OFFICE[expected]
        assert 0 < first.metadata["relevance_score"] <= 1


def test_adding_the_same_again_changes_nothing_and_embeds_nothing(
    ledger: FinderLedge, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_office(ledger)
    monkeypatch.setattr(ledger.embeddings, "embed", lambda *_: pytest.fail("embedded again"))
    add_office(ledger)
    assert ledger.document_ids() == sorted(OFFICE)


def test_a_changed_document_takes_the_place_of_its_former_version(ledger: FinderLedge, provider: str) -> None:
    add_office(ledger)
    ledger.add_texts(["宿泊費の上限は一泊一万二千円である。"], ids=["expenses"])
    for mode in MODES:
        assert ledger.search("宿泊費の上限", mode)[0].metadata["document_id"] == "expenses"
        assert "領収書" not in "".join(result.page_content for result in ledger.search("領収書の原本", mode))
    assert kept_outside(ledger, provider) in (None, set(OFFICE))


def test_a_removed_document_is_gone_from_both_stores(ledger: FinderLedge, provider: str) -> None:
    add_office(ledger)
    assert ledger.remove_document("expenses")
    assert not ledger.remove_document("expenses")
    for mode in MODES:
        assert "expenses" not in ids_of(ledger.search(OFFICE["expenses"], mode, top_k=10))
    assert kept_outside(ledger, provider) in (None, set(OFFICE) - {"expenses"})


def test_a_filter_limits_both_stores_and_starves_neither(ledger: FinderLedge) -> None:
    crowd = [f"経費精算の手順その{number}。領収書を添えて提出する。" for number in range(60)]
    ledger.add_texts(crowd, [{"department": "経理部"}] * len(crowd))
    ledger.add_texts(["出張の経費について。"], [{"department": "営業部", "place": {"city": "大阪"}}], ["trip"])
    wishes: list[Filter] = [{"department": "営業部"}, {"place": {"city": "大阪"}}]
    for mode in MODES:
        for wanted in wishes:
            found = ledger.search("経費精算の領収書", mode, top_k=5, vector_filter=wanted)
            assert ids_of(found) == ["trip"]
    assert ledger.search("経費", vector_filter={"department": "法務部"}) == []


def test_the_filter_can_be_kept_from_the_keyword_store(ledger: FinderLedge) -> None:
    add_office(ledger)
    wanted = {"topic": "holidays"}
    found = ledger.search("領収書の原本", vector_filter=wanted, filter_keyword=False)
    assert set(ids_of(found)) == {"holidays", "expenses"}
    assert "vector" not in ledger.explain("領収書の原本", vector_filter=wanted, filter_keyword=False)[0]


def test_everything_is_still_there_when_it_is_opened_again(ledger: FinderLedge, open_ledger: Opener) -> None:
    add_office(ledger)
    before = {mode: ledger.search("経費精算の領収書", mode) for mode in MODES}
    ledger.close()
    again = open_ledger()
    assert {mode: again.search("経費精算の領収書", mode) for mode in MODES} == before


def test_collections_know_nothing_of_each_other(ledger: FinderLedge, open_ledger: Opener) -> None:
    add_office(ledger)
    other = open_ledger(collection="別の文書")
    assert other.search("経費精算") == []
    other.add_texts(["経費精算は不要になった。"], ids=["expenses"])
    assert ledger.search("経費精算")[0].page_content == OFFICE["expenses"]


def test_another_embedding_model_is_refused_with_a_hint(ledger: FinderLedge, open_ledger: Opener) -> None:
    class OtherEmbeddings:
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 2.0]] * len(texts)

        def embed_query(self, text: str) -> list[float]:
            return [1.0, 2.0]

    add_office(ledger)
    with pytest.raises(DimensionMismatch) as refused:
        open_ledger(embeddings=OtherEmbeddings())
    assert "offline-hashed-ngrams-2" in refused.value.message
    assert "OtherEmbeddings" in refused.value.message
    assert "collection" in refused.value.hint


def test_vectors_follow_when_another_store_is_chosen(ledger: FinderLedge, open_ledger: Opener) -> None:
    add_office(ledger)
    before = ledger.search("経費精算の領収書", "vector")
    ledger.close()
    for other in PACKAGES:
        if find_spec(PACKAGES[other]) is not None:
            with open_ledger(vector_store_provider=other) as changed:
                assert ids_of(changed.search("経費精算の領収書", "vector")) == ids_of(before)


@pytest.mark.parametrize("provider", ["faiss"], indirect=True)
@pytest.mark.parametrize("damage", [b"", b"no index", b"PK\x03\x04 half a file"])
def test_a_damaged_faiss_file_says_how_it_is_mended(damage: bytes, ledger: FinderLedge, open_ledger: Opener) -> None:
    add_office(ledger)
    ledger.close()
    file = folder_of(ledger.settings) / "faiss" / "vectors.npz"
    file.write_bytes(damage)
    with pytest.raises(StoreError, match="cannot be read") as refused:
        open_ledger()
    assert refused.value.hint.startswith("Delete it")
    file.unlink()
    assert ids_of(open_ledger().search("経費精算の領収書", "vector"))[0] == "expenses"


@pytest.mark.parametrize("provider", ["chroma", "faiss"], indirect=True)
def test_a_document_removed_during_a_search_is_never_found_by_its_words_alone(
    ledger: FinderLedge, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_office(ledger)
    outside: Any = ledger.vector_store._outside
    nearest = outside.nearest

    def meanwhile_removed(*arguments: Any) -> object:
        ledger.remove_document("expenses")
        return nearest(*arguments)

    monkeypatch.setattr(outside, "nearest", meanwhile_removed)
    found = ids_of(ledger.search("経費精算の領収書"))
    assert "expenses" not in found
    assert "holidays" in found


KILLED = """
import os, signal, sys
from locator_search import FinderLedge
from locator_search.adapters.ledger_stores import catalogue
from locator_search.finderledge import stores

provider, url, folder, moment = sys.argv[1:]
ledger = FinderLedge(
    provider, embedding_provider="offline", persist_directory=folder, database_url=url, log_level="ERROR"
)

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if moment == "adding":
    write_files = catalogue.write_files
    catalogue.write_files = lambda *arguments: die(write_files(*arguments))
    ledger.add_texts(["監査の日程は来週に決まる。", "監査の担当は佐藤である。"], ids=["audit", "auditor"])
else:
    stores.VectorDocumentStore.forget = die
    ledger.remove_document("expenses")
    die()
"""


@pytest.mark.parametrize("moment", ["adding", "removing"])
def test_a_process_killed_between_the_stores_leaves_nothing_by_halves(
    moment: str, provider: str, ledger: FinderLedge, open_ledger: Opener, database_url: str, tmp_path: Path
) -> None:
    add_office(ledger)
    ledger.close()
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, provider, database_url, str(tmp_path), moment], timeout=200, check=False
    )
    assert killed.returncode == -9

    again = open_ledger()
    there = set(OFFICE) if moment == "adding" else set(OFFICE) - {"expenses"}
    assert set(again.document_ids()) == there
    for mode in MODES:
        assert set(ids_of(again.search("監査の日程と経費精算", mode, top_k=10))) <= there
    assert kept_outside(again, provider) in (None, there), "what the dead process left is swept at the next start"


def test_readers_see_a_document_in_both_stores_or_in_neither(provider: str, ledger: FinderLedge) -> None:
    add_office(ledger)
    versions = [f"監査計画の第{number}版。監査は{number}月に行う。" for number in range(1, 13)]
    done, read = threading.Event(), threading.Event()

    def write() -> None:
        try:
            for text in versions:
                ledger.add_texts([text], ids=["audit"])
            assert read.wait(200), "nobody has read it yet"
            ledger.remove_document("audit")
        finally:
            done.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        found = [
            result for result in ledger.search("監査計画", top_k=10, explain=True) if "監査" in result.page_content
        ]
        assert len(found) <= 1
        for result in found:
            read.set()
            assert result.page_content in versions
            assert "keyword" in result.metadata["explain"]
            # A store outside the database cannot be read at the same moment: it may miss what is being replaced.
            assert provider != "pgvector" or "vector" in result.metadata["explain"]
    writer.join()
    assert read.is_set()
    assert "audit" not in ids_of(ledger.search("監査計画"))


def test_several_threads_may_write_at_once(ledger: FinderLedge) -> None:
    def write(name: str) -> None:
        for number in range(4):
            ledger.add_texts([f"{name}の報告{number}"], ids=[f"{name}-{number}"])

    writers = [threading.Thread(target=write, args=[name]) for name in ("東京", "大阪", "札幌")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(ledger.document_ids()) == 12
    assert len(ledger.search("報告", "vector", top_k=20)) == 12
