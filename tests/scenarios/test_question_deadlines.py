"""Every fault of a model server against every way to ask the index: an answer in time, with evidence, that says so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import psycopg
import pytest
from mcp import Client

from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings
from locator_search.core.model_results import KEYWORDS_ONLY
from locator_search.mcp_server.index_tools import IndexTools
from locator_search.mcp_server.serving import server_for
from tests.builders.commands import run_command
from tests.builders.report_folder import index_everything, write_files
from tests.fakes.faulty_server import FAULTS, FaultyServer, closed_port, faulty_server, hangs

SECONDS = 4.0
SLACK = 10.0
"""For a machine that is busy."""
STAND_IN = OfflineChatModel.model_name
QUESTION = "北斗製鋼の秘密保持契約"
WANTED = "秘密保持契約書.md"
FILES = {
    f"法務/{WANTED}": "# 秘密保持契約書\n\n北斗製鋼との秘密保持契約書、契約番号 K-2024-017。\n",
    "法務/業務委託.md": "# 業務委託\n\n南星電機との業務委託。\n",
    **{f"総務/報告{n:02}.md": f"# 報告 {n}\n\n備品{n}の点検を報告する。\n" for n in range(12)},
}


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as started:
        yield started


@pytest.fixture(scope="module")
def settings(
    server: FaultyServer, database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("deadlines")
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE deadlines TEMPLATE template")
    made = {
        "database_url": database_server.url.replace("/postgres?", "/deadlines?", 1),
        "locator_folders": str(write_files(root / "資料", FILES)),
        "locator_home": str(root / "home"),
        "openai_base_url": server.url,
        "openai_api_key": "sk-test",
        "locator_search_seconds": SECONDS,
    }
    with open_locator(load_settings(**made)) as locator:
        index_everything(locator)
    return made


@contextmanager
def in_time(seconds: float = SECONDS) -> Iterator[None]:
    began = monotonic()
    yield
    assert monotonic() - began < seconds + SLACK


@pytest.mark.parametrize("fault", FAULTS)
def test_a_search_answers_whatever_the_models_do(server: FaultyServer, settings: dict[str, Any], fault: str) -> None:
    server.faults = {"": FAULTS[fault]}
    with open_locator(load_settings(**settings)) as locator, in_time():
        run = locator.drive_search.start(f"{QUESTION} {fault}")  # nothing of it is remembered
        outcome = run.advance()
    assert outcome.outcome == "found"
    assert outcome.evidence[0].file_name == WANTED
    notes = " ".join(outcome.notes)
    if fault != "embeddings of another size":  # the others are of no use as answers to a prompt either
        assert run.models == {"chat": STAND_IN, "embedding": KEYWORDS_ONLY}
    assert "言語モデル（gpt-6-luna）を使えない" in notes
    assert "埋め込みモデル（text-embedding-3-small）を使えない" in notes
    assert ("OPENAI_API_KEY" in notes) == (fault == "a refused key")


@pytest.mark.parametrize(
    ("path", "models"),
    [
        ("/chat/completions", {"chat": STAND_IN, "embedding": "text-embedding-3-small"}),
        ("/embeddings", {"chat": "gpt-6-luna", "embedding": KEYWORDS_ONLY}),
    ],
)
def test_one_model_that_hangs_takes_nothing_from_the_other(
    server: FaultyServer, settings: dict[str, Any], path: str, models: dict[str, str]
) -> None:
    server.faults = {path: hangs}
    with open_locator(load_settings(**settings)) as locator, in_time():
        run = locator.drive_search.start(f"{QUESTION} {path}")
        outcome = run.advance()
    assert outcome.evidence
    assert run.models == models


def test_a_replay_asks_nobody_and_names_the_same_models(server: FaultyServer, settings: dict[str, Any]) -> None:
    server.faults = {"": FAULTS["drops the connection"]}
    with open_locator(load_settings(**settings)) as locator:
        run = locator.drive_search.start("再現する 北斗製鋼")
        outcome = run.advance()
        asked = len(server.asked)
        replayed = locator.drive_search.resume(run.log)
        assert replayed.outcome == outcome
        assert replayed.models == run.models
        assert replayed.models["chat"] == STAND_IN
        assert len(server.asked) == asked


def test_the_next_question_does_not_wait_for_a_model_that_hangs(server: FaultyServer, settings: dict[str, Any]) -> None:
    server.faults = {"": hangs}
    with open_locator(load_settings(**settings)) as locator:
        locator.drive_search.start("一つ目の 報告").advance()
        asked = len(server.asked)
        assert locator.drive_search.start("二つ目の 北斗製鋼").advance().evidence
        assert len(server.asked) == asked


def test_reasons_are_told_in_english_too(server: FaultyServer, settings: dict[str, Any]) -> None:
    server.faults = {"": FAULTS["a refused key"]}
    with open_locator(load_settings(**settings, locator_language="en")) as locator:
        notes = " ".join(locator.drive_search.start("北斗製鋼 in English").advance().notes)
    assert "An offline stand-in answered in place of the language model gpt-6-luna (the key was refused" in notes
    assert "check OPENAI_API_KEY" in notes


@pytest.mark.parametrize("fault", ["hangs", "dribbles the body", "HTML with 200", "a refused key", "useless answers"])
def test_our_mcp_server_answers_whatever_the_embedding_model_does(
    server: FaultyServer, settings: dict[str, Any], fault: str
) -> None:
    server.faults = {"": FAULTS[fault]}
    made = load_settings(**settings)
    tools = IndexTools(made)

    async def ask() -> list[dict[str, Any]]:
        async with Client(server_for(tools, made)) as client:
            calls = {"search": {"query": f"{QUESTION} {fault} m"}, "get_evidence": {"query": f"{QUESTION} {fault} e"}}
            return [
                (await client.call_tool(name, arguments)).structured_content or {} for name, arguments in calls.items()
            ]

    try:
        with in_time(2 * SECONDS):
            found, evidence = asyncio.run(ask())
    finally:
        tools.close()
    assert found["results"][0]["title"] == WANTED
    assert evidence["evidence"][0]["title"] == WANTED
    for answer in (found, evidence):
        assert "埋め込みモデル（text-embedding-3-small）を使えない" in answer["note"]


def command(settings: dict[str, Any], folder: Path, *arguments: str) -> dict[str, Any]:
    environment = {name.upper(): str(value) for name, value in settings.items()} | {"PATH": "/usr/bin:/bin"}
    done = run_command(*arguments, "--json", environment=environment, folder=folder)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_commands_answer_and_say_who_did(server: FaultyServer, settings: dict[str, Any], tmp_path: Path) -> None:
    server.faults = {"": FAULTS["a refused key"]}
    evidence = command(settings, tmp_path, "evidence", f"{QUESTION} command")
    assert evidence["evidence"][0]["file_name"] == WANTED
    assert evidence["models"] == {"embedding": KEYWORDS_ONLY}
    assert "埋め込みモデル" in evidence["notes"][0]
    found = command(settings, tmp_path, "search", f"{QUESTION} command")
    assert found["evidence"][0]["file_name"] == WANTED
    assert found["models"] == {"chat": STAND_IN, "embedding": KEYWORDS_ONLY}


def test_a_server_that_is_not_there_is_done_without(settings: dict[str, Any]) -> None:
    with open_locator(load_settings(**settings | {"openai_base_url": closed_port()})) as locator, in_time():
        outcome = locator.drive_search.start("どこにもない 北斗製鋼").advance()
    assert outcome.evidence[0].file_name == WANTED


def test_vectors_that_were_asked_for_alone_are_not_replaced_by_words(
    server: FaultyServer, settings: dict[str, Any], tmp_path: Path
) -> None:
    server.faults = {"": FAULTS["a refused key"]}
    patient = settings | {"locator_search_seconds": 60}
    environment = {name.upper(): str(value) for name, value in patient.items()} | {"PATH": "/usr/bin:/bin"}
    done = run_command("evidence", "ベクトルだけ", "--mode", "vector", environment=environment, folder=tmp_path)
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr


def test_words_do_where_the_index_was_made_with_another_embedding_model(
    server: FaultyServer, settings: dict[str, Any], tmp_path: Path
) -> None:
    server.faults = {}
    changed = settings | {"openai_embedding_model": "text-embedding-3-large"}
    found = command(changed, tmp_path, "search", f"{QUESTION} changed")
    assert found["evidence"][0]["file_name"] == WANTED
    assert found["models"]["embedding"] == KEYWORDS_ONLY
    assert "別の埋め込みモデル" in " ".join(found["notes"])
    evidence = command(changed, tmp_path, "evidence", f"{QUESTION} changed")
    assert evidence["evidence"][0]["file_name"] == WANTED
    assert "db reindex" in evidence["notes"][0]
