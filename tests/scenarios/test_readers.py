"""Rules in a folder, the crawl, and a person at the command: who is not named or may not read is shown nothing."""

from __future__ import annotations

import json
import os
import pwd
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.cli.main import app
from locator_search.config.readers import command_reader, reader_with_claims, reader_with_mail
from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied, ConfigurationError
from tests.builders.report_folder import trim_to_readers

RULES = """
[[rule]]
path = "*"
readers = ["@example.com"]

[[rule]]
path = "人事"
readers = ["group:hr@example.com"]
"""
GROUPS = '[groups]\n"hr@example.com" = ["Aki@example.com"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    company = tmp_path / "会社"
    (company / "人事").mkdir(parents=True)
    (company / "案内.txt").write_text("全員への案内", "utf-8")
    (company / "人事" / "評価.txt").write_text("評価の記録", "utf-8")
    return company


def listed(folder: Path) -> dict[str, tuple[str, ...]]:
    return {file.file_name: file.readers for file in LocalFolderSource([folder], with_readers=True).list_files()}


def test_the_last_rule_that_fits_counts_and_the_rules_are_no_file(folder: Path) -> None:
    (folder / ".locator-access.toml").write_text(RULES, "utf-8")
    assert listed(folder) == {"案内.txt": ("domain:example.com",), "評価.txt": ("group:hr@example.com",)}


def test_a_folder_without_rules_is_read_by_nobody(folder: Path) -> None:
    assert listed(folder) == {"案内.txt": (), "評価.txt": ()}


@pytest.mark.parametrize(
    "written",
    [
        "[[rule]",
        'rule = "*"',
        '[[rule]]\npath = "*"',
        '[[rule]]\npath = "*"\nreaders = ["everybody"]',
        '[[rule]]\npath = "*"\nreaders = "anyone"',
        '[[rule]]\npath = 1\nreaders = ["anyone"]',
    ],
)
def test_rules_that_cannot_be_read_shut_the_folder_and_say_so(folder: Path, written: str) -> None:
    (folder / ".locator-access.toml").write_text(written, "utf-8")
    sweep = LocalFolderSource([folder], with_readers=True).sweep()
    assert [file.readers for file in sweep.files()] == [(), ()]
    [told] = sweep.unlisted
    assert told.path == "会社/.locator-access.toml"
    assert "cannot be read" in told.reason
    assert not told.covers(next(iter(sweep.files())))


def test_settings_that_say_who_reads_are_refused_where_permissions_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", "aki=aki@example.com")
    with pytest.raises(ConfigurationError, match="LOCATOR_COMMAND_READERS says who may read"):
        load_settings()


def test_a_person_is_who_signed_in_with_a_confirmed_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = tmp_path / "groups.toml"
    groups.write_text(GROUPS, "utf-8")
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setenv("LOCATOR_GROUPS", str(groups))
    settings = load_settings()
    who = reader_with_claims(settings, {"email": "aki@Example.com", "email_verified": True})
    assert who.principals == ("user:aki@example.com", "group:hr@example.com", "domain:example.com", "anyone")
    with pytest.raises(AccessDenied, match="does not confirm"):
        reader_with_claims(settings, {"email": "aki@example.com"})
    assert command_reader(settings) is None
    groups.write_text("[groups]\nhr = 1\n", "utf-8")
    with pytest.raises(ConfigurationError, match="groups cannot be read"):
        reader_with_mail(settings, "aki@example.com")


def test_the_command_shows_what_the_person_may_read_and_nothing_to_strangers(
    folder: Path, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".locator-access.toml").write_text(RULES, "utf-8")
    groups = tmp_path / "groups.toml"
    groups.write_text(GROUPS, "utf-8")
    trim_to_readers(monkeypatch, tmp_path / "home", folder, database_url)
    monkeypatch.setenv("LOCATOR_GROUPS", str(groups))

    def found(mail: str | None) -> list[str]:
        user = pwd.getpwuid(os.getuid()).pw_name
        monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{user}={mail}" if mail else "")
        result = CliRunner().invoke(app, ["search", "評価の記録", "--json", "--no-input"])
        assert result.exit_code == 0, result.output
        answer = json.loads(result.stdout)
        assert answer["coverage"]["listed"] == (2 if mail == "aki@example.com" else 1)
        return [item["file_name"] for item in (*answer["evidence"], *answer["closest"])]

    crawled = CliRunner().invoke(app, ["crawler", "--json"])
    assert crawled.exit_code == 0, crawled.output
    assert "評価.txt" in found("aki@example.com")
    assert "評価.txt" not in found("other@example.com")
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", "")
    refused = CliRunner().invoke(app, ["search", "評価の記録", "--no-input"])
    assert refused.exit_code == 1
    assert "誰の質問か分からないため" in refused.output
    assert "LOCATOR_PERMISSIONS" in CliRunner().invoke(app, ["live", "評価", "--mock"]).output
