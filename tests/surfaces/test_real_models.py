"""What people see when real models answer: who they are, that they shut down, and no word of stand-ins."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

import streamlit_app
from streamlit_app.shared import session
from tests.builders.command_line import app
from tests.builders.model_office import Office, answer
from tests.fakes.openai_server import OpenAiServer, Reply, error, model, openai_server

pytestmark = pytest.mark.dagster_tables

PAGE = Path(streamlit_app.__file__).with_name("app.py")


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with openai_server() as started:
        started.handler = answer
        yield started


@pytest.fixture
def office(tmp_path: Path, database_url: str, server: OpenAiServer, monkeypatch: pytest.MonkeyPatch) -> Office:
    made = Office(tmp_path, database_url, server)
    for name, value in made.settings.items():
        monkeypatch.setenv(name.upper(), str(value))
    monkeypatch.setenv("LOCATOR_LANGUAGE", "en")
    made.write(4)
    made.crawl()
    return made


def doctor() -> dict[str, Any]:
    done = CliRunner().invoke(app, ["doctor", "--json"])
    assert done.exit_code == 0, done.stderr
    parts: dict[str, Any] = json.loads(done.stdout)["parts"]
    return parts


def test_doctor_names_the_models_and_their_host(office: Office, server: OpenAiServer) -> None:
    server.handler = lambda path, body: (
        Reply(model(path.rpartition("/")[2])) if "/models/" in path else answer(path, body)
    )
    parts = doctor()
    host = server.url.removeprefix("http://").removesuffix("/v1")
    for name, chosen in (("chat_model", "gpt-6-luna"), ("embedding_model", "text-embedding-3-small")):
        assert parts[name]["state"] == "real"
        assert chosen in parts[name]["detail"]
        assert host in parts[name]["detail"]
        assert "sk-test" not in json.dumps(parts)


def test_trying_the_models_costs_next_to_nothing(office: Office, server: OpenAiServer) -> None:
    doctor()
    server.requests.clear()
    doctor()
    assert not [path for path, _ in server.requests if path.endswith(("/embeddings", "/completions"))]


def test_a_model_that_shuts_down_is_told_by_doctor_and_crawler(
    office: Office, server: OpenAiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CHAT_MODEL", "some-model")
    server.handler = lambda path, body: Reply(model("m", "2020-02-02")) if "/models/" in path else answer(path, body)
    assert "2020-02-02" in json.dumps(doctor()["chat_model"])
    crawled = CliRunner().invoke(app, ["crawler"])
    assert crawled.exit_code == 0, crawled.stderr
    assert "OPENAI_CHAT_MODEL" in crawled.stderr
    assert "2020-02-02" in crawled.stderr


@pytest.mark.parametrize("status", [401, 503])
def test_a_server_that_refuses_or_is_down_is_said_at_once(office: Office, server: OpenAiServer, status: int) -> None:
    server.handler = lambda path, body: Reply(error("no", status), status)
    parts = doctor()
    assert parts["chat_model"]["state"] == parts["embedding_model"]["state"] == "failing"


def test_a_search_says_what_it_took_and_nothing_of_stand_ins(office: Office) -> None:
    shown = CliRunner().invoke(app, ["search", "予算の報告"])
    assert shown.exit_code == 0, shown.stderr
    assert "stand-in" not in shown.stdout
    assert "Model calls: " in shown.stdout
    document = json.loads(CliRunner().invoke(app, ["search", "別の予算の報告", "--json"]).stdout)
    assert document["models"] == {"chat": "gpt-6-luna", "embedding": "text-embedding-3-small"}
    assert document["usage"]["calls"] > 0
    assert document["usage"]["tokens"] > 0
    assert document["usage"]["cost_usd"] > 0


def test_the_ceiling_ends_the_crawl_with_status_1_and_a_hint(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.write(8)
    monkeypatch.setenv("LOCATOR_MAX_COST_USD", "0.0000001")
    done = CliRunner().invoke(app, ["crawler", "--json"])
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert (report["waiting"], report["failed"]) == (4, [])
    assert "Raise LOCATOR_MAX_COST_USD" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_page_names_the_models_and_what_they_took(office: Office) -> None:
    st.cache_resource.clear()
    st.cache_data.clear()
    try:
        page = AppTest.from_file(PAGE, default_timeout=200)
        page.query_params["q"] = "予算の報告"
        page.query_params["lang"] = "en"
        page.run()
        shown = "\n".join(element.value for element in page.html)
    finally:
        session.locator().close()
        st.cache_resource.clear()
        st.cache_data.clear()
    assert "Answered by gpt-6-luna" in shown
    assert re.search(r"Model calls: [1-9]\d*, [1-9][\d,]* tokens, ", shown)
    assert "Offline stand-in" not in shown
