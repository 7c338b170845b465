"""Which files of an index are one document, and that counts count documents."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresUpkeep
from locator_search.adapters.postgres.history.memo import PostgresExtractionMemo
from locator_search.adapters.postgres.index.documents import PostgresVersionReader
from locator_search.drive_search.facets import narrowed_by
from locator_search.model import (
    Block,
    Choice,
    Document,
    Extraction,
    IndexEntry,
    Period,
    Retrieval,
    RetrievalQuery,
    SearchFilters,
)
from locator_search.retrieval.grouping import folded
from tests.builders.index import NOON, file_ref, index_entry, unit_vector

TEXT = "経費の精算は毎月末までに申請し、領収書を添えて経理部に提出する。承認は所属長が行い、振込は翌月の十日とする。"
LATER = TEXT + "出張の日当は別に定める。"
OTHER = "安全衛生委員会は冷水機を置くことを決めた。避難訓練は十月に行い、各部署が人数を報告する。経費は出ない。"

EVERYTHING = SearchFilters()


class Office:
    """An index with files of these texts; the modification times are those of the order they were written in."""

    def __init__(self, database: Database) -> None:
        self.index = PostgresIndexStore(database)
        self.versions = PostgresVersionReader(database)
        self.written = 0

    def write(self, path: str, text: str, mime_type: str = "text/plain") -> None:
        self.index.replace_many([self.entry(path, text, mime_type)], "1")

    def entry(self, path: str, text: str, mime_type: str = "text/plain") -> IndexEntry:
        folder, _, name = path.rpartition("/")
        self.written += 1
        when = NOON + timedelta(days=self.written)
        file = file_ref(path, name, folder_path=folder, mime_type=mime_type, modified_at=when)
        return index_entry(file, [text], text_key=text, embedding=unit_vector(text))

    def found(self, filters: SearchFilters = EVERYTHING, limit: int = 20) -> Retrieval:
        query = RetrievalQuery("経費", filters=filters, mode="keyword", limit=limit, unit="document", threshold=0.1)
        return self.index.retrieve(query, None)

    def cards(self) -> dict[str, list[str]]:
        shown = folded(self.found().evidence, self.versions, "経費")
        return {item.file_id: sorted(member.evidence.file_id for member in item.group) for item in shown}


@pytest.fixture
def office(database: Database) -> Office:
    return Office(database)


def test_many_copies_are_one_document_and_do_not_crowd_out_others(office: Office) -> None:
    copies = [office.entry(f"部署{n}/経費規程.txt", TEXT) for n in range(150)]
    office.index.replace_many(copies, "1")
    office.write("総務部/安全衛生.txt", OTHER)
    found = office.found(limit=5)
    assert found.hit_count == 2
    assert "総務部/安全衛生.txt" in {item.file_id for item in found.evidence}
    assert [len(members) for members in office.cards().values() if members] == [99]


def test_one_text_in_several_formats_is_one_document_wherever_it_lies(office: Office) -> None:
    for path in ("経理部/規程.docx", "経理部/規程.doc", "共有/規程 配布.pdf", "経理部/kitei.md"):
        office.write(path, TEXT, f"type/{path[-3:]}")
    found = office.found()
    assert found.hit_count == 1
    assert office.cards() == {"経理部/規程.docx": ["共有/規程 配布.pdf", "経理部/kitei.md", "経理部/規程.doc"]}
    (types,) = (facet for facet in found.facets if facet.name == "type")
    assert sorted(value.count for value in types.values) == [1, 1, 1, 1]


@pytest.mark.parametrize("at_once", [True, False])
def test_versions_are_one_document_whenever_they_were_indexed(office: Office, at_once: bool) -> None:
    texts = {"経理部/規程_v2.txt": LATER, "経理部/規程_v1.txt": TEXT, "個人/写し.txt": TEXT, "経理部/衛生.txt": OTHER}
    entries = [office.entry(path, text) for path, text in texts.items()]
    for part in [entries] if at_once else [[entry] for entry in entries]:
        office.index.replace_many(part, "1")
    assert office.found().hit_count == 2
    assert office.cards()["経理部/規程_v2.txt"] == ["個人/写し.txt", "経理部/規程_v1.txt"]


def test_documents_that_turn_out_to_be_one_are_counted_as_one(office: Office) -> None:
    office.write("経理部/規程_v1.txt", TEXT + OTHER[:30])
    office.write("個人/写し.txt", TEXT)
    assert office.found().hit_count == 2
    office.write("経理部/規程_v2.txt", TEXT)
    assert office.found().hit_count == 1


def test_a_template_does_not_make_one_document_of_what_two_customers_got(office: Office) -> None:
    for customer in ("北斗製鋼", "瀬戸内ポンプ"):
        office.write(f"顧客/{customer}/規程.txt", TEXT)
        office.write(f"顧客/{customer}/規程_v2.txt", f"{TEXT}{customer}の件。")
    cards = office.cards()
    assert len(cards) == office.found().hit_count
    assert {"顧客/北斗製鋼/規程_v2.txt", "顧客/瀬戸内ポンプ/規程_v2.txt"} <= cards.keys()


def test_a_file_that_was_edited_is_no_copy_any_more(office: Office) -> None:
    office.write("経理部/規程.txt", TEXT)
    office.write("個人/規程の写し.txt", TEXT)
    office.write("経理部/規程.txt", OTHER)
    assert office.cards() == {"経理部/規程.txt": [], "個人/規程の写し.txt": []}


def test_when_the_original_is_deleted_its_copy_comes_forward(office: Office) -> None:
    office.write("経理部/規程.txt", TEXT)
    office.write("営業部/規程.txt", TEXT)
    assert office.cards() == {"経理部/規程.txt": ["営業部/規程.txt"]}
    office.index.delete(["経理部/規程.txt"])
    assert office.cards() == {"営業部/規程.txt": []}
    assert office.found().hit_count == 1


def test_every_count_on_a_choice_is_what_comes_when_it_is_chosen(office: Office) -> None:
    for n in range(4):
        office.write(f"社/経理部/月{n % 2}/規程{n}.txt", f"{n} {TEXT}", "text/plain")
        office.write(f"社/営業部/規程{n} - コピー.md", f"{n} {TEXT}", "text/markdown")
    office.write("社/経理部/月0/衛生.txt", OTHER)
    found = office.found()
    assert found.hit_count == 5
    counted = [(facet.name, value) for facet in found.facets for value in facet.values]
    assert {"folder", "type", "period"} <= {name for name, _ in counted}
    for name, value in counted:
        chosen = narrowed_by(SearchFilters(), Choice(value.label, value.count, name, value.value))
        assert office.found(chosen).hit_count == value.count, (name, value)


def test_files_of_an_older_program_become_documents_from_the_texts_that_are_kept(
    office: Office, database: Database
) -> None:
    for path in ("経理部/規程.txt", "営業部/規程.txt"):
        office.write(path, TEXT)
    office.write("経理部/衛生.txt", OTHER)
    with database.connection() as connection:
        connection.execute("DELETE FROM file_document")
        connection.execute("UPDATE drive_file_index SET content_hash = file_id")
    memo = PostgresExtractionMemo(database)
    for path, line_end in (("経理部/規程.txt", "。\n"), ("営業部/規程.txt", "。 ")):
        blocks = (Block("paragraph", TEXT.replace("。", line_end)),)
        memo.put(path, "parser-1 text/plain", Extraction("ok", Document(blocks, "text/plain")))
    assert office.found().hit_count == 3
    assert PostgresUpkeep(database).settle_documents() == 3
    assert office.found().hit_count == 2
    assert PostgresUpkeep(database).settle_documents() == 0


def test_a_result_knows_the_date_that_its_name_says(office: Office) -> None:
    period = Period(date(2024, 9, 1), date(2024, 10, 1))
    office.index.replace(replace(office.entry("議事録_202409.txt", TEXT), document_period=period), "1")
    office.write("規程.txt", OTHER)
    assert {item.file_name: item.document_date for item in office.found().evidence} == {
        "議事録_202409.txt": "2024-09",
        "規程.txt": "",
    }
