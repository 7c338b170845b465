"""Rules in a folder, the crawl, and a person at the command: who is not named or may not read is shown nothing."""

from __future__ import annotations

import json
import os
import pwd
import unicodedata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.config.readers import command_reader, reader_with_claims, reader_with_mail
from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied, ConfigurationError
from tests.builders.command_line import app
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
        '[[rule]]\npath = "*"\nreaders = ["anyone"]\nreader = ["anyone"]',
        "",
        "rule = [1]",
        '[[rule]]\npath = "*"\nreaders = ["anyone"]\n' + "#" * (1 << 20),
    ],
)
def test_rules_that_cannot_be_read_shut_the_folder_and_say_so(folder: Path, written: str) -> None:
    (folder / ".locator-access.toml").write_text(written, "utf-8")
    sweep = LocalFolderSource([folder], with_readers=True).sweep()
    assert [file.readers for file in sweep.files()] == [(), ()]
    [told] = sweep.unlisted
    assert told.path == "会社/.locator-access.toml"
    assert told.is_rules
    assert ".locator-access.toml cannot be read, so nobody may read any file here: " in told.reason
    assert not told.covers(next(iter(sweep.files())))


CLOSED, OPEN = ("group:hr@example.com",), ("domain:example.com",)


def shut(folder: Path, *paths: str) -> str:
    """What is told of rules that give everything to a domain and these paths to a group alone."""
    rules = ['path = "*"\nreaders = ["@example.com"]']
    rules += [f"path = {json.dumps(path, ensure_ascii=False)}\nreaders = ['group:hr@example.com']" for path in paths]
    (folder / ".locator-access.toml").write_text("".join(f"[[rule]]\n{rule}\n" for rule in rules), "utf-8")
    sweep = LocalFolderSource([folder], with_readers=True).sweep()
    assert list(sweep.files())
    return " ".join(one.reason for one in sweep.unlisted)


@pytest.mark.parametrize(
    "written",
    [
        "人事",
        "./人事",
        "人事/",
        " 人事 ",
        "/人事",
        "会社/人事",
        "人事//",
        "人事\\",
        "*事",
        "人?",
        "*/人事",
        "人事/評価.txt",
        "./人事/*",
    ],
)
def test_a_path_fits_however_an_administrator_writes_it(folder: Path, written: str) -> None:
    assert shut(folder, written) == ""
    assert listed(folder) == {"案内.txt": OPEN, "評価.txt": CLOSED}


def test_a_path_on_this_machine_and_a_decomposed_one_fit(folder: Path) -> None:
    (folder / "ガイド").mkdir()
    (folder / "ガイド" / "案.txt").write_text("案", "utf-8")
    assert shut(folder, f"{folder}/人事/", unicodedata.normalize("NFD", "ガイド")) == ""
    assert listed(folder) == {"案内.txt": OPEN, "評価.txt": CLOSED, "案.txt": CLOSED}


@pytest.mark.parametrize("name", ["[社外秘]役員", "給与[2026]", "a+b (1)", "^x$", "問*", "第?回"])
def test_characters_of_patterns_in_a_name_fit_that_name(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "報酬.txt").write_text("報酬", "utf-8")
    (folder / "役員.txt").write_text("役員", "utf-8")
    assert shut(folder, name) == ""
    assert listed(folder) == {"案内.txt": OPEN, "評価.txt": OPEN, "役員.txt": OPEN, "報酬.txt": CLOSED}


def test_a_folder_in_the_root_of_its_name_is_meant_before_the_root(folder: Path) -> None:
    (folder / "会社" / "人事").mkdir(parents=True)
    (folder / "会社" / "人事" / "控え.txt").write_text("控え", "utf-8")
    assert shut(folder, "会社/人事") == ""
    assert listed(folder) == {"案内.txt": OPEN, "評価.txt": OPEN, "控え.txt": CLOSED}


def test_a_rule_that_fits_nothing_is_named_and_counts_once_its_folder_is_there(folder: Path) -> None:
    assert "have no effect: 人亊, 役員/報酬." in shut(folder, "人亊", "人事", "役員/報酬")
    (folder / "役員" / "報酬").mkdir(parents=True)
    assert shut(folder, "役員/報酬") == "", "an empty folder is one, too"


def test_settings_that_say_who_reads_are_refused_where_permissions_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", "aki=aki@example.com")
    with pytest.raises(ConfigurationError, match="LOCATOR_COMMAND_READERS says who may read"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("ADMINISTRATORS", "boss@example.com,example.com", "example.com is no e-mail address"),
        ("ADMINISTRATORS", "@example.com", "@example.com is no e-mail address"),
        ("COMMAND_READERS", "sato", "sato is not of the form user=e-mail address"),
        ("COMMAND_READERS", "sato=a.sato", "sato=a.sato is not of the form"),
        ("COMMAND_READERS", "=a@example.com", "=a@example.com is not of the form"),
        ("COMMAND_READERS", "sato=a@example.com,sato =b@example.com", "the user sato is named twice"),
    ],
)
def test_people_who_are_named_in_part_are_refused(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setenv(f"LOCATOR_{name}", value)
    with pytest.raises(ConfigurationError, match=f"LOCATOR_{name}: {told}"):
        load_settings()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('"hr@example.com" = "aki@example.com"', "the members of hr@example.com are no list"),
        ('"hr" = ["aki@example.com"]', "the group hr is no e-mail address"),
        ('"hr@example.com" = ["aki"]', "the member aki of hr@example.com is neither"),
        ('"hr@example.com" = [1]', "the member 1 of hr@example.com is neither"),
        ('"hr@example.com" = ["@"]', "the member @ of hr@example.com is neither"),
        ("[other]", ""),
    ],
)
def test_groups_with_a_mistake_let_in_nobody_and_it_is_named(
    written: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = tmp_path / "groups.toml"
    groups.write_text(f"[groups]\n{written}\n" if told else "[other]\n", "utf-8")
    monkeypatch.setenv("LOCATOR_PERMISSIONS", "1")
    monkeypatch.setenv("LOCATOR_GROUPS", str(groups))
    with pytest.raises(ConfigurationError, match=rf"groups\.toml \({told or 'it has no section'}"):
        reader_with_mail(load_settings(), "aki@example.com")
    groups.write_text('[groups]\n"hr@example.com" = ["@Example.com"]\n', "utf-8")
    assert "group:hr@example.com" in reader_with_mail(load_settings(), "aki@example.com").principals


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


def test_what_is_wrong_with_rules_is_told_by_crawl_status_roots_and_doctor(
    folder: Path, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trim_to_readers(monkeypatch, tmp_path / "home", folder, database_url)
    (tmp_path / "groups.toml").write_text(GROUPS, "utf-8")
    monkeypatch.setenv("LOCATOR_GROUPS", str(tmp_path / "groups.toml"))
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    monkeypatch.setenv("LOCATOR_ADMINISTRATORS", "boss@example.com")
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}=boss@example.com")

    def told(*words: str) -> str:
        done = CliRunner().invoke(app, [*words])
        assert done.exit_code == 0, done.output
        return done.stdout + done.stderr

    def permissions() -> tuple[str, str]:
        part = json.loads(told("doctor", "--json"))["parts"]["permissions"]
        return part["state"], part["detail"]

    (folder / ".locator-access.toml").write_text('[[rule]]\npath = "*"\nreader = ["@example.com"]', "utf-8")
    unread = ".locator-access.toml cannot be read, so nobody may read any file here: rule 1 lacks readers."
    assert unread in told("crawler").replace("\n", " ")
    assert unread in told("status").replace("\n", " ")
    monkeypatch.setenv("LOCATOR_LANGUAGE", "ja")
    assert "規則 1 に readers がありません" in told("status").replace("\n", "")
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    [root] = json.loads(told("roots", "list", "--json"))["roots"]
    assert (root["rules"], root["unlisted"]) == (unread, [])
    assert permissions()[0] == "failing"
    assert "rule 1 lacks readers" in permissions()[1]

    (folder / ".locator-access.toml").write_text(RULES + RULES.replace("人事", "人亊"), "utf-8")
    told("crawler")
    state, detail = permissions()
    assert state == "failing"
    assert "rules that fit no file and no folder, so they have no effect: 人亊." in detail

    (folder / ".locator-access.toml").write_text(RULES, "utf-8")
    told("crawler")
    assert permissions()[0] == "real"
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}=aki@example.com")
    parts = json.loads(told("doctor", "--json"))["parts"]
    withheld = {name for name, part in parts.items() if part["state"] == "for_administrators"}
    assert withheld == {"index", "alarms", "permissions"}, "a refusal is no failure"
    assert "failing" not in {part["state"] for part in parts.values()}
    assert parts["index"]["detail"] == "Figures about all files are for administrators."
    assert "for administrators" in told("doctor")
