"""A question of others is shown only where several people have asked it and it led to a file that one may read."""

from __future__ import annotations

import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresIndexStore
from locator_search.adapters.postgres.history.own_searches import PostgresOwnSearchStore
from locator_search.drive_search.asked_questions import DAYS, FEWEST_PEOPLE, NOBODY, AskedQuestions
from tests.builders.asked import asked_by
from tests.builders.index import NOON, file_ref, index_entry

THREE = ("aki", "hana", "mei")


@pytest.fixture
def asked(database: Database) -> AskedQuestions:
    PostgresFileRegistry(database).record_listing([file_ref(name) for name in ("a", "b", "c", "d")], NOON)
    return AskedQuestions(PostgresOwnSearchStore(database), shared=True)


def test_a_question_is_popular_from_the_third_person_on(asked: AskedQuestions, database: Database) -> None:
    asked_by(database.url, "経費の締め日", THREE[:2], "a", searches=9)
    assert asked.popular("ken", 9) == asked.popular("aki", 9) == asked.related("ken", "経費", ["a"], 9) == []
    asked_by(database.url, "経費の締め日", THREE[2:], "a", searches=0)
    assert asked.popular("ken", 9) == asked.related("ken", "経費", ["a"], 9) == ["経費の締め日"]
    assert asked.popular("ken", 9, besides=["経費の締め日"]) == []
    assert asked.popular("ken", 0) == []


def test_one_person_under_many_spellings_is_one_person(asked: AskedQuestions, database: Database) -> None:
    for written in ("VPN の手順", "vpn の手順", "ＶＰＮ の手順"):
        asked_by(database.url, written, ["aki"], "a")
    assert asked.popular("ken", 9) == []
    asked_by(database.url, "ＶＰＮ の手順", ["hana", "mei"], "a")
    assert asked.popular("ken", 9) == ["ＶＰＮ の手順"]
    asked_by(database.url, "Vpn の手順", ["ken"], "a")
    assert asked.popular("ken", 9) == ["Vpn の手順"]


def test_what_was_saved_forgotten_or_asked_long_ago_is_not_counted(asked: AskedQuestions, database: Database) -> None:
    store = PostgresOwnSearchStore(database)
    for question in ("保存", "忘却", "昔"):
        asked_by(database.url, question, THREE, "a", days=DAYS + 1 if question == "昔" else 0)
    assert asked.popular("ken", 9) == ["保存", "忘却"]
    store.save("mei", "保存", "保存", "", 9)
    store.forget("mei", ["忘却"])
    assert asked.popular("ken", 9) == []


def test_a_question_that_found_nothing_or_whose_file_is_gone_is_not_shown(
    asked: AskedQuestions, database: Database
) -> None:
    asked_by(database.url, "空振り", THREE)
    asked_by(database.url, "消えた文書", THREE, "deleted")
    assert asked.popular("ken", 9) == asked.related("ken", "消えた文書は", ["deleted"], 9) == []


def test_it_has_to_lead_first_to_a_file_one_may_read_as_often_as_there_must_be_people(
    asked: AskedQuestions, database: Database
) -> None:
    asked_by(database.url, "人事の件", THREE, "deleted", "a", searches=20)
    asked_by(database.url, "人事の件", [], "a", "deleted", searches=FEWEST_PEOPLE - 1)
    assert asked.popular("ken", 9) == []
    asked_by(database.url, "人事の件", [], "a", searches=1)
    assert asked.popular("ken", 9) == ["人事の件"]


def test_where_nobody_signs_in_the_questions_of_one_are_those_of_all(asked: AskedQuestions, database: Database) -> None:
    asked_by(database.url, "週報の書式", [NOBODY], "a", searches=3)
    asked_by(database.url, "週報の提出先", [NOBODY], "b", searches=2)
    assert asked.popular(NOBODY, 9) == ["週報の書式"]
    assert {*asked.related(NOBODY, "週報", [], 9)} == {"週報の書式", "週報の提出先"}
    assert asked.popular("ken", 9) == asked.related("ken", "週報", ["a", "b"], 9) == []
    PostgresOwnSearchStore(database).forget(NOBODY, ["週報の書式"])
    assert asked.popular(NOBODY, 9) == []


def test_related_questions_share_files_first_and_then_words(asked: AskedQuestions, database: Database) -> None:
    asked_by(database.url, "北斗製鋼の見積書", THREE, "c")
    asked_by(database.url, "保守契約の相手", THREE, "a", "b")
    asked_by(database.url, "防災訓練の日時を教えて", THREE, "d")
    asked_by(database.url, "北斗製鋼の担当者", ["ken"], "d", searches=1)
    found = asked.related("ken", "北斗製鋼の納期を教えて", ["a", "b"], 9)
    assert found[0] == "保守契約の相手"
    assert {*found[1:]} == {"北斗製鋼の見積書", "北斗製鋼の担当者"}
    assert asked.related("ken", "北斗製鋼の担当者", [], 9) == ["北斗製鋼の見積書"]


@pytest.mark.parametrize(
    ("common", "rare", "asked_now", "near", "far"),
    [
        ("予算", "揚水機", "揚水機の予算", "揚水機の図面を見せて", "予算会議の議事録"),
        (
            "budget",
            "turbine",
            "turbine budget",
            "Where is the drawing of the turbine?",
            "minutes of the budget meeting",
        ),
    ],
)
def test_what_many_files_say_relates_no_questions(
    database: Database, common: str, rare: str, asked_now: str, near: str, far: str
) -> None:
    texts = [f"{common} {number}" for number in range(9)] + ["other"] * 30 + [rare]
    index = PostgresIndexStore(database)
    index.replace_many([index_entry(file_ref(f"f{n}", "x"), [text]) for n, text in enumerate(texts)], "1")
    asked = AskedQuestions(PostgresOwnSearchStore(database), shared=True)
    asked_by(database.url, near, THREE, "f1")
    asked_by(database.url, far, THREE, "f2")
    assert asked.related("ken", asked_now, [], 9) == [near]
    assert asked.related("ken", common, [], 9) == []
    assert asked.related("ken", common, ["f2", "f1"], 9) == [far]


def test_a_file_that_came_below_the_first_relates_no_questions(asked: AskedQuestions, database: Database) -> None:
    asked_by(database.url, "保守契約の相手", THREE, "a", "b")
    assert asked.related("ken", "北斗製鋼の納期", ["b", "a"], 9) == []
    assert asked.related("ken", "北斗製鋼の納期", ["a", "c"], 9) == ["保守契約の相手"]


def test_an_administrator_switches_it_off(database: Database) -> None:
    asked_by(database.url, "経費の締め日", THREE, "a")
    off = AskedQuestions(PostgresOwnSearchStore(database), shared=False)
    assert off.popular("ken", 9) == off.related("ken", "経費の締め日は", ["a"], 9) == []
