"""Probes: alive, ready or not, and nothing else is told."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from locator_search.adapters.postgres import Database, PostgresUpkeep
from locator_search.core.errors import SchemaOutOfDate, StoreUnavailable
from locator_search.guard import Health, health


async def _behind(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def asked(check: Callable[[], None], *paths: str) -> list[tuple[int, dict[str, str]]]:
    """Status and document for each of these paths, asked at the same time."""

    async def ask(application: Health, path: str) -> tuple[int, dict[str, str]]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            raise AssertionError("nothing is read")

        await application({"type": "http", "method": "GET", "path": path, "headers": []}, receive, send)
        return sent[0]["status"], json.loads(sent[1]["body"])

    async def ask_all() -> list[tuple[int, dict[str, str]]]:
        application = Health(_behind, check)
        return await asyncio.gather(*(ask(application, path) for path in paths))

    return asyncio.run(ask_all())


def failing(error: Exception) -> Callable[[], None]:
    def check() -> None:
        raise error

    return check


def test_a_server_lives_whatever_its_database_does_and_other_requests_pass() -> None:
    refused = failing(StoreUnavailable("no answer from db.internal:5432/secret"))
    assert asked(refused, "/healthz", "/", "/readyz/more") == [(200, {"status": "alive"}), (418, {}), (418, {})]


@pytest.mark.parametrize(
    ("error", "document"),
    [
        (StoreUnavailable("db.internal:5432"), {"status": "not ready", "database": "out of reach"}),
        (RuntimeError("password"), {"status": "not ready", "database": "out of reach"}),
        (
            SchemaOutOfDate("0042 is missing"),
            {"status": "not ready", "database": "reachable", "schema": "not of this program"},
        ),
    ],
)
def test_a_server_that_is_not_ready_says_which_of_two_things_is_amiss_and_no_more(
    error: Exception, document: dict[str, str]
) -> None:
    assert asked(failing(error), "/readyz") == [(503, document)]


def test_many_probes_at_once_ask_the_database_once() -> None:
    looks: list[int] = []
    answers = asked(lambda: looks.append(1), *["/readyz"] * 30)
    assert {status for status, _ in answers} == {200}
    assert len(looks) == 1


def test_a_database_that_does_not_answer_keeps_no_probe_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "CHECK_SECONDS", 0.01)
    assert asked(lambda: time.sleep(0.5), "/readyz")[0][0] == 503


def test_tables_of_this_program_are_ready_and_those_that_lack_one_are_not(database: Database) -> None:
    upkeep = PostgresUpkeep(database)
    assert asked(upkeep.require_current, "/readyz")[0][0] == 200
    database.run("DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration)")
    status, document = asked(upkeep.require_current, "/readyz")[0]
    assert (status, document["schema"]) == (503, "not of this program")


def test_a_database_out_of_reach_is_not_ready() -> None:
    with Database("postgresql://nobody:secret@127.0.0.1:9/none") as database:
        [(status, document)] = asked(PostgresUpkeep(database).require_current, "/readyz")
    assert (status, document) == (503, {"status": "not ready", "database": "out of reach"})


@pytest.mark.parametrize(
    ("token", "sent", "status"),
    [
        (None, "", 418),
        ("word", "", 401),
        ("word", "Bearer wor", 401),
        ("word", "Bearer word", 200),
        ("wörd", "Bearer wörd", 200),
    ],
)
def test_figures_are_for_whoever_knows_the_token_and_without_one_they_are_not_there(
    token: str | None, sent: str, status: int
) -> None:
    application = Health(_behind, lambda: None, lambda: "files 1", token)
    answers: list[Any] = []

    async def send(message: Any) -> None:
        answers.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    headers = [(b"Authorization", sent.encode())] if sent else []
    scope = {"type": "http", "method": "GET", "path": "/metrics", "headers": headers}
    asyncio.run(application(scope, receive, send))
    assert answers[0]["status"] == status
    assert (b"files 1" in answers[1]["body"]) == (status == 200)
