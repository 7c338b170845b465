"""When models shut down, and what their server says about them, through the vendor's own client on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date
from pathlib import Path

import pytest

from locator_search.adapters.openai_models.calendar import ModelCalendar
from locator_search.adapters.openai_models.client import OpenAiClient
from locator_search.adapters.openai_models.prices import announced_shutdown, cost_usd
from locator_search.core.errors import ConfigurationError, ModelUnavailable
from locator_search.health.models import warning_about
from locator_search.health.texts import PartsTexts
from locator_search.llm.budget import Budget
from tests.fakes.clock import HeldClock
from tests.fakes.openai_server import OpenAiServer, Reply, error, model, openai_server
from tests.fakes.usage_log import UsageLogInMemory

Connect = Callable[..., OpenAiClient]


class FreeSlots:
    def slot(self, service: str) -> nullcontext[None]:
        return nullcontext()


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with openai_server() as started:
        yield started


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def connect(server: OpenAiServer, clock: HeldClock) -> Connect:
    def connected(key: str | None = "sk-test") -> OpenAiClient:
        budget = Budget(UsageLogInMemory())
        return OpenAiClient(api_key=key, slots=FreeSlots(), clock=clock, budget=budget, base_url=server.url)

    return connected


def test_the_service_is_asked_once_a_day_over_all_processes(
    server: OpenAiServer, connect: Connect, clock: HeldClock, tmp_path: Path
) -> None:
    server.handler = lambda path, body: Reply(model("some-model", "2026-12-24"))
    for _ in range(3):
        calendar = ModelCalendar(connect(), tmp_path / "home" / "calendar.json", clock)
        assert calendar.shutdown_of("some-model") == date(2026, 12, 24)
    assert [path for path, _ in server.requests] == ["/v1/models/some-model"]
    clock.sleep(24 * 3600)
    calendar.shutdown_of("some-model")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "reply",
    [
        Reply(error("gone", 404), 404),
        Reply(error("busy", 500), 500),
        Reply("<html>"),
        Reply(model("gpt-4o-mini")),
        Reply(model("gpt-4o-mini", "soon")),
    ],
)
def test_what_the_service_does_not_say_is_taken_from_the_announcement(
    server: OpenAiServer, connect: Connect, clock: HeldClock, tmp_path: Path, reply: Reply
) -> None:
    server.handler = lambda path, body: reply
    calendar = ModelCalendar(connect(), tmp_path / "calendar.json", clock)
    assert calendar.shutdown_of("gpt-4o-mini") == date(2027, 1, 14)
    assert clock.slept == [], "nobody waits for it"


def test_without_a_key_nobody_is_asked(
    server: OpenAiServer, connect: Connect, clock: HeldClock, tmp_path: Path
) -> None:
    assert ModelCalendar(connect(None), tmp_path / "calendar.json", clock).shutdown_of("gpt-4o") == date(2027, 1, 14)
    assert server.requests == []


def test_a_broken_or_unwritable_file_is_no_obstacle(
    server: OpenAiServer, connect: Connect, clock: HeldClock, tmp_path: Path
) -> None:
    server.handler = lambda path, body: Reply(model("m", "2026-12-24"))
    broken = tmp_path / "calendar.json"
    broken.write_text('{"m": 3}', encoding="utf-8")
    blocked = tmp_path / "calendar.json" / "below-a-file.json"
    for file in (broken, blocked):
        assert ModelCalendar(connect(), file, clock).shutdown_of("m") == date(2026, 12, 24)


def test_a_server_without_the_model_is_told_from_one_that_cannot_say(server: OpenAiServer, connect: Connect) -> None:
    listed = {"object": "list", "data": [model("llama3:latest")]}
    missing = Reply(error("model not found", 404), 404)
    server.handler = lambda path, body: Reply(listed) if path.endswith("/models") else missing
    assert connect().look_up("llama3") is None
    with pytest.raises(ConfigurationError, match="does not know"):
        connect().look_up("bge-m3")
    server.handler = lambda path, body: missing
    assert connect().look_up("bge-m3") is None


def test_a_server_that_is_down_is_said_at_once(server: OpenAiServer, connect: Connect, clock: HeldClock) -> None:
    server.handler = lambda path, body: Reply(error("down", 503), 503)
    with pytest.raises(ModelUnavailable, match="503"):
        connect().look_up("m")
    assert (len(server.requests), clock.slept) == (1, [])


TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("shutdown", "warning"),
    [
        (None, ""),
        (date(2027, 1, 20), ""),
        (date(2027, 1, 19), "The model m shuts down on 2027-01-19 (days left: 60)."),
        (date(2026, 11, 21), "The model m shuts down on 2026-11-21 (days left: 1)."),
        (date(2026, 11, 20), "The model m was shut down on 2026-11-20: it no longer answers."),
    ],
)
def test_a_person_is_warned_from_60_days_before(shutdown: date | None, warning: str) -> None:
    assert warning_about("m", shutdown, TODAY, PartsTexts.of("en")) == warning


@pytest.mark.parametrize("name", ["gpt-4o-mini", "gpt-4o-mini-2024-07-18", "ft:gpt-4o-mini-2024-07-18:us::1"])
def test_snapshots_and_tuned_models_share_the_fate_of_their_model(name: str) -> None:
    assert announced_shutdown(name) == date(2027, 1, 14)
    assert announced_shutdown("gpt-6-luna") is None
    assert cost_usd("gpt-4o-mini-2024-07-18", 1_000_000, 0) == cost_usd("gpt-4o-mini", 1_000_000, 0)
