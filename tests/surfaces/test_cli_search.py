"""`document-locator search` and `evidence`: what is printed, what is asked, what the JSON says."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
import typer
from typer.testing import CliRunner, Result

from locator_search.adapters.local_files.names import link_of
from locator_search.app import locator as composition_root
from locator_search.cli.search.command import search as search_command
from locator_search.cli.search.evidence import evidence as evidence_command
from locator_search.drive_search.questions import SearchOptions
from locator_search.model import Evidence, Retrieval, SearchFilters, Variant
from tests.fakes.scripted_index import evidence, folder_facet, retrieval
from tests.fakes.scripted_locator import ScriptedLocator
from tests.fakes.searches import ScriptedSearch

commands = typer.Typer()
commands.command()(search_command)
commands.command()(evidence_command)

FOLDERS = (folder_facet(営業部=12, 経理部=48),)
NARROWING = (retrieval(60, facets=FOLDERS), retrieval(3))

Run = Callable[..., Result]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedSearch]:
    """Lets the commands search over a script."""

    def use(*script: Retrieval) -> ScriptedSearch:
        parts = ScriptedSearch(script)
        monkeypatch.setattr(composition_root, "open_locator", lambda settings: ScriptedLocator(parts))
        return parts

    return use


@pytest.fixture
def person_types(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a person at the terminal."""

    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    return lambda text: monkeypatch.setattr(sys, "stdin", Keyboard(text))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, list(arguments))


def one(**changes: object) -> Retrieval:
    shown: Evidence = replace(evidence(0), **changes)  # type: ignore[arg-type]  # fields by name
    return replace(retrieval(1), evidence=(shown,))


# Printed


def test_a_result_is_name_summary_and_link_in_the_format_of_the_design(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(retrieval(1))
    printed = run("search", "営業の資料").stdout
    assert printed.startswith("1 件見つかりました。\n")
    assert "[1] 資料0.pdf\n    要約: 資料0の要約\n    Link: https://example.com/0\n" in printed
    assert "類似度 0.90" in printed
    assert "更新 2026-10-01" in printed
    assert "抜粋: 資料の抜粋" in printed


def test_nothing_found_is_an_outcome_and_not_a_failure(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(retrieval(0))
    result = run("search", "営業の資料")
    assert result.exit_code == 0
    assert result.stdout.startswith("見つかりませんでした")


def test_names_and_summaries_are_printed_as_they_are_and_never_as_markup(
    scripted: Callable[..., ScriptedSearch],
) -> None:
    scripted(one(file_name="[draft]議事録[/b].pdf", summary="[bold]要点[/bold]", snippet="[link=x]抜粋[/link]"))
    printed = run("search", "営業の資料").stdout
    assert "[1] [draft]議事録[/b].pdf\n" in printed
    assert "要約: [bold]要点[/bold]\n" in printed
    assert "抜粋: [link=x]抜粋[/link]\n" in printed


def test_a_file_name_cannot_steer_the_terminal(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(one(file_name="a\x1b[2J\x1b]0;title\x07b\u202egnp.exe", summary="一行目\n[2] 偽の結果\r\n"))
    printed = run("search", "営業の資料").stdout
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(printed)
    assert "要約: 一行目 [2] 偽の結果" in printed


def test_a_long_link_stays_on_one_line(scripted: Callable[..., ScriptedSearch]) -> None:
    link = "https://example.com/" + "a" * 500
    scripted(one(link=link))
    assert f"Link: {link}\n" in run("search", "営業の資料").stdout


def test_the_trace_shows_every_round(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(retrieval(0), retrieval(3, 0.65))
    printed = run("search", "営業の資料", "--trace").stdout
    assert "1 回目 relax: 件数 0（正確な数）、最高類似度 なし、しきい値 0.70" in printed
    assert "2 回目 rerank: 件数 3（正確な数）、最高類似度 0.650、しきい値 0.60" in printed
    assert "判断の経過" not in run("search", "営業の資料").stdout


def test_a_question_that_may_be_meant_is_printed_and_in_the_json(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(replace(retrieval(1), respelled=(("議事禄", "議事録"),)))
    assert "\nもしかして: 九月の議事録\n" in run("search", "九月の議事禄").stdout
    assert json.loads(run("search", "九月の議事禄", "--json").stdout)["did_you_mean"] == ["九月の議事録"]
    scripted(retrieval(1))
    assert "もしかして" not in run("search", "営業の資料").stdout
    assert json.loads(run("search", "営業の資料", "--json").stdout)["did_you_mean"] == []


def test_offline_stand_ins_are_named(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(1))
    assert "オフライン" not in run("search", "営業の資料").stdout
    parts.model.model_name = "offline-chat"
    assert "オフラインの代役が答えました（言語モデル: offline-chat" in run("search", "営業の資料").stdout


def test_english_speaks_english(scripted: Callable[..., ScriptedSearch], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    scripted(retrieval(1))
    printed = run("search", "sales").stdout
    assert printed.startswith("One file was found.\n[1] ")
    assert "    Summary: " in printed


# Asked


def test_without_a_person_a_narrowing_question_is_printed_with_its_choices(
    scripted: Callable[..., ScriptedSearch],
) -> None:
    scripted(*NARROWING)
    printed = run("search", "営業の資料").stdout
    assert "どの部署の資料ですか？\n    1. 経理部 (48)\n    2. 営業部 (12)\n" in printed
    assert "[10] " in printed


@pytest.mark.parametrize("typed", ["2\n", "営業部\n", "営業部 (12)\n"])
def test_a_person_answers_by_number_or_label(
    scripted: Callable[..., ScriptedSearch],
    person_types: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    typed: str,
) -> None:
    parts = scripted(*NARROWING)
    person_types(typed)
    search_command("営業の資料")
    assert parts.index.asked[1].filters.folders == ("会社/営業部",)
    assert "3 件見つかりました" in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["\n", ""])
def test_enter_and_the_end_of_input_skip_the_question(
    scripted: Callable[..., ScriptedSearch],
    person_types: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    typed: str,
) -> None:
    scripted(*NARROWING)
    person_types(typed)
    search_command("営業の資料")
    assert "10 件以下に絞り込めませんでした" in capsys.readouterr().out


def test_with_no_input_nobody_is_asked(
    scripted: Callable[..., ScriptedSearch],
    person_types: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    scripted(*NARROWING)
    person_types("1\n")
    search_command("営業の資料", no_input=True)
    assert "60 件あります" in capsys.readouterr().out


def test_answers_are_used_in_turn(scripted: Callable[..., ScriptedSearch]) -> None:
    many = retrieval(60, facets=(folder_facet(営業部=30, 経理部=30),))
    parts = scripted(many, many, retrieval(3))
    result = run("search", "営業の資料", "--answer", "営業部", "--answer", "見積書", "--json")
    assert json.loads(result.stdout)["outcome"] == "found"
    assert [asked.threshold for asked in parts.index.asked] == [0.70, 0.70, 0.82]


# JSON


def test_json_is_one_document_that_says_what_the_search_object_says(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(*NARROWING)
    document = json.loads(run("search", "営業の資料", "--answer", "1", "--json").stdout)
    direct = ScriptedSearch(NARROWING).search.start("営業の資料", options=SearchOptions(surface="page"))
    direct.advance()
    expected = direct.answer("1")
    assert document["outcome"] == expected.outcome
    assert document["message"] == expected.message
    assert [item["file_id"] for item in document["evidence"]] == [item.file_id for item in expected.evidence]
    assert [done["branch"] for done in document["rounds"]] == [done.branch for done in expected.rounds]


def test_json_holds_no_time_of_the_search(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(retrieval(1))
    document = json.loads(run("search", "営業の資料", "--json").stdout)
    assert {"checked_at", "indexed_at"}.isdisjoint(document["evidence"][0])


def test_json_without_answers_says_what_it_would_ask(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(*NARROWING)
    document = json.loads(run("search", "営業の資料", "--json", "--no-input").stdout)
    assert document["outcome"] == "needs_answer"
    assert document["narrowing_question"] == "どの部署の資料ですか？"
    assert [(choice["label"], choice["count"]) for choice in document["choices"]] == [
        ("経理部", 48),
        ("営業部", 12),
        ("すべて表示", 60),
    ]
    assert len(document["evidence"]) == 10


def test_with_nothing_found_the_nearest_files_are_named_as_such(scripted: Callable[..., ScriptedSearch]) -> None:
    near = replace(retrieval(2), evidence=(evidence(1, 0.4), evidence(2, 0.39)))
    scripted(retrieval(0), retrieval(0), near)
    document = json.loads(run("search", "営業の資料", "--json").stdout)
    assert (document["outcome"], document["evidence"]) == ("not_found", [])
    assert [(item["file_id"], item["similarity"]) for item in document["closest"]] == [
        ("file-1", 0.4),
        ("file-2", 0.39),
    ]
    scripted(retrieval(0), retrieval(0), near)
    lines = run("search", "営業の資料").stdout.splitlines()
    assert lines[0].startswith("見つかりませんでした")
    assert lines.index("質問に近いファイル（該当するとは限りません）:") < lines.index("[1] 資料1.pdf")


def test_the_limit_caps_the_evidence_and_not_the_count(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(retrieval(120))
    document = json.loads(run("search", "営業の資料", "--limit", "3", "--json").stdout)
    assert len(document["evidence"]) == 3
    assert document["rounds"][0]["hit_count"] == 120


def test_evidence_is_retrieval_alone(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(5, limit=5))
    document = json.loads(run("evidence", "営業の資料", "--mode", "keyword", "--top-k", "5", "--json").stdout)
    assert [item["file_id"] for item in document["evidence"]] == [f"file-{n}" for n in range(5)]
    assert (parts.index.asked[0].mode, parts.index.asked[0].limit) == ("keyword", 5)
    assert parts.model.asked == []
    assert parts.embedder.embedded == []


# Filters


def test_options_become_filters_in_the_persons_time_zone(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(1))
    run("search", "--after", "2024-09-01", "--before", "2024-09-30", "--mime", "application/pdf", "レポート")
    filters = parts.index.asked[0].filters
    assert str(filters.modified_after) == "2024-09-01 00:00:00+09:00"
    assert str(filters.modified_before) == "2024-10-01 00:00:00+09:00"
    assert filters.mime_types == ("application/pdf",)


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        ("令和6年9月", "令和6年9月", ("2024-09-01 00:00:00+09:00", "2024-10-01 00:00:00+09:00")),
        ("2024-09", "2024/9/10", ("2024-09-01 00:00:00+09:00", "2024-09-11 00:00:00+09:00")),
        ("2024-09-01T09:00", "2024-09-01T10:00Z", ("2024-09-01 09:00:00+09:00", "2024-09-01 10:00:00+00:00")),
        ("先月", "先月", ("2026-10-01 00:00:00+09:00", "2026-11-01 00:00:00+09:00")),
        ("2024", "2024", ("2024-01-01 00:00:00+09:00", "2025-01-01 00:00:00+09:00")),
    ],
)
def test_days_months_years_and_instants_are_understood(
    scripted: Callable[..., ScriptedSearch], after: str, before: str, expected: tuple[str, str]
) -> None:
    parts = scripted(retrieval(1))
    run("search", "レポート", "--after", after, "--before", before)
    filters = parts.index.asked[0].filters
    assert (str(filters.modified_after), str(filters.modified_before)) == expected


@pytest.mark.parametrize("command", ["search", "evidence"])
def test_places_and_people_become_filters_and_several_of_a_kind_are_alternatives(
    scripted: Callable[..., ScriptedSearch], command: str
) -> None:
    parts = scripted(retrieval(1))
    run(
        command,
        "レポート",
        "--folder",
        "samples/営業部",
        "--folder",
        "/samples/総務部/規程/",
        "--owner",
        "佐藤 花子",
        "--editor",
        "鈴木",
        "--drive",
        "法務",
    )
    filters = parts.index.asked[0].filters
    assert filters == SearchFilters(
        folders=("samples/営業部", "samples/総務部/規程"), owners=("佐藤 花子",), editors=("鈴木",), drives=("法務",)
    )


def test_file_types_may_be_given_by_name(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(1))
    run("search", "レポート", "--mime", "pdf,csv", "--mime", "text/markdown")
    assert {"application/pdf", "text/csv", "text/markdown"} <= set(parts.index.asked[0].filters.mime_types)


@pytest.mark.parametrize(
    "arguments",
    [
        ("",),
        ("あ" * 1001,),
        ("レポート", "--after", "いつか"),
        ("レポート", "--after", "2024-13-45"),
        ("レポート", "--before", "9999-12-31"),
        ("レポート", "--after", "2024-09-02", "--before", "2024-09-01"),
        ("レポート", "--mime", "何か"),
        ("レポート", "--threshold", "7"),
        ("レポート", "--limit", "0"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(
    scripted: Callable[..., ScriptedSearch], arguments: tuple[str, ...]
) -> None:
    scripted(retrieval(1))
    result = run("search", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 2


# Groups and reasons


def test_versions_are_folded_under_the_result_with_what_makes_them_so(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(2))
    parts.contents.texts = {"file-0": "same", "file-1": "same"}
    printed = run("search", "営業の資料").stdout
    assert "[1] 資料0.pdf" in printed
    assert "[2]" not in printed
    assert "    ほか 1 件のコピー:\n    - 資料1.pdf  コピー  更新 2026-10-02\n" in printed
    assert "Link: https://example.com/1\n" in printed


def test_every_result_says_why_it_is_one_when_asked(scripted: Callable[..., ScriptedSearch]) -> None:
    told = {
        "fusion": "scores",
        "keyword_weight": 0.8,
        "score": 0.93,
        "vector": {"rank": 2, "cosine": 0.412, "similarity": 0.78},
        "matched_terms": ["経費", "[b]精算"],
    }
    scripted(one(explain=told))
    assert "理由" not in run("search", "営業の資料").stdout
    for command in ("search", "evidence"):
        printed = run(command, "営業の資料", "--explain").stdout
        assert "理由: スコア 0.930（統合の方法 scores、キーワードの重み 0.80）" in printed
        assert "理由: 埋め込み 2 位（コサイン 0.412、類似度 0.78）" in printed
        assert "理由: 一致した語 経費, [b]精算" in printed
        assert "キーワード 1 位" not in printed


def test_the_trace_says_why_each_result_is_one(scripted: Callable[..., ScriptedSearch]) -> None:
    scripted(one(explain={"matched_terms": ["経費"]}))
    assert "一致した語 経費" in run("search", "営業の資料", "--trace").stdout


def test_retrieval_alone_folds_nothing(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(2))
    parts.contents.texts = {"file-0": "same", "file-1": "same"}
    document = json.loads(run("evidence", "営業の資料", "--json").stdout)
    assert [item["group"] for item in document["evidence"]] == [None, None]


def test_the_trace_and_the_json_name_the_variants_and_how_to_do_without(
    scripted: Callable[..., ScriptedSearch],
) -> None:
    variant = Variant("kana", "サーバ", ("サーバー",))
    scripted(replace(retrieval(1), variants=(variant,)))
    printed = run("search", "サーバの更新", "--trace").stdout
    assert "表記ゆれ: サーバ → サーバー（かなの書き方: --matching-off kana で無効）" in printed
    document = json.loads(run("search", "サーバの更新", "--json").stdout)
    assert document["rounds"][0]["variants"] == [{"rule": "kana", "written": "サーバ", "others": ["サーバー"]}]


def test_rules_are_switched_off_by_the_setting_and_by_the_option_together(
    scripted: Callable[..., ScriptedSearch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_MATCHING_OFF", "Romaji")
    parts = scripted(retrieval(1))
    assert run("search", "サーバの更新", "--matching-off", "kana", "--matching-off", "ERA").exit_code == 0
    assert list(parts.index.asked[-1].matching.off) == ["romaji", "kana", "era"]
    assert run("evidence", "サーバの更新", "--matching-off", "kana").exit_code == 0
    assert list(parts.index.asked[-1].matching.off) == ["romaji", "kana"]


def test_what_was_read_from_the_question_can_be_lifted(scripted: Callable[..., ScriptedSearch]) -> None:
    parts = scripted(retrieval(1))
    run("search", "令和6年9月のPDF")
    assert parts.index.asked[-1].filters.period is not None
    run("search", "令和6年9月のPDF", "--any-period", "--any-type")
    filters = parts.index.asked[-1].filters
    assert not filters.period
    assert not filters.mime_types


def test_a_rule_that_does_not_exist_is_one_sentence_and_status_2(
    scripted: Callable[..., ScriptedSearch], monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(retrieval(1))
    asked = run("search", "サーバ", "--matching-off", "wareki")
    assert asked.exit_code == 2
    assert "wareki" in asked.stderr
    assert "quarter" in asked.stderr
    monkeypatch.setenv("LOCATOR_MATCHING_OFF", "wareki")
    set_wrongly = run("search", "サーバ")
    assert set_wrongly.exit_code == 2
    assert "LOCATOR_MATCHING_OFF" in set_wrongly.stderr


def test_the_synonym_dictionary_is_used_and_its_bad_lines_are_said(
    scripted: Callable[..., ScriptedSearch], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dictionary = tmp_path / "synonyms.txt"
    dictionary.write_text("# 社内の言い方\n稟議, 起案\n一語だけ\n", encoding="cp932")
    monkeypatch.setenv("LOCATOR_SYNONYMS", str(dictionary))
    parts = scripted(retrieval(1))
    printed = run("search", "稟議").stdout
    assert list(parts.index.asked[-1].matching.synonyms) == [("稟議", "起案")]
    assert "所有者の辞書（synonyms.txt）の 3 行目は読み飛ばしました" in printed
    dictionary.write_text("稟議, 起案, 決裁\n", encoding="utf-8")
    assert "行目" not in run("search", "稟議").stdout
    assert list(parts.index.asked[-1].matching.synonyms) == [("稟議", "起案", "決裁")]
    dictionary.unlink()
    assert "を読めません" in run("search", "稟議").stdout


# Opened

NAME = "-x 'a' \"b\" $(touch ran); touch ran & 資料.md"


@pytest.fixture
def opener(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file in which an opener of this system writes down what it was given, one argument a line."""
    told, folder = tmp_path / "told", tmp_path / "bin"
    folder.mkdir()
    for name in ("xdg-open", "open"):
        program = folder / name
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}\n')
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.chdir(tmp_path)
    return told


def found(folder: Path, mode: int = 0o644) -> Path:
    path = folder / NAME
    path.touch(mode)
    return path


def test_a_result_opens_with_the_program_of_this_machine_and_through_no_shell(
    scripted: Callable[..., ScriptedSearch], opener: Path, tmp_path: Path
) -> None:
    scripted(one(link=link_of(str(found(tmp_path)))))
    result = run("search", "営業の資料", "--open", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert opener.read_text() == f"{tmp_path / NAME}\n"
    assert not (tmp_path / "ran").exists()


def test_a_result_on_the_web_opens_by_its_address(scripted: Callable[..., ScriptedSearch], opener: Path) -> None:
    scripted(retrieval(2))
    run("search", "営業の資料", "--open", "2")
    assert opener.read_text() == "https://example.com/1\n"


@pytest.mark.parametrize("link", ["javascript:alert(1)", "--version", "smb://host/share"])
def test_other_links_are_told_and_not_opened(scripted: Callable[..., ScriptedSearch], opener: Path, link: str) -> None:
    scripted(one(link=link))
    assert link in run("search", "営業の資料", "--open", "1").stderr
    assert not opener.exists()


def test_what_could_be_run_is_told_and_not_opened(
    scripted: Callable[..., ScriptedSearch], opener: Path, tmp_path: Path
) -> None:
    path = found(tmp_path, 0o755)
    scripted(one(link=link_of(str(path))))
    assert str(path) in run("search", "営業の資料", "--open", "1").stderr
    assert not opener.exists()


def test_without_an_opener_the_path_is_told(
    scripted: Callable[..., ScriptedSearch], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = found(tmp_path)
    scripted(one(link=link_of(str(path))))
    result = run("search", "営業の資料", "--open", "1")
    assert result.exit_code == 0
    assert str(path) in result.stderr


def test_choosing_a_result_needs_a_terminal(scripted: Callable[..., ScriptedSearch], opener: Path) -> None:
    scripted(retrieval(1))
    result = run("search", "営業の資料", "--choose")
    assert result.exit_code == 2
    assert "--open 1" in result.stderr
    assert not opener.exists()


@pytest.mark.parametrize("number", ["0", "2", "-1"])
def test_a_number_of_no_result_is_refused(scripted: Callable[..., ScriptedSearch], opener: Path, number: str) -> None:
    scripted(retrieval(1))
    result = run("search", "営業の資料", "--open", number)
    assert (result.exit_code, result.stderr) == (2, f"{number} 番の結果はありません（結果は 1 件です）。\n")
    assert not opener.exists()


# To take away


def test_the_list_is_written_as_csv_and_as_a_workbook(scripted: Callable[..., ScriptedSearch], tmp_path: Path) -> None:
    for name in ("list.csv", "list.XLSX"):
        scripted(retrieval(2))
        assert "2 件見つかりました" in run("search", "営業の資料", "--export", str(tmp_path / name)).stdout
    rows = list(csv.DictReader((tmp_path / "list.csv").open(encoding="utf-8-sig")))
    assert [row["ファイル名"] for row in rows] == ["資料0.pdf", "資料1.pdf"]
    book = openpyxl.load_workbook(tmp_path / "list.XLSX")
    assert [row[1] for row in book["見つかったファイル"].iter_rows(min_row=3, values_only=True)] == [
        "資料0.pdf",
        "資料1.pdf",
    ]


def test_a_format_that_is_not_written_is_refused_before_anything_is_searched(
    scripted: Callable[..., ScriptedSearch], tmp_path: Path
) -> None:
    parts = scripted(retrieval(1))
    refused = run("search", "営業の資料", "--export", str(tmp_path / "list.pdf"))
    assert (refused.exit_code, parts.index.asked) == (2, [])
    assert ".csv か .xlsx" in refused.stderr
