"""The real slack-mcp-server, unmodified, against a workspace on loopback; without it these tests are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from locator_search.adapters.mcp_services import McpServiceGateway, open_gateway
from locator_search.adapters.mcp_services.configuration import load_servers
from locator_search.config.settings import Settings
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import SearchReply, ServiceQuery
from tests.builders.servers_of_others import how_to_get, server_of_others
from tests.builders.services import servers_file
from tests.fakes.sign_ins import MemorySignIns
from tests.fakes.slack_workspace import TOKEN, Channel, Message, SlackWorkspace, slack_workspace

BINARY = server_of_others("slack-mcp-server", "SLACK_MCP_SERVER")

pytestmark = pytest.mark.skipif(BINARY is None, reason=how_to_get("slack-mcp-server"))

PUBLIC = Channel("C100", "project-alpha")
PRIVATE = Channel("G200", "alpha-leads", "private")
DIRECT = Channel("D300", "", "dm")


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlackWorkspace]:
    with slack_workspace(tmp_path) as served:
        monkeypatch.setenv("SLACK_MCP_SERVER", BINARY or "")
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        thread = (("U002", "三回でよいと思います。"), ("U001", "議事録に残します。"))
        served.messages = [
            Message(PUBLIC, "1761613200.000100", "U001", '再送の上限について\n「三回」, または "五回"', thread),
            Message(PRIVATE, "1761699600.000200", "U002", "再送の件は対外秘です。"),
            Message(DIRECT, "1761786000.000300", "U002", "再送の設定を直しました。"),
            Message(PUBLIC, "1761786100.000400", "U002", "再送の四件目。"),
        ]
        yield served
        assert served.refused_hosts == []


def settings_for(servers: Path, token: str) -> Settings:
    return Settings(locator_servers=servers, locator_home=servers.parent, allow_real=None, slack_user_token=token)


@pytest.fixture
def gateway(workspace: SlackWorkspace, tmp_path: Path) -> Iterator[McpServiceGateway]:
    """The service `slack` as the product describes it, and nothing else."""
    slack = load_servers().servers["slack"].model_dump(exclude_unset=True)
    path = servers_file(tmp_path, {"slack": slack})
    opened = open_gateway(settings_for(path, TOKEN), MemorySignIns())
    yield opened
    opened.close()


def searched(gateway: McpServiceGateway, query: str) -> SearchReply:
    return gateway.search([ServiceQuery("slack", "message", query)])[0]


def test_private_channels_and_direct_messages_are_found_with_their_links(gateway: McpServiceGateway) -> None:
    (service,) = gateway.services()
    assert (service.mock, service.failure, service.problems) == (False, None, ())
    reply = searched(gateway, "再送")
    assert [hit.title.split()[:2] for hit in reply.hits] == [
        ["C100", "(#project-alpha)"], ["G200", "(#alpha-leads)"], ["D300", "(#U002)"],
    ]  # fmt: skip
    assert [hit.uri.partition("?")[0] for hit in reply.hits] == [
        "https://test-team.slack.com/archives/C100/p1761613200000100",
        "https://test-team.slack.com/archives/G200/p1761699600000200",
        "https://test-team.slack.com/archives/D300/p1761786000000300",
    ]


def test_the_body_of_a_message_is_its_whole_thread(gateway: McpServiceGateway) -> None:
    thread, private, direct = gateway.fetch(searched(gateway, "再送").hits)
    assert [line.partition(": ")[2] for line in thread.text.splitlines() if ": " in line] == [
        "再送の上限について", "三回でよいと思います。", "議事録に残します。",
    ]  # fmt: skip
    assert '「三回」, または "五回"' in thread.text
    assert private.text.endswith("再送の件は対外秘です。")
    assert direct.text.endswith("再送の設定を直しました。")


def test_a_rate_limit_is_told_and_not_tried_again_by_us(gateway: McpServiceGateway, workspace: SlackWorkspace) -> None:
    workspace.rate_limited["search.all"] = 1
    limited = searched(gateway, "再送")
    assert limited.failure is not None
    assert limited.failure.reason == "rate_limited"
    workspace.rate_limited.clear()
    assert len(searched(gateway, "再送").hits) == 3


def test_a_revoked_token_is_told_by_what_the_server_says_last(
    workspace: SlackWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slack = load_servers().servers["slack"].model_dump(exclude_unset=True)
    path = servers_file(tmp_path, {"slack": slack})
    revoked = open_gateway(settings_for(path, "xoxp-revoked-1"), MemorySignIns())
    try:
        (service,) = revoked.services()
        assert service.failure is not None
        assert "invalid_auth" in fault_sentence(service.failure.fault, "en")
        assert "xoxp-revoked-1" not in fault_sentence(service.failure.fault, "en")
    finally:
        revoked.close()
