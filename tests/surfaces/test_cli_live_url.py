"""`live add NAME --url URL`: servers elsewhere over HTTP, signed in to where they ask for it; no token gets out."""

from __future__ import annotations

import json
import re
import shutil
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

from locator_search.adapters.local_files.secret_file import secret_of
from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.sign_ins import PostgresSignIns
from tests.builders.command_line import app
from tests.fakes.http_mcp_server import Served, http_mcp_server


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALLOW_REAL", raising=False)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DATABASE_URL", database_url)
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
def kept(home: Path, database: Database) -> PostgresSignIns:
    """The sign-ins of that home."""
    return PostgresSignIns(database, lambda: secret_of(home / "link_secret"), home / "live_tokens")


def expire(kept: PostgresSignIns) -> None:
    """Access ends, as far as we know."""
    kept.keep("wiki", json.dumps(json.loads(kept.read("wiki")) | {"expires_at": 1}))


def another_machine(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """From now on commands run on a machine with the same services and database."""
    other = home.with_name("elsewhere")
    shutil.copytree(home / "servers.d", other / "servers.d")
    monkeypatch.setenv("LOCATOR_HOME", str(other))


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
    guarded: Served, person: list[str], kept: PostgresSignIns
) -> None:
    guarded.office.lasting = 4
    added = live("add", "wiki", "--url", guarded.url)
    assert added.exit_code == 0, added.output
    assert len(person) == 1
    assert "ブラウザーで許可してください" in added.stderr
    assert asked()["evidence"]
    first = json.loads(kept.read("wiki"))["tokens"]["access_token"]
    guarded.office.access[first].expires_at = 1
    expire(kept)
    assert asked()["evidence"], "renewed by another process, which was told nothing but what is kept"
    assert json.loads(kept.read("wiki"))["tokens"]["access_token"] != first
    assert len(person) == 1


def test_tokens_are_in_no_file_output_log_or_table(
    guarded: Served, person: list[str], home: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    outputs = [live("add", "wiki", "--url", guarded.url).output, live('"Alpha"', "--debug").output]
    assert guarded.office.issued
    written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    [(row,)] = database.rows("SELECT live_sign_in::text FROM live_sign_in")
    assert not [one for one in guarded.office.issued if one.encode() in written + row.encode()]
    assert not [one for one in guarded.office.issued for output in outputs if one in output]
    assert live("remove", "wiki").exit_code == 0
    assert database.rows("SELECT FROM live_sign_in") == []


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


def test_who_does_not_agree_adds_nothing(guarded: Served, person: list[str], home: Path, database: Database) -> None:
    guarded.office.refuses = True
    refused = live("add", "wiki", "--url", guarded.url)
    assert refused.exit_code == 1
    assert "access_denied" in refused.stderr
    assert not (home / "servers.d").exists()
    assert database.rows("SELECT FROM live_sign_in") == []


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
    guarded: Served, person: list[str], kept: PostgresSignIns
) -> None:
    """The server takes a refresh token once, and what it gave for the one before is void from then on."""
    assert live("add", "wiki", "--url", guarded.url).exit_code == 0
    command = [sys.executable, "-m", "locator_search.cli.main", "live", '"Alpha"', "--json"]
    guarded.office.renewing = 1.0
    for _ in range(2):
        expire(kept)
        both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        answers = [json.loads(process.communicate(timeout=120)[0]) for process in both]
        assert [[one["uri"] for one in answer["evidence"]] for answer in answers] == [
            ["https://wiki.example/alpha"]
        ] * 2
    assert len(person) == 1
    assert live('"Alpha"').exit_code == 0


def test_a_second_machine_of_the_same_settings_is_signed_in_and_renews_for_the_first(
    guarded: Served, person: list[str], home: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCATOR_LINK_SECRET", "one secret of all machines, 32 long")
    assert live("add", "wiki", "--url", guarded.url).exit_code == 0
    expire(PostgresSignIns(database, lambda: b"one secret of all machines, 32 long", home / "live_tokens"))
    another_machine(monkeypatch, home)
    assert asked()["evidence"]
    monkeypatch.setenv("LOCATOR_HOME", str(home))
    assert asked()["evidence"]
    assert len(person) == 1
    assert not (home / "link_secret").exists()


def test_machines_with_secrets_of_their_own_sign_in_each_and_do_not_sign_each_other_out(
    guarded: Served, person: list[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert live("add", "wiki", "--url", guarded.url).exit_code == 0
    another_machine(monkeypatch, home)
    assert "document-locator live add wiki" in warnings(asked())
    assert live("add", "wiki").exit_code == 0
    assert asked()["evidence"]
    monkeypatch.setenv("LOCATOR_HOME", str(home))
    assert asked()["evidence"]
    assert len(person) == 2


def test_a_sign_in_that_an_earlier_version_kept_in_a_file_is_taken_over_once(
    guarded: Served, person: list[str], home: Path, kept: PostgresSignIns
) -> None:
    assert live("add", "wiki", "--url", guarded.url).exit_code == 0
    file = home / "live_tokens" / "wiki.json"
    file.parent.mkdir()
    former = {name: value for name, value in json.loads(kept.read("wiki")).items() if name != "url"}
    kept.forget("wiki")
    file.write_text(json.dumps(former))
    assert asked()["evidence"]
    assert not file.exists()
    assert asked()["evidence"]
    assert len(person) == 1


def test_a_sign_in_is_sent_to_no_other_address_under_the_same_name(
    guarded: Served, person: list[str], home: Path
) -> None:
    assert live("add", "wiki", "--url", guarded.url).exit_code == 0
    described = home / "servers.d" / "wiki.yaml"
    with http_mcp_server(sign_in=True) as another:
        described.write_text(described.read_text().replace(guarded.url, another.url))
        assert "document-locator live add wiki" in warnings(asked())
        assert not [one for sent in another.requests for one in guarded.office.issued if one in str(sent)]
