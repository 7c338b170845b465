"""Files whose text is not in the index are found by their names, and no others."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresIndexStore
from locator_search.adapters.postgres.search.unread_search import PostgresUnreadReader
from locator_search.model import FileRef, FileState, Period, RetrievalQuery, SearchCoverage, SearchFilters, UnreadFile
from tests.builders.index import NOON, file_ref, index_entry


@pytest.fixture
def registry(database: Database) -> PostgresFileRegistry:
    return PostgresFileRegistry(database)


@pytest.fixture
def unread(database: Database) -> PostgresUnreadReader:
    return PostgresUnreadReader(database)


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    return PostgresIndexStore(database)


def put(registry: PostgresFileRegistry, *files: FileRef, state: FileState = "skipped", reason: str = "empty") -> None:
    registry.record_listing(files, NOON)
    for file in files:
        registry.set_state(file.file_id, state, reason=reason, revision=file.revision)


def matching(unread: PostgresUnreadReader, question: str, **filters: object) -> list[UnreadFile]:
    asked = RetrievalQuery(question, threshold=0.6, filters=SearchFilters(**filters), with_facets=False)  # type: ignore[arg-type]
    return unread.matching(asked, 5)


def names(unread: PostgresUnreadReader, question: str, **filters: object) -> list[str]:
    return [one.file.file_name for one in matching(unread, question, **filters)]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("ファイルサーバーの移行計画", "ファイルサーバー移行計画書.docx"),
        ("サーバの移行", "ファイルサーバー移行計画書.docx"),
        ("installation guides", "HV-80 Installation Guide.pdf"),
        ("HV-80", "HV-80 Installation Guide.pdf"),
        ("第3回の打合せ", "打ち合わせメモ_第三回.txt"),
        ("令和8年度予算", "2026年度予算.xlsx"),
    ],
)
def test_a_name_matches_as_the_index_compares_words(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader, question: str, name: str
) -> None:
    others = [file_ref(f"other-{number}", f"別の資料{number}.txt") for number in range(5)]
    put(registry, file_ref("wanted", name), *others)
    assert names(unread, question) == [name]


def test_the_folder_helps_and_does_not_find_by_itself(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader
) -> None:
    put(
        registry,
        file_ref("1", "構成図.png", folder_path="情報システム"),
        file_ref("2", "構成図.png", folder_path="営業"),
    )
    assert matching(unread, "情報システムの構成図")[0].file.file_id == "1"
    assert names(unread, "情報システム") == []


def test_those_the_question_names_whole_come_first(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader
) -> None:
    put(registry, file_ref("long", "業務委託契約書の業務委託契約書.pdf"), file_ref("named", "業務委託契約書.pdf"))
    found = matching(unread, "業務委託契約書")
    assert [(one.file.file_id, one.named) for one in found] == [("named", True), ("long", False)]


def test_state_reason_and_the_next_try_come_with_the_file(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader
) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    registry.record_listing([file_ref("file-1", "予算表.xlsx")], NOON)
    (waiting,) = matching(unread, "予算表")
    assert (waiting.state, waiting.reason, waiting.next_try_at, waiting.is_due) == ("pending", "", None, True)
    registry.set_state("file-1", "failed", reason="timeout", revision="1", next_try_at=later)
    (failed,) = matching(unread, "予算表")
    assert (failed.state, failed.reason, failed.next_try_at, failed.is_due) == ("failed", "timeout", later, False)
    registry.record_listing([file_ref("file-1", "予算表.xlsx", revision="2")], NOON)
    assert matching(unread, "予算表")[0].is_due


def test_what_is_searched_or_gone_is_not_unread_and_the_counts_add_up(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader, index: PostgresIndexStore
) -> None:
    files = [file_ref(f"file-{number}", f"予算表{number}.xlsx") for number in range(5)]
    put(registry, *files)
    for file in files[:2]:
        index.replace(index_entry(file, ["予算"]), "p")
    registry.set_state("file-1", "failed", reason="unavailable", revision="2", next_try_at=NOON)  # its text is kept
    registry.mark_gone(["file-2"])
    assert sorted(names(unread, "予算表")) == ["予算表3.xlsx", "予算表4.xlsx"]
    assert unread.coverage() == SearchCoverage(listed=4, searchable=2)
    assert unread.coverage().unread == 2
    registry.set_state("file-1", "no_access", reason="no-access")
    assert "予算表1.xlsx" in names(unread, "予算表")


def test_a_renamed_file_is_found_by_its_new_name_alone(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader
) -> None:
    put(registry, file_ref("file-1", "見積書.pdf"))
    registry.record_listing([file_ref("file-1", "請求書.pdf", revision="2")], NOON)
    assert names(unread, "見積書") == []
    assert names(unread, "請求書") == ["請求書.pdf"]


def test_names_an_earlier_version_left_are_analysed_with_the_next_listing(
    registry: PostgresFileRegistry, unread: PostgresUnreadReader, database: Database
) -> None:
    put(registry, file_ref("file-1", "見積書.pdf"))
    database.run("UPDATE file_state SET name_terms = NULL")
    assert names(unread, "見積書") == []
    registry.record_listing([], NOON)
    assert names(unread, "見積書") == ["見積書.pdf"]


def test_filters_hold_for_names_too(registry: PostgresFileRegistry, unread: PostgresUnreadReader) -> None:
    pdf = "application/pdf"
    put(
        registry,
        file_ref("september", "議事録_20240910.pdf", mime_type="application/octet-stream", folder_path="会社/総務"),
        file_ref("october", "議事録_20241001.docx", modified_at=NOON + timedelta(days=60), folder_path="会社/法務"),
    )
    september, october = "議事録_20240910.pdf", "議事録_20241001.docx"
    assert names(unread, "議事録", mime_types=(pdf,)) == [september]
    assert names(unread, "議事録", period=Period(date(2024, 10, 1), date(2024, 11, 1))) == [october]
    assert names(unread, "議事録", modified_after=NOON + timedelta(days=1)) == [october]
    assert names(unread, "議事録", modified_before=NOON + timedelta(days=1)) == [september]
    assert names(unread, "議事録", folders=("会社/総務",)) == [september]
    assert names(unread, "議事録", but_not=(SearchFilters(folders=("会社/総務",)),)) == [october]
    assert names(unread, "議事録", names=("20241001",)) == [october]
    assert names(unread, "議事録", keywords=("会議",)) == []
    assert names(unread, "議事録", owners=("somebody",)) == []
