"""Words that no file holds: which are named as absent, and which words of the index they may be slips of."""

from __future__ import annotations

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.model import Retrieval, RetrievalQuery, SearchFilters
from tests.builders.index import file_ref, index_entry

TEXTS = {
    "minutes": "経営会議の議事録。",
    "minutes-2": "開発定例の議事録。",
    "rank": "議事進行の手引き。",
    "guide": "Installation guide of the vibration sensor. Maintenance is monthly.",
    "report": "The monthly report of the sales team.",
    "press": "コンプレッサーの更新。",
}


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    index = PostgresIndexStore(database)
    entries = [index_entry(file_ref(name, f"{name}.txt"), [text], keywords=()) for name, text in TEXTS.items()]
    index.replace_many(entries, "pipeline-1")
    return index


def ask(index: PostgresIndexStore, question: str, *file_ids: str) -> Retrieval:
    filters = SearchFilters(file_ids=file_ids)
    return index.retrieve(RetrievalQuery(question, mode="keyword", filters=filters), None)


@pytest.mark.parametrize(
    ("question", "near"),
    [
        ("議事禄", "議事録"),
        ("先月の議事禄", "議事録"),
        ("儀事録", "議事録"),
        ("コンプレサー", "コンプレッサー"),
        ("giude", "guide"),
        ("maintainance", "maintenance"),
        ("instalation", "installation"),
    ],
)
def test_a_slip_is_respelled_with_a_word_of_the_index(index: PostgresIndexStore, question: str, near: str) -> None:
    assert [other for _, other in ask(index, question).respelled] == [near]


@pytest.mark.parametrize(
    "question", ["議事録", "reports", "guide", "議事検討", "quarterly", "X-99", "🦄", "？！", "から まで"]
)
def test_other_words_are_left_alone(index: PostgresIndexStore, question: str) -> None:
    assert ask(index, question).respelled == ()


def test_names_and_numbers_that_no_file_holds_are_told_as_they_are_written(index: PostgresIndexStore) -> None:
    assert ask(index, "Ｄｏｃｋｅｒ の更新").absent == ("Ｄｏｃｋｅｒ",)
    assert ask(index, "HV-99 の更新 INC-19610").absent == ("HV-99", "INC-19610")
    assert ask(index, "reports of the sensor").absent == ()
    assert ask(index, "コンプレッサーの更新").absent == ()


def test_what_a_filter_hides_is_not_read_for_words_that_sound_alike(index: PostgresIndexStore) -> None:
    assert ask(index, "議事禄", "guide").respelled == ()


def test_a_file_that_is_gone_lends_no_word(index: PostgresIndexStore) -> None:
    index.delete(["guide"])
    assert ask(index, "giude").respelled == ()


def test_a_product_that_is_asked_for_is_never_given_up_for_a_common_word(index: PostgresIndexStore) -> None:
    common = [index_entry(file_ref(f"setup-{n}", f"手順{n}.txt"), [f"機器{n}のインストール。"]) for n in range(12)]
    index.replace_many(common, "pipeline-1")
    asked = RetrievalQuery("Docker のインストール", mode="keyword", threshold=0.6)
    without = index.retrieve(asked, None)
    assert (without.hit_count, without.absent) == (0, ("Docker",))

    index.replace(index_entry(file_ref("docker", "Docker.txt"), ["Docker をサーバーに入れる。"]), "pipeline-1")
    named = index.retrieve(asked, None)
    assert [found.file_id for found in named.evidence] == ["docker"]
    assert named.absent == ()
