"""Live questions beside models and services that fail: an answer in time, with evidence, that names what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import psutil
import pytest

from locator_search.adapters.mcp_services import McpServiceGateway
from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.adapters.openai_models.chat_model import OpenAiChatModel
from locator_search.adapters.openai_models.client import OpenAiClient
from locator_search.core.clock import SystemClock
from locator_search.live_search.outcome import LiveOutcome
from locator_search.live_search.searcher import LiveSearch
from locator_search.llm.budget import Budget
from locator_search.model import ServiceQuery
from tests.builders.services import opened, played, scripted
from tests.fakes.faulty_server import FAULTS, faulty_server
from tests.fakes.slots import CountingSlots
from tests.fakes.usage_log import UsageLogInMemory

SECONDS = 4.0
SLACK = 10.0
"""For a machine that is busy."""
QUESTION = "Project Alpha の設計ドキュメントはどこ？"


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpServiceGateway]:
    """The services of the product, real to the host, ready."""
    services = {name: played(name) for name in ("drive", "slack", "github")}
    with opened(tmp_path_factory.mktemp("services"), services) as gateway:
        gateway.services()
        yield gateway


@contextmanager
def asking(gateway: McpServiceGateway, url: str, seconds: float = SECONDS) -> Iterator[LiveSearch]:
    client = OpenAiClient(
        api_key="sk-test",
        slots=CountingSlots(),
        clock=SystemClock(),
        budget=Budget(UsageLogInMemory()),
        base_url=url,
    )
    model, stand_in = OpenAiChatModel(client, "gpt-6-luna"), OfflineChatModel()
    try:
        yield LiveSearch(gateway, model, SystemClock(), "ja", "Asia/Tokyo", None, stand_in, seconds)
    finally:
        client.close()


def in_time(search: LiveSearch, question: str, *queries: ServiceQuery) -> LiveOutcome:
    began = monotonic()
    outcome = search.ask(question, queries=queries)
    assert monotonic() - began < search.seconds + SLACK
    return outcome


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_the_model_does_the_services_are_asked_and_their_evidence_is_shown(
    healthy: McpServiceGateway, fault: str
) -> None:
    with faulty_server() as server:
        server.faults = {"": FAULTS[fault]}
        with asking(healthy, server.url) as search:
            outcome = in_time(search, QUESTION)
    assert {one.service for one in outcome.evidence} == {"drive", "slack", "github"}
    assert outcome.models == {"chat": OfflineChatModel.model_name}
    messages = [one.message for one in outcome.warnings if one.service == "model"]
    assert len(messages) == 1
    assert messages[0].startswith("言語モデル（gpt-6-luna）を使えないため、オフラインの代役が答えました")
    assert ("OPENAI_API_KEY" in messages[0]) == (fault == "a refused key")


@pytest.mark.parametrize("fault", ["a refused key", "500", "hangs", "HTML with 200"])
def test_a_model_that_fails_at_the_answer_discards_no_evidence(healthy: McpServiceGateway, fault: str) -> None:
    with faulty_server() as server:
        server.faults = {"": FAULTS[fault]}
        with asking(healthy, server.url) as search:
            outcome = in_time(search, QUESTION, ServiceQuery("drive", "file", "再送"))
    assert {one.service for one in outcome.evidence} == {"drive"}
    assert "[1]" in outcome.answer
    assert outcome.models == {"chat": OfflineChatModel.model_name}


@pytest.mark.parametrize("fault", ["hang", "die", "nonsense", "huge 5"])
def test_a_service_that_fails_is_left_out_and_named_and_leaves_no_process(tmp_path: Path, fault: str) -> None:
    services = {"well": scripted(), "ill": scripted()}
    me = psutil.Process()
    before = {child.pid for child in me.children(recursive=True)}
    with ExitStack() as stack:
        gateway = stack.enter_context(opened(tmp_path, services))
        gateway.services()
        server = stack.enter_context(faulty_server())
        server.faults = {"": FAULTS["drops the connection"]}
        search = stack.enter_context(asking(gateway, server.url))
        outcome = in_time(
            search, "どこ？", ServiceQuery("well", "thing", "2 hits"), ServiceQuery("ill", "thing", fault)
        )
        assert {one.service for one in outcome.evidence} == {"well"}
        assert [one.service for one in outcome.warnings if one.service != "model"] == ["ill"]
    assert {child.pid for child in me.children(recursive=True)} - before == set()


@pytest.mark.parametrize("start", ["hang", "crash"])
def test_a_service_that_does_not_start_does_not_hold_up_the_others(tmp_path: Path, start: str) -> None:
    with ExitStack() as stack:
        gateway = stack.enter_context(opened(tmp_path, {"well": scripted(), "ill": scripted(start)}))
        server = stack.enter_context(faulty_server())
        server.faults = {"": FAULTS["drops the connection"]}
        search = stack.enter_context(asking(gateway, server.url, 12.0))
        outcome = in_time(
            search, "どこ？", ServiceQuery("well", "thing", "2 hits"), ServiceQuery("ill", "thing", "2 hits")
        )
    assert {one.service for one in outcome.evidence} == {"well"}
    assert "ill" in {one.service for one in outcome.warnings}
