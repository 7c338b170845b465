"""`live add`, `live list` and `live remove`: a server that nobody described is searched after one command."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from locator_search.adapters.mcp_services.start_times import StartTimes
from tests.builders.command_line import app

PROGRAM = Path(__file__).parents[1] / "fakes" / "foreign_mcp_server.py"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALLOW_REAL", raising=False)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    return tmp_path / "home"


def live(*words: str) -> Result:
    result = CliRunner().invoke(app, ["live", *words])
    assert "Traceback" not in result.output
    return result


def add(*words: str, options: tuple[str, ...] = ()) -> Result:
    return live("add", "wiki", *options, "--", sys.executable, "-I", "-S", str(PROGRAM), *words)


def asked(question: str) -> dict[str, Any]:
    return dict(json.loads(live(question, "--json").stdout))


FORMS = ["structured", "json", "links", "markdown", "lines", "records", "python", "listing"]


@pytest.mark.parametrize("form", FORMS)
def test_a_server_is_searched_whatever_the_form_of_its_answers(form: str) -> None:
    added = json.loads(add(form, options=("--query", "Alpha", "--json")).stdout)
    assert len(added["sample"]) == 1
    answered = asked('"Alpha"')
    (one,) = answered["evidence"]
    assert one["service"] == "wiki"
    assert "alpha" in f"{one['title']} {one['uri']}".lower()
    assert not one["mock"]


@pytest.mark.parametrize(("form", "uri"), [("json", "https://wiki.example/alpha"), ("links", "")])
def test_bodies_are_read_by_the_tool_or_the_resource_of_the_server(form: str, uri: str) -> None:
    add(form)
    (one,) = asked('"Alpha"')["evidence"]
    assert (one["uri"], one["read"]) == (uri, "body")


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_the_sentence_of_a_search_that_found_nothing_is_no_evidence(form: str) -> None:
    add(form)
    assert asked('"Gamma"')["evidence"] == []


def test_the_search_is_chosen_by_its_schema_and_never_a_tool_that_changes_something() -> None:
    added = json.loads(add("json", options=("--json",)).stdout)
    assert [tool["name"] for tool in added["tools"]] == ["create_page", "list_pages", "find_pages", "read_page"]
    assert added["mapping"]["tool"] == "find_pages"
    assert added["mapping"]["fetch"]["result"]["tool"] == "read_page"


def test_a_server_without_a_search_is_refused_in_one_sentence_and_nothing_is_written(home: Path) -> None:
    refused = add("useless")
    assert refused.exit_code == 2
    assert "get_current_time, run_sql_query" in refused.stderr
    assert "--tool" in refused.stderr
    assert not (home / "servers.d").exists()


def test_another_tool_and_arguments_can_be_named() -> None:
    named = ("--tool", "run_sql_query", "--arg", "query=SELECT '{{ query }}'", "--json")
    mapping = json.loads(add("useless", options=named).stdout or "{}").get("mapping", {})
    assert mapping.get("args") == {"query": "SELECT '{{ query }}'"}


def test_a_secret_goes_by_name_and_is_never_written(home: Path, tmp_path: Path) -> None:
    refused = add("json", "--api-key", "s3cret-value")
    assert refused.exit_code == 2
    assert "s3cret-value" not in refused.output
    assert "WIKI_KEY" in add("secret", options=("--env", "WIKI_KEY")).stderr
    (tmp_path / ".env").write_text("WIKI_KEY=s3cret-value\n")
    assert add("secret", "search", "s3cret-value", options=("--env", "WIKI_KEY")).exit_code == 0
    written = (home / "servers.d" / "wiki.yaml").read_text()
    assert "s3cret-value" not in written
    assert yaml.safe_load(written)["servers"]["wiki"]["transport"]["args"][-1] == "${WIKI_KEY}"
    assert asked('"Alpha"')["evidence"]


def test_a_changed_tool_is_told_with_the_command_that_mends_it(home: Path) -> None:
    add("json")
    file = home / "servers.d" / "wiki.yaml"
    content = yaml.safe_load(file.read_text())
    content["servers"]["wiki"]["transport"]["args"].append("search_pages")
    file.write_text(yaml.safe_dump(content))
    told = " ".join(warning["message"] for warning in asked('"Alpha"')["warnings"])
    assert "no tool `find_pages`" in told
    assert "`document-locator live add wiki`" in told
    assert live("add", "wiki").exit_code == 0
    assert asked('"Alpha"')["evidence"]


def test_the_people_a_service_is_open_to_are_kept_with_it_and_a_wrong_name_is_refused(home: Path) -> None:
    refused = add("json", options=("--readers", "everybody"))
    assert (refused.exit_code, "everybody is no reader" in refused.stderr) == (2, True)
    assert not (home / "servers.d").exists()
    add("json", options=("--readers", "Aki@example.com", "--readers", "@example.com"))
    listed = {one["name"]: one["readers"] for one in json.loads(live("list", "--json").stdout)["services"]}
    assert listed["wiki"] == ["user:aki@example.com", "domain:example.com"]
    assert listed["slack"] == []


def test_services_are_listed_and_removed(home: Path) -> None:
    add("json")
    listed = json.loads(live("list", "--json").stdout)["services"]
    assert {one["name"]: one["failure"] for one in listed}["wiki"] is None
    assert live("remove", "wiki").exit_code == 0
    assert not list((home / "servers.d").iterdir())
    again = live("remove", "wiki")
    assert (again.exit_code, "wiki" in again.stderr) == (2, True)


def test_a_server_that_does_not_start_says_why() -> None:
    said = add("secret").stderr
    assert "WIKI_KEY is not set" in said


def test_the_next_start_is_given_three_times_what_the_last_one_took(home: Path) -> None:
    times = StartTimes(home / "live_starts.json")
    assert times.limit("wiki", 30) == 30
    times.took("wiki", 40)
    assert StartTimes(home / "live_starts.json").limit("wiki", 30) == 120
    assert times.limit("other", 30) == 30
    add("json")
    assert times.limit("wiki", 30) == 30


BROKEN = ["{", "version: 1", "version: 1\nservers: {wiki: {label: x}}", "\xff\xfe\0"]


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_file_costs_its_own_service_alone_and_says_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setenv("LOCATOR_LANGUAGE", "ja")
    add("json")
    (home / "servers.d" / "wiki.yaml").rename(home / "servers.d" / "notes.yaml")
    text = (home / "servers.d" / "notes.yaml").read_text().replace("  wiki:", "  notes:")
    (home / "servers.d" / "notes.yaml").write_text(text)
    (home / "servers.d" / "wiki.yaml").write_bytes(content.encode("latin-1"))
    answered = asked('"Alpha"')
    assert {one["service"] for one in answered["evidence"]} == {"notes"}
    (told,) = [one["message"] for one in answered["warnings"] if one["service"] == "wiki"]
    assert "wiki.yaml" in told
    assert "document-locator live add wiki" in told
    assert re.search("[ぁ-ん]", told)
    listed = {one["name"]: one for one in json.loads(live("list", "--json").stdout)["services"]}
    assert "wiki.yaml" in listed["wiki"]["failure"]
    assert listed["notes"]["failure"] is None


def test_one_broken_entry_of_a_file_leaves_its_neighbours_and_the_made_up_services(home: Path) -> None:
    entry = {"label": "Wiki", "transport": {"command": "wiki"}, "searches": {}}
    (home / "servers.d").mkdir(parents=True)
    (home / "servers.d" / "two.yaml").write_text(yaml.safe_dump({"version": 1, "servers": {"wiki": entry}}))
    answered = asked("Project Alpha")
    assert {one["service"] for one in answered["evidence"]} >= {"drive", "slack", "github"}
    assert all(one["mock"] for one in answered["evidence"])
    assert [one["service"] for one in answered["warnings"] if "two.yaml" in one["message"]] == ["wiki"]


def test_refusals_are_in_the_language_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCATOR_LANGUAGE", "ja")
    wanted = [["useless"], ["json", "--api-key", "s3cret"]]
    refused = [*(add(*words) for words in wanted), add("json", options=("--tool", "nothing"))]
    refused += [add("json", options=("--env", "NO_SUCH")), live("add", "Wi ki", "--", "x"), live("remove", "wiki")]
    for result in [*refused, live("add", "wiki")]:
        sentence, *hint = result.stderr.strip().splitlines()
        assert re.search("[ぁ-ん]", sentence), sentence
        assert hint
        assert "${{" not in result.stderr


def test_relative_paths_become_addresses_that_open_or_none(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "plans").mkdir(parents=True)
    (vault / "plans" / "alpha.md").write_text("alpha")
    (tmp_path / "beta.md").write_text("outside")
    added = json.loads(add("vault", "find_pages", str(vault), options=("--query", "md", "--json")).stdout)
    assert {one["name"]: one["uri"] for one in added["sample"]} == {
        "plans/alpha.md": str(vault / "plans" / "alpha.md"),
        "../beta.md": "",
        "gone.md": "",
    }
    evidence = {one["name"]: one["uri"] for one in asked('"md"')["evidence"]}
    assert evidence == {one["name"]: one["uri"] for one in added["sample"]}
