"""`live add NAME --url URL`: servers elsewhere over HTTP, signed in to where they ask for it; no token gets out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from typer.testing import CliRunner, Result

from locator_search.cli.main import app
from tests.fakes.http_mcp_server import Served, http_mcp_server


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALLOW_REAL", raising=False)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person whose browser opens what it is shown and goes where it is sent."""
    seen: list[str] = []

    def opened(address: str) -> bool:
        seen.append(address)
        threading.Thread(target=httpx2.get, args=(address,), kwargs={"follow_redirects": True}).start()
        return True

    monkeypatch.setattr(webbrowser, "open", opened)
    return seen


@pytest.fixture
def guarded() -> Iterator[Served]:
    with http_mcp_server(sign_in=True) as served:
        yield served


def live(*words: str) -> Result:
    result = CliRunner().invoke(app, ["live", *words])
    assert "Traceback" not in result.output
    return result


def asked() -> dict[str, Any]:
    return dict(json.loads(live('"Alpha"', "--json").stdout))


def warnings(document: dict[str, Any]) -> str:
    return " ".join(one["message"] for one in document["warnings"])


def test_a_server_without_sign_in_is_added_by_its_address_alone(person: list[str]) -> None:
    with http_mcp_server() as served:
        added = json.loads(live("add", "wiki", "--url", served.url, "--query", "Alpha", "--json").stdout)
        assert added["mapping"]["tool"] == "find_pages"
        (one,) = asked()["evidence"]
        assert (one["service"], one["uri"], one["read"]) == ("wiki", "https://wiki.example/alpha", "body")
        listed = {one["name"]: one for one in json.loads(live("list", "--json").stdout)["services"]}
        assert listed["wiki"]["program"] == served.url
    assert person == []
    document = asked()
    assert document["evidence"] == []
    assert "アドレスに接続できません" in warnings(document)


def test_a_person_signs_in_once_and_later_questions_use_and_renew_what_was_given(
    guarded: Served, person: list[str], home: Path
) -> None:
    guarded.office.lasting = 4
    added = live("add", "wiki", "--url", guarded.url)
    assert added.exit_code == 0, added.output
    assert len(person) == 1
    assert "ブラウザーで許可してください" in added.stderr
    assert asked()["evidence"]
    tokens = home / "live_tokens" / "wiki.json"
    assert tokens.stat().st_mode & 0o777 == 0o600
    first = json.loads(tokens.read_text())["tokens"]["access_token"]
    guarded.office.access[first].expires_at = 1
    content = json.loads(tokens.read_text())
    tokens.write_text(json.dumps(content | {"expires_at": 1}))
    assert asked()["evidence"], "renewed by another process, which was told nothing but the file"
    assert json.loads(tokens.read_text())["tokens"]["access_token"] != first
    assert len(person) == 1


def test_tokens_are_in_one_file_and_in_no_output_log_or_table(
    guarded: Served, person: list[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    outputs = [live("add", "wiki", "--url", guarded.url).output, live('"Alpha"', "--debug").output]
    assert guarded.office.issued
    written = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    holding = {
        path.name for path, content in written.items() for one in guarded.office.issued if one.encode() in content
    }
    assert holding == {"wiki.json"}
    assert not [one for one in guarded.office.issued for output in outputs if one in output]
    assert live("remove", "wiki").exit_code == 0
    assert not list((home / "live_tokens").iterdir())


def test_a_sign_in_that_is_gone_is_told_with_the_command_that_renews_it(guarded: Served, person: list[str]) -> None:
    live("add", "wiki", "--url", guarded.url)
    guarded.office.access.clear()
    guarded.office.refreshing.clear()
    document = asked()
    assert document["evidence"] == []
    assert "document-locator live add wiki" in warnings(document)
    assert len(person) == 1, "a question opens no browser"
    assert live("add", "wiki").exit_code == 0
    assert asked()["evidence"]
    assert len(person) == 2


def test_who_does_not_agree_adds_nothing(guarded: Served, person: list[str], home: Path) -> None:
    guarded.office.refuses = True
    refused = live("add", "wiki", "--url", guarded.url)
    assert refused.exit_code == 1
    assert "access_denied" in refused.stderr
    assert not (home / "servers.d").exists()
    assert not (home / "live_tokens").exists()


def test_a_header_is_sent_by_name_and_a_secret_in_the_command_is_refused(tmp_path: Path, home: Path) -> None:
    with http_mcp_server(header=("authorization", "Bearer s3cret-value")) as served:
        refused = live("add", "wiki", "--url", served.url, "--header", "Authorization=Bearer s3cret-value")
        assert (refused.exit_code, "s3cret-value" in refused.output) == (2, False)
        assert live("add", "wiki", "--url", f"{served.url}?api_key=s3cret").exit_code == 2
        (tmp_path / ".env").write_text("WIKI_TOKEN=s3cret-value\n")
        added = live("add", "wiki", "--url", served.url, "--header", "Authorization=Bearer ${WIKI_TOKEN}")
        assert added.exit_code == 0, added.output
        assert asked()["evidence"]
        written = yaml.safe_load((home / "servers.d" / "wiki.yaml").read_text())["servers"]["wiki"]
        assert written["transport"]["headers"] == {"Authorization": "Bearer ${WIKI_TOKEN}"}
        assert written["credentials"] == [["WIKI_TOKEN"]]
        served.status = 429
        document = asked()
        assert "429" in warnings(document)
        (tmp_path / ".env").unlink()
        assert all(one["mock"] for one in asked()["evidence"]), "without its token it is off, and so is everything real"


def test_an_answer_beyond_the_limit_is_thrown_away_and_the_next_one_arrives() -> None:
    with http_mcp_server() as served:
        assert live("add", "wiki", "--url", served.url).exit_code == 0
        document = dict(json.loads(live('"huge"', "--json").stdout))
        assert re.search(r"4 MiB", warnings(document)), warnings(document)
        assert asked()["evidence"]


@pytest.mark.parametrize(
    "url", ["http://wiki.example/mcp", "ftp://127.0.0.1/", "wiki", "https://me:secret@wiki.example/"]
)
def test_an_address_that_would_carry_tokens_in_the_clear_is_refused(url: str, home: Path) -> None:
    refused = live("add", "wiki", "--url", url)
    assert refused.exit_code == 2
    assert re.search("[ぁ-ん]", refused.stderr)
    assert "secret" not in refused.stderr.replace("wiki.example", "")
    assert not (home / "servers.d").exists()


def test_two_processes_that_renew_one_sign_in_at_the_same_moment_both_stay_signed_in(
    guarded: Served, person: list[str], home: Path
) -> None:
    """The server takes a refresh token once, and what it gave for the one before is void from then on."""
    assert live("add", "wiki", "--url", guarded.url).exit_code == 0
    tokens = home / "live_tokens" / "wiki.json"
    command = [sys.executable, "-m", "locator_search.cli.main", "live", '"Alpha"', "--json"]
    guarded.office.renewing = 1.0
    for _ in range(2):
        tokens.write_text(json.dumps(json.loads(tokens.read_text()) | {"expires_at": 1}))
        both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        answers = [json.loads(process.communicate(timeout=120)[0]) for process in both]
        assert [[one["uri"] for one in answer["evidence"]] for answer in answers] == [
            ["https://wiki.example/alpha"]
        ] * 2
    assert len(person) == 1
    assert live('"Alpha"').exit_code == 0
