"""`document-locator db`: apply, status, reindex."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import (
    Database,
    PostgresEmbeddingMemo,
    PostgresExtractionMemo,
    PostgresIndexStore,
)
from locator_search.model import Block, Document, Extraction
from tests.builders.command_line import app
from tests.builders.index import index_entry

RUNNER = CliRunner()


@pytest.fixture
def command_database(database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DATABASE_URL", database_url)
    return database_url


def test_apply_names_what_it_applied_and_is_safe_to_repeat(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", empty_database_url)
    before = json.loads(RUNNER.invoke(app, ["db", "status", "--json"]).stdout)
    first, second = (json.loads(RUNNER.invoke(app, ["db", "apply", "--json"]).stdout) for _ in range(2))
    after = json.loads(RUNNER.invoke(app, ["db", "status", "--json"]).stdout)
    assert before["pending"] == first["applied"] == after["applied"] != []
    assert (before["applied"], second["applied"], after["pending"]) == ([], [], [])


def test_status_tells_the_server_and_the_rows(command_database: str, database: Database) -> None:
    PostgresIndexStore(database).replace(index_entry(texts=["一", "二"]), "pipeline-1")
    shown = RUNNER.invoke(app, ["db", "status"])
    assert shown.exit_code == 0
    assert "外部" in shown.stdout
    assert "2  file_chunk" in shown.stdout
    assert "model-of-the-tests" in shown.stdout


def test_reindex_asks_before_it_empties_the_index_of_another_model(command_database: str, database: Database) -> None:
    PostgresIndexStore(database).replace(index_entry(), "pipeline-1")
    refused = RUNNER.invoke(app, ["db", "reindex"], input="n\n")
    assert refused.exit_code == 1
    status = json.loads(RUNNER.invoke(app, ["db", "status", "--json"]).stdout)
    assert status["rows"]["drive_file_index"] == 1

    cleared = json.loads(RUNNER.invoke(app, ["db", "reindex", "--yes", "--json"]).stdout)
    assert (cleared["former_model"], cleared["cleared"]) == ("model-of-the-tests", 1)
    again = json.loads(RUNNER.invoke(app, ["db", "reindex", "--json"]).stdout)
    assert again["cleared"] == 0


def test_forced_the_embeddings_of_the_same_model_are_forgotten_as_well(
    command_database: str, database: Database
) -> None:
    entry = index_entry(embedding_model=OfflineEmbedder.model_name)
    PostgresIndexStore(database).replace(entry, "pipeline-1")
    memo = PostgresEmbeddingMemo(database)
    memo.learn_width(OfflineEmbedder.model_name, 100)
    assert entry.embedding is not None
    memo.put(OfflineEmbedder.model_name, {"key": entry.embedding})
    assert json.loads(RUNNER.invoke(app, ["db", "reindex", "--json"]).stdout)["cleared"] == 0
    cleared = json.loads(RUNNER.invoke(app, ["db", "reindex", "--force", "--yes", "--json"]).stdout)
    assert cleared["cleared"] == 1
    assert memo.learn_width(OfflineEmbedder.model_name, 1024) == 1024
    assert memo.get(OfflineEmbedder.model_name, ["key"]) == {}


@pytest.mark.dagster_tables
def test_forget_says_what_it_forgot(command_database: str, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_FORGET_DAYS", "0")
    memo = PostgresExtractionMemo(database)
    memo.put("of nobody", "1", Extraction("ok", Document((Block("paragraph", "本文"),), "text/plain")))
    done = json.loads(RUNNER.invoke(app, ["db", "forget", "--json"]).stdout)
    assert done["forgotten"] == {"texts": 1, "answers": 0, "embeddings": 0}
    assert memo.get("of nobody", "1") == (None, 0)
    assert "本文 0 件" in RUNNER.invoke(app, ["db", "forget"]).stdout


def test_a_database_that_cannot_be_reached_is_one_sentence_and_exit_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:s3cret@127.0.0.1:1/files")
    failed = RUNNER.invoke(app, ["db", "apply"])
    assert failed.exit_code == 1
    assert "127.0.0.1:1/files の PostgreSQL に接続できません" in failed.stderr
    assert "s3cret" not in failed.output
    assert "Traceback" not in failed.output
