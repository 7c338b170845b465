"""The commands over Google Drive, as a person runs them: settings in the environment, an emulated Drive behind."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from locator_search.app import sources
from locator_search.dev.drive_emulator import DriveEmulator
from tests.builders.command_line import app

pytestmark = pytest.mark.dagster_tables


@pytest.fixture
def target(drive: DriveEmulator, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = drive.add_folder("共有")
    for name, value in drive.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GOOGLE_DRIVE_TARGET_FOLDER_IDS", folder)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setattr(sources, "LONGEST_CHECK_SECONDS", 60.0)  # the machine may be busy
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_crawl_search_and_crawl_again(drive: DriveEmulator, target: str) -> None:
    drive.add_document("点検の記録", "# 点検\n\n冷却ファンを交換した。", target)
    drive.add_file("議事録.txt", "予算を決めた。", target)
    drive.add_workspace_file("申込書", "form", target)
    first = answer("crawler")
    assert (first["mode"], first["listed"], first["indexed"], first["skipped"]) == ("full", 3, 2, {"google-form": 1})
    drive.clear_requests()
    second = answer("crawler")
    assert (second["mode"], second["listed"], second["indexed"], second["unchanged"]) == ("diff", 3, 0, 2)
    assert drive.request_counts()["changes.list"] == 1
    assert not drive.request_counts()["files.list"]
    [found] = answer("search", "冷却ファンの交換", "--no-input")["evidence"]
    assert (found["file_name"], found["verified"], found["freshness"]) == ("点検の記録", True, "verified")


def test_a_limit_leaves_files_for_the_next_crawl_and_none_for_ever(drive: DriveEmulator, target: str) -> None:
    drive.add_synthetic(7, target)
    seen = [answer("crawler", "--limit", "3")["indexed"] for _ in range(4)]
    assert seen == [3, 3, 1, 0]


def test_a_full_crawl_reads_everything_and_pays_for_nothing(drive: DriveEmulator, target: str) -> None:
    drive.add_synthetic(3, target)
    answer("crawler")
    drive.clear_requests()
    again = answer("crawler", "--mode", "full")
    assert (again["mode"], again["unchanged"], again["model_calls"]) == ("full", 3, 0)
    assert drive.request_counts()["files.media"] == 3


def test_the_folder_of_a_first_try_is_named_with_the_command_that_removes_it(
    drive: DriveEmulator, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "試し").mkdir()
    (tmp_path / "試し" / "見本.txt").write_text("見本の文書", "utf-8")
    with monkeypatch.context() as before:
        for name in drive.environment():
            before.delenv(name)
        before.setenv("LOCATOR_FOLDERS", str(tmp_path / "試し"))
        assert answer("crawler")["indexed"] == 1
    drive.add_file("本番.txt", "本番の文書", target)
    report = answer("crawler")
    assert (report["listed"], report["indexed"], report["deleted"]) == (1, 1, 0)
    status = answer("status")
    assert status["states"] == {"indexed": 1}
    [warning] = status["warnings"]
    assert (warning["kind"], warning["files"]) == ("left", 1)
    assert warning["command"] == f"document-locator roots remove {shlex.quote(str(tmp_path / '試し'))}"
    assert answer("roots", "remove", str(tmp_path / "試し")) == {"root": str(tmp_path / "試し"), "removed": 1}
    assert answer("status")["warnings"] == []


def test_a_wrong_target_folder_is_one_sentence(drive: DriveEmulator, target: str) -> None:
    drive.trash(target)
    result = run("crawler")
    assert result.exit_code == 1
    assert f"{target} はゴミ箱にあります" in result.stderr
    assert "Traceback" not in result.output


def test_doctor_names_the_folders_and_what_is_wrong_with_the_sign_in(drive: DriveEmulator, target: str) -> None:
    assert answer("doctor")["parts"]["source"]["detail"] == "google_drive: 共有"
    drive.oauth.revoke()
    source = answer("doctor")["parts"]["source"]
    assert source["state"] == "failing"
    assert "invalid_grant" in source["detail"]
    assert "7 日" in source["hint"]
