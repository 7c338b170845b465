"""The Dagster home: our files are kept up to date, the user's own are respected, or refused with what they lack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from locator_assets.dagster_files import ensure_dagster_yaml, workspace_yaml
from locator_search.config.bundled import bundled
from locator_search.core.errors import ConfigurationError
from tests.builders.command_line import app

STORAGE = "storage:\n  postgres:\n    postgres_url:\n      env: DAGSTER_POSTGRES_URL\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dagster.yaml"


def settings_in(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def test_a_new_home_gets_our_file_which_says_whose_it_is(file: Path) -> None:
    ensure_dagster_yaml(file.parent)
    assert settings_in(file) == yaml.safe_load(bundled("dagster.yaml").read_text("utf-8"))
    assert "the file is yours and stays" in file.read_text("utf-8").splitlines()[0]


def test_what_nobody_changed_is_brought_up_to_date(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "dagster.yaml"
    other.write_text(f"{STORAGE}nux:\n  enabled: false\n", "utf-8")
    with monkeypatch.context() as former_version:
        former_version.setattr("locator_assets.dagster_files.bundled", lambda _name: other)
        ensure_dagster_yaml(file.parent)
    former = settings_in(file)
    ensure_dagster_yaml(file.parent)
    assert former != settings_in(file) == yaml.safe_load(bundled("dagster.yaml").read_text("utf-8"))


def test_there_is_room_for_as_many_runs_as_crawl_slots_and_for_others(file: Path) -> None:
    ensure_dagster_yaml(file.parent)
    ensure_dagster_yaml(file.parent, crawl_slots=7)
    assert settings_in(file)["concurrency"]["runs"]["max_concurrent_runs"] == 10


def test_what_the_user_changed_stays(file: Path) -> None:
    ensure_dagster_yaml(file.parent)
    changed = file.read_text("utf-8").replace("max_concurrent_runs: 4", "max_concurrent_runs: 9")
    file.write_text(changed, "utf-8")
    ensure_dagster_yaml(file.parent)
    assert file.read_text("utf-8") == changed


def test_a_file_of_the_users_own_with_too_little_room_stays_and_that_is_said_once(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ensure_dagster_yaml(file.parent)
    changed = file.read_text("utf-8") + "run_launcher: {module: dagster, class: DefaultRunLauncher}\n"
    file.write_text(changed, "utf-8")
    ensure_dagster_yaml(file.parent, crawl_slots=1)
    assert caplog.messages == []
    for _ in range(2):
        ensure_dagster_yaml(file.parent, crawl_slots=8)
    [said] = caplog.messages
    assert "lets 4 runs go on at once: LOCATOR_CRAWL_SLOTS=8 needs 11 (max_concurrent_runs" in said
    assert str(file) in said
    assert file.read_text("utf-8") == changed


@pytest.mark.parametrize(
    ("runs", "slots", "said"),
    [("max_concurrent_runs: 11", 8, 0), ("max_concurrent_runs: -1", 90, 0), ("{}", 7, 0), ("{}", 8, 1)],
)
def test_room_is_what_a_file_of_the_users_own_gives_or_dagster(
    file: Path, caplog: pytest.LogCaptureFixture, runs: str, slots: int, said: int
) -> None:
    file.write_text(f"{STORAGE}concurrency:\n  runs:\n    {runs}\n", "utf-8")
    ensure_dagster_yaml(file.parent, crawl_slots=slots)
    assert len(caplog.messages) == said


def test_a_file_written_anew_stays_and_is_not_taken_for_ours_by_our_first_line(file: Path) -> None:
    ensure_dagster_yaml(file.parent)
    first = file.read_text("utf-8").splitlines(keepends=True)[0]
    for own in (STORAGE, first + STORAGE):
        file.write_text(own, "utf-8")
        ensure_dagster_yaml(file.parent)
        assert file.read_text("utf-8") == own


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("run_launcher: {}\n", "does not keep Dagster's records in the database of the index"),
        ("storage:\n  sqlite:\n    base_dir: /tmp/x\n", "does not keep Dagster's records in the database of the index"),
        ("- a list\n", "does not keep Dagster's records in the database of the index"),
        ("storage: [\n", "is not valid YAML (line 2)"),
    ],
)
def test_a_file_that_lacks_what_we_need_is_refused_in_a_sentence(file: Path, text: str, sentence: str) -> None:
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError) as refused:
        ensure_dagster_yaml(file.parent)
    assert str(file) in refused.value.message
    assert sentence in refused.value.message
    assert file.read_text("utf-8") == text


def test_a_workspace_of_the_users_own_is_used_and_ours_otherwise(tmp_path: Path) -> None:
    assert workspace_yaml(tmp_path) == bundled("workspace.yaml")
    own = tmp_path / "workspace.yaml"
    own.write_text("load_from:\n  - grpc_server: {host: indexer-1, port: 4266}\n", "utf-8")
    assert workspace_yaml(tmp_path) == own
    own.write_text("load_form: []\n", "utf-8")
    with pytest.raises(ConfigurationError, match="names no code location"):
        workspace_yaml(tmp_path)


@pytest.fixture
def crawled_home(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "documents").mkdir()
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCATOR_FOLDERS", str(tmp_path / "documents"))
    folder = tmp_path / "home" / "dagster"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.dagster_tables
def test_a_crawl_with_a_file_that_dagster_refuses_says_so_in_a_sentence(crawled_home: Path) -> None:
    (crawled_home / "dagster.yaml").write_text(f"{STORAGE}run_lancher: {{}}\n", "utf-8")
    result = CliRunner().invoke(app, ["crawler"])
    assert result.exit_code == 2, result.output
    assert "を受け付けません" in result.stderr
    assert "run_lancher" in result.stderr
    assert len(result.stderr.splitlines()) == 2


@pytest.mark.dagster_tables
def test_a_crawl_keeps_to_the_users_own_file(crawled_home: Path) -> None:
    own = f"{STORAGE}concurrency:\n  runs:\n    max_concurrent_runs: 9\n"
    (crawled_home / "dagster.yaml").write_text(own, "utf-8")
    result = CliRunner().invoke(app, ["crawler", "--json"])
    assert result.exit_code == 0, result.output
    assert (crawled_home / "dagster.yaml").read_text("utf-8") == own
