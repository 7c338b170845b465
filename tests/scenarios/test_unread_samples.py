"""The files of the sample folder that cannot be read, asked for by their names on every surface."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

import psycopg
import pytest
import streamlit as st
from mcp import Client
from streamlit.testing.v1 import AppTest

import streamlit_app
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import Locator
from locator_search.config.bundled import bundled
from locator_search.config.settings import Settings, load_settings
from locator_search.locales.reasons import reason_text
from locator_search.mcp_server.index_tools import IndexTools
from locator_search.mcp_server.serving import server_for
from locator_search.ports import KnownFile
from streamlit_app.shared import session
from tests.builders.commands import run_command
from tests.builders.report_folder import index_everything

APP = Path(streamlit_app.__file__).with_name("app.py")


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE unread_samples TEMPLATE template")
    url = database_server.url.replace("/postgres?", "/unread_samples?", 1)
    home, folder = tmp_path_factory.mktemp("unread"), str(bundled("samples"))
    made = load_settings(database_url=url, locator_folders=(folder,), locator_home=home)
    with Locator(made) as locator:
        index_everything(locator)
    return made


@pytest.fixture(scope="module")
def unread(settings: Settings) -> list[KnownFile]:
    """One for each way of being unreadable that the samples have, and more."""
    with Locator(settings) as locator:
        files = locator.status_reader.files_in(["pending", "skipped", "failed", "no_access"])
    assert {known.reason.partition(":")[0] for known in files} == {"empty", "encrypted", "image", "corrupt"}
    return files


def questions_for(known: KnownFile) -> tuple[str, str]:
    """Its name, and its name as people say it."""
    return known.file.file_name, PurePath(known.file.file_name).stem


def why(known: KnownFile) -> str:
    return reason_text(known.reason, "ja").words


def environment_of(settings: Settings) -> dict[str, str]:
    return {
        "DATABASE_URL": str(settings.database_url),
        "LOCATOR_FOLDERS": settings.locator_folders[0],
        "LOCATOR_HOME": str(settings.locator_home),
    }


def by_command(settings: Settings, question: str, *options: str) -> str:
    environment = {**os.environ, **environment_of(settings)}
    ended = run_command(
        "search", question, "--no-input", *options, environment=environment, folder=settings.home.parent
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def by_mcp(settings: Settings, *queries: str) -> list[dict[str, Any]]:
    async def conversation(tools: IndexTools) -> list[dict[str, Any]]:
        async with Client(server_for(tools, settings)) as client:
            results = [await client.call_tool("search", {"query": query}) for query in queries]
        return [dict(result.structured_content or {}) for result in results]

    tools = IndexTools(settings)
    try:
        return asyncio.run(conversation(tools))
    finally:
        tools.close()


@pytest.fixture
def page(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    for name, value in environment_of(settings).items():
        monkeypatch.setenv(name, value)
    st.cache_resource.clear()
    st.cache_data.clear()
    yield AppTest.from_file(APP, default_timeout=200).run()
    session.locator().close()
    st.cache_resource.clear()
    st.cache_data.clear()


def test_the_command_names_them_first_and_says_why(settings: Settings, unread: list[KnownFile]) -> None:
    for known in unread:
        for question in questions_for(known):
            document = json.loads(by_command(settings, question, "--json"))
            assert document["message"].startswith(f"お探しの「{known.file.file_name}」はありますが"), question
            first = document["unread"][0]
            assert {name: first[name] for name in ("file_id", "file_name", "state", "reason", "named")} == {
                "file_id": known.file.file_id,
                "file_name": known.file.file_name,
                "state": known.state,
                "reason": known.reason,
                "named": True,
            }
            assert why(known) in first["sentence"]
            assert document["coverage"] == {"listed": 91, "searchable": 91 - len(unread), "unread": len(unread)}
    told = by_command(settings, unread[0].file.file_name)
    place = told.index("名前が合い、読み取れていないファイル")
    assert "[1] " not in told[:place]
    assert "一覧の 91 件中 86 件を検索しました。5 件は読み取れていません（document-locator status）。" in told


def test_the_page_names_them_above_everything_else(page: AppTest, unread: list[KnownFile]) -> None:
    for known in unread:
        for question in questions_for(known):
            page.text_input(key="question").set_value(question).run()
            assert not page.exception
            told = [element.value for element in page.html]
            (box,) = [place for place, text in enumerate(told) if 'class="dl-card dl-unread"' in text]
            cards = [place for place, text in enumerate(told) if 'class="dl-rank"' in text]
            assert box < min(cards, default=len(told)), question
            assert known.file.file_name in told[box], question
            assert why(known) in told[box]
            (outcome,) = [text for text in told if "お探しの「" in text]
            assert known.file.file_name in outcome
            assert any("5 件は読み取れていません" in text for text in told)


def test_the_mcp_server_names_them(settings: Settings, unread: list[KnownFile]) -> None:
    asked = [(known, question) for known in unread for question in questions_for(known)]
    for (known, question), answer in zip(asked, by_mcp(settings, *(question for _, question in asked)), strict=True):
        first = answer["unread"][0]
        assert (first["title"], first["named"], first["reason"]) == (known.file.file_name, True, known.reason), question
        assert why(known) in first["explanation"]
        assert known.file.file_name in answer["message"]
        assert answer["coverage"]["unread"] == len(unread)


def test_part_of_a_name_is_told_below_what_was_found_and_other_conditions_hold(settings: Settings) -> None:
    below, excel, month, nothing, unlike = by_mcp(
        settings,
        "北斗製鋼の秘密保持契約書",
        "人事評価結果のエクセル",
        "2023年5月のネットワーク構成図",
        "ファイルサーバーの移行計画",
        "経費精算の手順",
    )
    assert below["outcome"] == "found"
    assert below["message"].startswith(f"{len(below['results'])} 件見つかりました")
    assert [(file["title"], file["named"]) for file in below["unread"]] == [
        ("秘密保持契約書_K-2024-017_押印済みスキャン.pdf", False)
    ]
    assert unlike["unread"] == []
    assert nothing["outcome"] == "not_found"
    assert nothing["message"].startswith("本文を検索できる資料には見つかりませんでした。名前の合う「ファイルサーバー")
    for dropped in (excel, month):  # no file met the condition, and it is said that it no longer holds
        assert "外しました" in dropped["note"]
        assert dropped["unread"]


def test_the_mcp_server_reads_periods_and_kinds_and_says_when_nothing_is_found(settings: Settings) -> None:
    sales, unknown = by_mcp(settings, "2026年10月の売上のPDF", "火星の植民地の議会選挙")
    assert [item["title"] for item in sales["results"]] == ["売上報告 2026年10月.pdf"]
    assert sales["conditions"] == ["期間を 2026-10 (2026年10月) に絞りました。", "種類を PDF に絞りました。"]
    assert (unknown["outcome"], unknown["results"]) == ("not_found", [])
    assert unknown["message"].startswith("見つかりませんでした。")


def test_a_program_answers_the_narrowing_question_with_the_query_of_a_choice(settings: Settings) -> None:
    (asked,) = by_mcp(settings, "議事録")
    assert asked["outcome"] == "needs_answer"
    assert asked["narrowing_question"]
    choice: Mapping[str, Any] = min(asked["choices"], key=lambda choice: int(choice["count"]))
    chosen, in_words = by_mcp(settings, choice["query"], "議事録 #answer=安全衛生委員会")
    assert chosen["outcome"] == "found"
    assert 0 < len(chosen["results"]) <= choice["count"]
    assert in_words["results"][0]["title"].startswith("安全衛生委員会議事録")
