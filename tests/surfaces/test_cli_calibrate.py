"""`document-locator calibrate` over a real index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.index.calibration_store import PostgresCalibrationStore
from locator_search.cli.operating.status import status
from locator_search.cli.quality.calibrate import calibrate
from locator_search.evaluation import calibrate as measuring
from tests.builders.judged_corpus import load_small_corpus

commands = typer.Typer()
commands.command()(calibrate)
commands.command()(status)


@pytest.fixture
def store(tmp_path: Path, database_url: str, database: Database, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))
    monkeypatch.setattr(measuring, "QUESTIONS", 60)
    load_small_corpus(PostgresIndexStore(database), 35)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, list(arguments))


@pytest.mark.usefixtures("store")
def test_it_measures_keeps_and_shows_what_it_measured(database: Database) -> None:
    kept = PostgresCalibrationStore(database)
    tried = run("calibrate", "--dry-run")
    assert "保存していません" in tried.stdout
    assert kept.measured() is None

    result = run("calibrate", "--json")
    figures = json.loads(result.stdout)
    measured = kept.measured()
    assert measured is not None
    assert (figures["kept"], figures["files"]) == (True, 35)
    assert [tuple(anchor) for anchor in figures["anchors"]] == list(measured.anchors)
    assert "offline-hashed-ngrams-2（オフラインの代役）" in result.stderr
    assert json.loads(run("status", "--json").stdout)["calibration"]["files"] == 35
    assert "35 件のファイルで測定" in run("status").stdout

    assert "出荷時の値に戻しました" in run("calibrate", "--reset").stdout
    assert kept.measured() is None
    assert json.loads(run("calibrate", "--reset", "--json").stdout) == {"reset": False}
    assert "出荷時の値" in run("status").stdout
    with database.connection() as connection:
        connection.execute("UPDATE index_profile SET embedding_model = 'another'")
    assert "無関係な文章のコサインを起点" in run("status").stdout


@pytest.mark.usefixtures("store")
def test_status_asks_for_another_measurement_when_the_index_has_doubled(database: Database) -> None:
    run("calibrate")
    assert "索引が倍以上になりました" not in run("status").stdout
    with database.connection() as connection:
        connection.execute("UPDATE index_profile SET calibrated_files = 17")
    assert "索引が倍以上になりました" in run("status").stdout


@pytest.mark.usefixtures("store")
def test_a_small_index_is_refused_and_keeps_the_shipped_profile(database: Database) -> None:
    with database.connection() as connection:
        connection.execute("DELETE FROM drive_file_index WHERE file_id > 'file-2'")
    result = run("calibrate")
    assert result.exit_code == 1
    assert "30 件以上の索引済みファイルが必要" in result.stderr
    assert PostgresCalibrationStore(database).measured() is None


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("arguments", [(), ("--json",), ("--dry-run",)])
def test_an_index_whose_files_say_all_the_same_is_refused_and_nothing_is_written(
    database: Database, arguments: Sequence[str]
) -> None:
    assert run("calibrate").exit_code == 0
    before = PostgresCalibrationStore(database).measured()
    with database.connection() as connection:
        connection.execute(
            "UPDATE file_chunk SET embedding = (SELECT embedding FROM file_chunk ORDER BY chunk_id LIMIT 1)"
        )
        connection.execute(
            "UPDATE embedding_code SET (code, fine) = (SELECT code, fine FROM embedding_code ORDER BY 1 LIMIT 1)"
        )
    result = run("calibrate", *arguments)
    assert result.exit_code == 1
    assert "どのしきい値でも見分けられません" in "".join(result.stderr.split())
    assert PostgresCalibrationStore(database).measured() == before


@pytest.mark.usefixtures("store")
def test_reset_and_dry_run_exclude_each_other() -> None:
    assert run("calibrate", "--reset", "--dry-run").exit_code == 2
