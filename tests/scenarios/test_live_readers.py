"""Live search with permissions on: services answer with eyes of their own, and each person is shown what is theirs."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from locator_search.app.locator import Locator, open_locator
from locator_search.config.readers import reader_with_mail
from locator_search.config.settings import load_settings_to_ask_live
from locator_search.core.errors import AccessDenied
from locator_search.core.reader import reading_as
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.live_search.outcome import LiveOutcome
from locator_search.model import ServiceQuery
from tests.builders.command_line import app
from tests.builders.services import patient_servers, played
from tests.fakes.github_server import TOKEN, fake_github

AKI, HANA, BOSS, OUT = "aki@example.com", "hana@example.com", "boss@example.com", "out@other.org"
QUESTION = "再送の設計"
FILES: dict[str, tuple[str, ...]] = {
    "own": ("user", AKI),
    "group": ("group", "hr@example.com"),
    "domain": ("domain", "example.com"),
    "nobody": (),
}
SHOWN = {AKI: {"own", "domain"}, HANA: {"group", "domain"}, BOSS: {"domain", "new"}, OUT: set()}
OPEN = {"drive": [BOSS], "github": ["group:hr@example.com"], "slack": ["@example.com"]}


@dataclass(frozen=True)
class World:
    drive: DriveEmulator
    ids: dict[str, str]


@pytest.fixture
def world(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    groups = tmp_path / "groups.toml"
    groups.write_text(f'[groups]\n"hr@example.com" = ["{HANA}"]\n', "utf-8")
    path = patient_servers(tmp_path, slack=played("slack"))
    content = yaml.safe_load(path.read_text("utf-8"))
    for name, readers in OPEN.items():
        content["servers"][name]["readers"] = readers
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), "utf-8")
    monkeypatch.delenv("ALLOW_REAL", raising=False)
    with DriveEmulator() as drive, fake_github() as github:
        ids = {name: drive.add_file(f"{name}.txt", f"再送の設計 {name}") for name in FILES}
        for name, who in FILES.items():
            if who:
                drive.share(ids[name], who[0], who[1])
        github.add_issue(42, "再送の設計", "再送が止まらない。")
        for name, value in {
            **drive.environment(),
            "LOCATOR_HOME": tmp_path / "home",
            "LOCATOR_SERVERS": path,
            "DATABASE_URL": database_url,
            "LOCATOR_PERMISSIONS": 1,
            "LOCATOR_GROUPS": groups,
            "GITHUB_PERSONAL_ACCESS_TOKEN": TOKEN,
            "GITHUB_API_URL": github.url,
        }.items():
            monkeypatch.setenv(name, str(value))
        assert CliRunner().invoke(app, ["crawler", "--json"]).exit_code == 0
        ids["new"] = drive.add_file("new.txt", "再送の設計 new")
        yield World(drive, ids)


def run(monkeypatch: pytest.MonkeyPatch, mail: str, *words: str) -> Result:
    user = pwd.getpwuid(os.getuid()).pw_name
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{user}={mail}" if mail else "")
    return CliRunner().invoke(app, ["live", *words])


def asked(monkeypatch: pytest.MonkeyPatch, mail: str, *more: str) -> dict[str, Any]:
    result = run(monkeypatch, mail, QUESTION, "--json", *more)
    assert result.exit_code in (0, 1), result.output
    return dict(json.loads(result.stdout))


def files(answer: dict[str, Any]) -> set[str]:
    return {one["title"].removesuffix(".txt") for one in answer["evidence"] if one["service"] in ("drive", "index")}


@pytest.mark.parametrize("with_index", [(), ("--with-index",)])
@pytest.mark.parametrize("person", list(SHOWN))
def test_a_person_is_shown_files_they_may_read_and_services_that_are_open_to_them(
    world: World, monkeypatch: pytest.MonkeyPatch, person: str, with_index: tuple[str, ...]
) -> None:
    answer = asked(monkeypatch, person, "--follow", "上限は？", *with_index)
    for each in (answer, answer["follow"]):
        assert files(each) == SHOWN[person]
        expected = {"github"} if person == HANA else set()
        assert {one["service"] for one in each["evidence"]} - {"drive", "slack", "index"} == expected
        told = json.dumps(each, ensure_ascii=False)
        assert [name for name in world.ids if name not in SHOWN[person] and f"{name}.txt" in told] == []
    warnings = {one["service"]: one["message"] for one in answer["warnings"]}
    assert ("drive" in warnings) == (person != BOSS)
    closed = {AKI: "github", HANA: None, BOSS: "github", OUT: "slack,github"}[person]
    assert {name for name in warnings if name in ("github", "slack", "slack,github")} == ({closed} - {None})
    assert set(answer["queries"]) == {"drive", "slack", "github"} - set((closed or "").split(","))


def test_a_permission_that_ended_is_noticed_at_the_source_and_before_a_question_that_follows(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_locator(load_settings_to_ask_live()) as locator:
        before = ask(locator, AKI)
        assert titles(before) >= {"own.txt"}
        assert titles(follow(locator, HANA, before)) == {"domain.txt"} | chat(before), "what belongs to another person"
        world.drive.unshare(world.ids["own"], "user", AKI)
        assert "own.txt" not in titles(follow(locator, AKI, before))
        assert "own.txt" not in titles(ask(locator, AKI))


def ask(locator: Locator, mail: str) -> LiveOutcome:
    with reading_as(reader_with_mail(locator.settings, mail)):
        return locator.live.search().ask(QUESTION)


def follow(locator: Locator, mail: str, outcome: LiveOutcome) -> LiveOutcome:
    with reading_as(reader_with_mail(locator.settings, mail)):
        return locator.live.search().follow(outcome, "上限は？")


def titles(outcome: LiveOutcome) -> set[str]:
    return {one.title for one in outcome.evidence}


def chat(outcome: LiveOutcome) -> set[str]:
    return {one.title for one in outcome.evidence if one.service == "slack"}


def test_nobody_is_shown_nothing_and_a_query_to_a_closed_service_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = run(monkeypatch, "", QUESTION)
    assert (refused.exit_code, "誰の質問か分からないため" in refused.output) == (1, True)
    with open_locator(load_settings_to_ask_live()) as locator, reading_as(reader_with_mail(locator.settings, OUT)):
        gateway = locator.live.search().gateway
        with pytest.raises(AccessDenied, match="Not open to whoever asks: github"):
            gateway.search([ServiceQuery("github", "issue", "再送")])
        with pytest.raises(AccessDenied):
            gateway.fetch(ask(locator, HANA).hits)


def test_questions_are_kept_in_the_audit_log(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_ADMINISTRATORS", BOSS)
    asked(monkeypatch, AKI)
    monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}={BOSS}")
    told = json.loads(CliRunner().invoke(app, ["audit", "--json"]).stdout)["entries"]
    assert [(one["person"], one["surface"], one["question"]) for one in told] == [(AKI, "command", QUESTION)]


def test_made_up_services_answer_everybody_who_has_a_name(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = asked(monkeypatch, OUT, "--mock")
    assert {one["service"] for one in answer["evidence"]} == {"drive", "slack", "github"}
