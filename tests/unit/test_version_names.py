"""What names say about versions, and what in them tells documents apart."""

from __future__ import annotations

import pytest

from locator_search.retrieval.version_names import NamedFile, version_name, without_dates, without_suffix


@pytest.mark.parametrize(
    "name",
    [
        "見積書_v1", "見積書_v2", "見積書v2", "見積書 Ver.1.2", "見積書_Rev3", "見積書_rev.B", "見積書 第2版",
        "見積書(第二版)", "見積書_初版", "見積書_最終版", "見積書最終版", "見積書_最終版2", "見積書_final",
        "見積書_FIX", "見積書_改訂版", "見積書_修正版", "見積書(案)", "見積書_draft", "旧_見積書",
        "【最新】見積書", "見積書 (1)", "見積書（２）", "見積書[2]", "見積書 - コピー", "見積書 - コピー (2)",
        "見積書のコピー", "コピー ～ 見積書", "Copy of 見積書", "見積書_2024-09", "見積書_20240901",
        "見積書_令和6年9月", "見積書_ｖ２", "見積書_署名済み",
    ],
)  # fmt: skip
def test_marks_of_versions_copies_and_dates_leave_the_title(name: str) -> None:
    assert without_dates(version_name(name).title)[0] == "見積書"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("第36回議事録", "第37回議事録"),
        ("営業週報_2026年第32週", "営業週報_2026年第33週"),
        ("見積書_Q-2026-0342", "見積書_Q-2026-0343"),
        ("週報_01", "週報_02"),
        ("契約書_北斗製鋼", "契約書_瀬戸内ポンプ"),
        ("仕様書_その1", "仕様書_その2"),
        ("IPv4手順", "IPv6手順"),
        ("報告_0912", "報告_0913"),
        ("予算", "予算案内"),
    ],
)
def test_other_numbers_and_names_stay_in_the_title(one: str, other: str) -> None:
    assert version_name(one).title != version_name(other).title


def test_dates_are_told_apart_however_they_are_written() -> None:
    def dates(name: str) -> tuple[str, ...]:
        return without_dates(version_name(name).title)[1]

    assert dates("月報 2024年8月") == dates("月報_2024-08") == dates("月報_2024.08") == ("2024-08",)
    assert dates("月報 2024年8月") != dates("月報 2024年9月")


def test_versions_rise_from_superseded_to_final() -> None:
    names = ["計画_旧", "計画_案", "計画", "計画_v2", "計画_v10", "計画_最終版", "計画_最終版2"]
    ranks = [(version_name(name).stage, version_name(name).number) for name in names]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    "question", ["経費精算マニュアル 第2版", "マニュアルv2", "第2版のマニュアル", "v2のマニュアル"]
)
def test_a_question_names_a_version_too(question: str) -> None:
    assert version_name(question).number == (2,)


def test_folders_of_old_versions_and_copies_are_no_place_of_their_own() -> None:
    assert place("営業部/見積書/旧") == place("営業部/見積書/backup") == place("営業部/見積書")
    assert place("営業部/見積書/2024-08") != place("営業部/見積書/2024-09")
    assert place("顧客/北斗製鋼") != place("顧客/瀬戸内ポンプ")
    folders = ("営業部/旧", "営業部/バックアップ_20260930", "営業部")
    assert [NamedFile.of("手順.md", folder).stage for folder in folders] == [-2, -2, 0]
    assert NamedFile.of("手順.md", "営業部/コピー").copies


def place(folder_path: str) -> str:
    return NamedFile.of("手順.md", folder_path).whereabouts


def test_a_version_number_is_no_suffix() -> None:
    assert without_suffix("手順 v1.2") == ("手順 v1.2", "")
    assert without_suffix("手順.v2.DOCX") == ("手順.v2", "docx")
