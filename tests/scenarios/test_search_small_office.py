"""The branching search over a real index whose every hit is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from locator_search.adapters.postgres import Database
from locator_search.drive_search.facets import best_split, narrowed_by
from locator_search.drive_search.questions import SearchOptions
from locator_search.model import Choice, RetrievalQuery, SearchFilters
from tests.builders.small_office import Paper, SmallOffice

Build = Callable[[Sequence[Paper]], SmallOffice]


@pytest.fixture
def office(tmp_path: Path, database: Database) -> Build:
    return lambda papers: SmallOffice(tmp_path, database, papers)


DEPARTMENTS = {"営業部": 48, "経理部": 36, "開発部": 24, "総務部": 12}


def weekly_reports(*, dated: bool = False) -> list[Paper]:
    """120 weekly reports of four departments in two types; dated ones spread over two years."""
    return [
        Paper(
            path=f"{department}/週報{_date(n) if dated else n}.{'md' if n % 3 else 'txt'}",
            text=f"{department}の週報です。第 {n} 号。今週の予定と実績をまとめました。",
            keywords=("週報", department),
            modified_at=datetime(2026, 1 + n % 10 if dated else 1, 2, tzinfo=UTC),
        )
        for department, count in DEPARTMENTS.items()
        for n in range(count)
    ]


def _date(n: int) -> str:
    return f"_{2025 + n % 2}-{1 + n % 12:02}-{1 + n // 12:02}"


def other_papers() -> list[Paper]:
    return [
        Paper(
            "法務/秘密保持契約書_北斗製鋼.txt", "北斗製鋼株式会社との秘密保持契約書。契約番号 K-2024-017。", ("契約",)
        ),
        Paper("品質/クレーム報告.md", "圧力計の指示値がずれる不具合についての報告。原因は洗浄液の浸入。", ("品質",)),
    ]


def test_a_hundred_and_twenty_hits_are_counted_and_asked_about(office: Build) -> None:
    outcome = office(weekly_reports() + other_papers()).search.start("週報").advance()
    assert outcome.outcome == "needs_answer"
    assert outcome.rounds[0].hit_count == 120
    assert len(outcome.evidence) == 10
    *parts, everything = outcome.choices
    assert all(choice.count < 120 for choice in parts)
    assert (everything.label, everything.count) == ("すべて表示", 120)


def test_a_button_brings_exactly_the_files_it_promised(office: Build) -> None:
    search = office(weekly_reports()).search
    run = search.start("週報", options=SearchOptions(max_rounds=2))
    asked = run.advance()
    assert {choice.label: choice.count for choice in asked.choices} == DEPARTMENTS | {"すべて表示": 120}
    for label, promised in DEPARTMENTS.items():
        outcome = search.resume(run.log).answer(label)
        assert outcome.rounds[1].hit_count == promised
        assert outcome.evidence
        assert all(f"/{label}" in item.folder_path for item in outcome.evidence)


def test_every_choice_of_every_facet_is_exact(office: Build) -> None:
    parts = office(weekly_reports(dated=True))
    embedding = parts.embedder.embed(["週報"], "query")[0]
    found = parts.index.retrieve(RetrievalQuery("週報"), embedding)
    assert {facet.name for facet in found.facets} >= {"folder", "period", "type", "keyword"}
    for facet in found.facets:
        for value in facet.values:
            choice = Choice(value.label, value.count, facet.name, value.value)
            narrowed = RetrievalQuery("週報", filters=narrowed_by(SearchFilters(), choice))
            assert parts.index.retrieve(narrowed, embedding).hit_count == value.count, choice


def test_a_second_question_splits_what_the_first_left(office: Build) -> None:
    run = office(weekly_reports(dated=True)).search.start("週報", options=SearchOptions(max_rounds=5))
    first = run.advance()
    second = run.answer(first.choices[0].label)
    while run.waiting:
        promised = second.choices[0].count
        second = run.answer(second.choices[0].label)
        assert second.rounds[-1].hit_count == promised
    assert second.evidence
    assert second.outcome in ("found", "too_many")


def test_one_file_is_found_by_its_document_number(office: Build) -> None:
    outcome = office(weekly_reports() + other_papers()).search.start("K-2024-017").advance()
    assert outcome.outcome == "found"
    assert outcome.evidence[0].file_name == "秘密保持契約書_北斗製鋼.txt"


def test_nothing_is_found_for_what_is_not_there(office: Build) -> None:
    outcome = office(other_papers()).search.start("火星探査ロケットの打ち上げ計画").advance()
    assert (outcome.outcome, outcome.evidence) == ("not_found", ())
    assert outcome.message.startswith("見つかりませんでした")


def test_a_period_in_the_question_finds_the_files_of_that_month(office: Build) -> None:
    minutes = [
        Paper(f"議事録/営業会議_議事録_{year}09{day:02}.md", f"営業会議の議事録。出席者 {day} 名。", ("議事録",))
        for year in (2023, 2024)
        for day in (5, 12)
    ]
    outcome = office(minutes).search.start("令和6年9月の議事録").advance()
    assert {item.file_name for item in outcome.evidence} == {
        "営業会議_議事録_20240905.md",
        "営業会議_議事録_20240912.md",
    }
    assert "令和6年9月" in outcome.message


def test_a_type_and_last_month_limit_the_search(office: Build) -> None:
    october, september = datetime(2026, 10, 20, tzinfo=UTC), datetime(2026, 9, 20, tzinfo=UTC)
    sales = "月次の売上をまとめた資料です。"
    parts = office(
        [
            Paper("営業/売上A.csv", sales, ("売上",), october),
            Paper("営業/売上B.md", sales, ("売上",), october),
            Paper("営業/売上C.csv", sales, ("売上",), september),
        ]
    )
    outcome = parts.search.start("先月の売上のCSV").advance()
    assert [item.file_name for item in outcome.evidence] == ["売上A.csv"]
    assert "CSV" in outcome.message
    assert "先月" in outcome.message


def test_a_question_of_conditions_alone_lists_what_meets_them(office: Build) -> None:
    october, september = datetime(2026, 10, 20, tzinfo=UTC), datetime(2026, 9, 20, tzinfo=UTC)
    papers = [
        Paper(f"部署{n % 3}/資料{n}.csv", f"資料その{'甲乙丙丁戊己庚辛壬癸子丑'[n]}", ("資料",), october)
        for n in range(12)
    ]
    papers += [Paper("部署0/古い資料.csv", "資料", ("資料",), september), Paper("部署0/資料.md", "資料", (), october)]
    run = office(papers).search.start("先月のCSV")
    outcome = run.advance()
    assert outcome.rounds[0].hit_count == 12
    assert {choice.label: choice.count for choice in outcome.choices[:-1]} == {"部署0": 4, "部署1": 4, "部署2": 4}
    assert run.answer("部署1").outcome == "found"


def test_a_file_deleted_since_it_was_indexed_is_not_shown(office: Build) -> None:
    parts = office(weekly_reports() + other_papers())
    (parts.folder / "法務/秘密保持契約書_北斗製鋼.txt").unlink()
    outcome = parts.search.start("K-2024-017").advance()
    assert "秘密保持契約書_北斗製鋼.txt" not in {item.file_name for item in outcome.evidence}
    assert any("取得元から削除" in note for note in outcome.notes)


def test_a_file_changed_since_it_was_indexed_is_marked(office: Build) -> None:
    parts = office(other_papers())
    (parts.folder / "法務/秘密保持契約書_北斗製鋼.txt").write_text("K-2024-017 改訂版", encoding="utf-8")
    shown = parts.search.start("K-2024-017").advance().evidence[0]
    assert (shown.verified, shown.freshness) == (True, "changed")


def test_an_empty_index_finds_nothing(office: Build) -> None:
    assert office([]).search.start("週報").advance().outcome == "not_found"


def test_a_search_taken_up_from_its_log_ends_the_same_way(office: Build) -> None:
    search = office(weekly_reports()).search
    run = search.start("週報", options=SearchOptions(max_rounds=2))
    run.advance()
    log = run.log
    assert search.resume(log).answer("1").evidence == run.answer("1").evidence


def test_the_question_that_is_asked_is_about_the_best_split(office: Build) -> None:
    parts = office(weekly_reports())
    found = parts.index.retrieve(RetrievalQuery("週報"), parts.embedder.embed(["週報"], "query")[0])
    split = best_split(found, SearchFilters())
    assert split is not None
    assert split.choices == parts.search.start("週報").advance().choices[:-1]
