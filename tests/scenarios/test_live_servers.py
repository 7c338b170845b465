"""Our own servers for Google Drive and GitHub as the product starts them, against loopback, and the mocks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import pytest

from locator_search.adapters.mcp_services import McpServiceGateway, open_gateway
from locator_search.adapters.mcp_services.configuration import load_servers
from locator_search.config.settings import Settings
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.dev.drive_emulator.faults import FaultRule
from locator_search.live_search.queries import addresses_in
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import SearchReply, ServiceHit, ServiceQuery
from tests.builders.servers_of_others import how_to_get, server_of_others
from tests.builders.services import opened, patient_servers, played
from tests.fakes.github_server import TOKEN, FakeGitHub, fake_github
from tests.fakes.sign_ins import MemorySignIns

KEYS = {
    "drive": {
        "google_client_id": "id",
        "google_client_secret": "secret",
        "google_refresh_token": "token",
        "google_drive_target_folder_ids": "none",
    },
    "slack": {"slack_user_token": "xoxp-test"},
    "github": {"github_personal_access_token": TOKEN},
}


@dataclass
class Outside:
    """Both services on loopback, and the gateway in front of our servers for them."""

    drive: DriveEmulator
    github: FakeGitHub
    gateway: McpServiceGateway

    def search(self, service: str, kind: str, query: str, most: int = 3) -> SearchReply:
        return self.gateway.search([ServiceQuery(service, kind, query)], most)[0]

    def hits(self, service: str, kind: str, query: str) -> tuple[ServiceHit, ...]:
        reply = self.search(service, kind, query)
        assert reply.failure is None, reply.failure
        return reply.hits

    def reason(self, service: str, kind: str, query: str) -> str:
        reply = self.search(service, kind, query)
        assert reply.failure is not None
        return reply.failure.reason


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    home = tmp_path_factory.mktemp("live")
    with DriveEmulator() as drive, fake_github() as github:
        fill(drive, github)
        environment = {name.lower(): value for name, value in drive.environment().items()}
        settings = Settings(
            locator_home=home,
            locator_servers=patient_servers(home, **{f"mock_{name}": played(name) for name in KEYS}),
            allow_real=None,
            github_personal_access_token=TOKEN,
            github_api_url=github.url,
            **environment,  # type: ignore[arg-type]  # the class reads text
        )
        gateway = open_gateway(settings, MemorySignIns())
        gateway.services()
        try:
            yield Outside(drive, github, gateway)
        finally:
            gateway.close()


@pytest.fixture
def outside(started: Outside) -> Iterator[Outside]:
    started.github.asked.clear()
    yield started
    started.github.refusals.clear()
    started.drive.set_faults()


GITHUB_KINDS = ("issue", "pull_request", "code")
SAMPLES = Path(__file__).parents[2] / "samples"


def fill(drive: DriveEmulator, github: FakeGitHub) -> None:
    drive.add_document("Alpha 設計ドキュメント", "# 設計\n\n再送の上限は三回。")
    shared = drive.add_shared_drive("全社")
    regulation = SAMPLES / "人事部/規程/テレワーク勤務規程_S-21.pdf"
    drive.add_file(regulation.name, regulation.read_bytes(), shared, mime_type="application/pdf")
    minutes = SAMPLES / "経営会議/議事録/経営会議議事録_令和6年8月.docx"
    drive.add_file(minutes.name, minutes.read_bytes(), shared)
    drive.add_folder("設計 フォルダー")
    drive.add_file("古い設計.txt", "もう使わない設計", mime_type="text/plain")
    drive.add_workspace_file("構成図", "drawing")
    github.add_issue(42, "再送が止まらない", "503 のとき再送が無限に続く。")
    github.add_issue(43, "再送の上限を三回にする", "#42 を直す。", pull_request=True)
    github.comments[42] = [("tanaka", "三回でよい。"), ("sato", "賛成。")]
    github.files = {"docs/設計 書.md": "再送の上限は三回".encode(), "logo.bin": b"logo\0\0"}


# Addresses


@pytest.mark.parametrize("query", ["https://github.com/acme/app/issues/42", "acme/app#42", "repo:acme/app 再送 #42"])
def test_github_opens_the_issue_that_a_query_names(outside: Outside, query: str) -> None:
    assert [hit.uri for hit in outside.hits("github", "issue", query)] == ["https://github.com/acme/app/issues/42"]
    assert outside.hits("github", "pull_request", query) == ()
    assert outside.hits("github", "issue", query.replace("42", "4200")) == ()


def test_drive_opens_the_file_that_a_query_names(outside: Outside) -> None:
    (hit, *_) = outside.hits("drive", "file", "fullText contains '設計'")
    (opened,) = outside.hits("drive", "file", hit.uri)
    assert (opened.title, opened.uri) == (hit.title, hit.uri)


def test_the_addresses_of_the_product_fit_the_links_of_its_hits(outside: Outside) -> None:
    patterns = {(one.name, each.kind): each.addresses for one in outside.gateway.services() for each in one.searches}
    for service, kind in (("mock_drive", "file"), ("github", "issue"), ("github", "pull_request")):
        (hit, *_) = outside.hits(service, kind, "再送")
        (address,) = addresses_in(f"「{hit.uri}」を見て", patterns[service, kind])
        assert hit.uri.startswith(address)


# Google Drive


def test_drive_finds_files_of_shared_drives_too_with_id_and_link(outside: Outside) -> None:
    (found,) = outside.hits("drive", "file", "name contains 'テレワーク'")
    assert found.title == "テレワーク勤務規程_S-21.pdf"
    assert found.uri.endswith(f"/file/d/{found.fetch['id']}/view")


def test_drive_understands_or_and_leaves_out_folders_and_the_trash(outside: Outside) -> None:
    old = outside.hits("drive", "file", "name = '古い設計.txt'")[0].fetch["id"]
    outside.drive.tree.items[str(old)].trashed = True
    asked = "fullText contains '設計' or name contains '経営会議'"
    titles = {hit.title for hit in outside.hits("drive", "file", asked)}
    assert titles == {"Alpha 設計ドキュメント", "経営会議議事録_令和6年8月.docx"}


def test_plain_words_are_a_query_of_drive_too(outside: Outside) -> None:
    assert [hit.title for hit in outside.hits("drive", "file", "Alpha 再送")] == ["Alpha 設計ドキュメント"]
    assert len(outside.hits("drive", "file", "Alpha OR テレワーク OR it's")) == 2


def test_docs_pdf_and_word_files_are_read_as_text(outside: Outside) -> None:
    asked = "name contains 'Alpha' or name contains 'テレワーク' or name contains '経営会議'"
    bodies = {body.hit.title[:5]: body.text for body in outside.gateway.fetch(outside.hits("drive", "file", asked))}
    assert "再送の上限は三回。" in bodies["Alpha"]
    assert "在宅" in bodies["テレワーク"]
    assert "議事録" in bodies["経営会議議"]
    assert all(len(body) <= 8000 for body in bodies.values())


def test_a_drive_file_without_text_says_so_and_the_others_are_read(outside: Outside) -> None:
    hits = (*outside.hits("drive", "file", "name contains '構成図'"), *outside.hits("drive", "file", "Alpha"))
    drawing, document = outside.gateway.fetch(hits)
    assert drawing.failure is not None
    assert "構成図" in fault_sentence(drawing.failure.fault, "en")
    assert document.text


def test_what_drive_refuses_is_told_apart(outside: Outside) -> None:
    assert outside.reason("drive", "file", "name contains") == "refused"
    outside.drive.set_faults(FaultRule(faults=("userRateLimitExceeded",), method="files.list"))
    assert outside.reason("drive", "file", "Alpha") == "rate_limited"
    outside.drive.set_faults(FaultRule(faults=("429",), method="files.list", retry_after=30))
    assert outside.reason("drive", "file", "Alpha") == "rate_limited"
    outside.drive.set_faults()
    assert outside.hits("drive", "file", "Alpha")


# GitHub


def test_github_finds_issues_pull_requests_and_files(outside: Outside) -> None:
    hits = [outside.hits("github", kind, "再送")[0] for kind in GITHUB_KINDS]
    assert [(hit.title, hit.uri) for hit in hits] == [
        ("acme/app#42 再送が止まらない", "https://github.com/acme/app/issues/42"),
        ("acme/app#43 再送の上限を三回にする", "https://github.com/acme/app/pull/43"),
        ("acme/app docs/設計 書.md", "https://github.com/acme/app/blob/0123abc/docs/設計 書.md"),
    ]
    issue, pull_request, file = [body.text for body in outside.gateway.fetch(hits)]
    assert issue.split() == [
        "再送が止まらない",
        "503",
        "のとき再送が無限に続く。",
        "tanaka:",
        "三回でよい。",
        "sato:",
        "賛成。",
    ]
    assert "#42 を直す。" in pull_request
    assert file == "再送の上限は三回"


def test_github_is_asked_for_no_more_than_wanted(outside: Outside) -> None:
    outside.search("github", "issue", "再送", most=2)
    assert outside.github.asked == [
        ("/search/issues", {"q": "再送 is:issue", "per_page": "2", "advanced_search": "true"})
    ]


def test_binary_files_are_not_read(outside: Outside) -> None:
    (body,) = outside.gateway.fetch(outside.hits("github", "code", "logo"))
    assert body.failure is not None
    assert "binary" in fault_sentence(body.failure.fault, "en")


def test_a_path_that_leads_out_of_the_repository_is_not_asked_for(outside: Outside) -> None:
    asked = len(outside.github.asked)
    (hit,) = outside.hits("github", "code", "logo")
    (body,) = outside.gateway.fetch([replace(hit, fetch={**hit.fetch, "path": "docs/../../../../user"})])
    assert body.failure is not None
    assert "leads elsewhere" in fault_sentence(body.failure.fault, "en")
    assert len(outside.github.asked) == asked + 1, "the search alone"


@pytest.mark.parametrize(
    ("status", "headers", "message", "reason"),
    [
        (403, {"X-RateLimit-Remaining": "0"}, "API rate limit exceeded for user", "rate_limited"),
        (403, {"Retry-After": "60"}, "You have exceeded a secondary limit", "rate_limited"),
        (429, {}, "Too many requests", "rate_limited"),
        (403, {}, "Resource not accessible by personal access token", "refused"),
        (422, {}, "Validation Failed", "refused"),
        (502, {}, "Bad gateway", "refused"),
        (302, {"Location": "http://127.0.0.2:1/elsewhere"}, "Moved", "refused"),
    ],
)
def test_what_github_refuses_is_told_apart(
    outside: Outside, status: int, headers: dict[str, str], message: str, reason: str
) -> None:
    outside.github.refusals["/search/issues"] = (status, headers, {"message": message})
    assert outside.reason("github", "issue", "再送") == reason
    assert len(outside.github.asked) == 1


# The services together


@pytest.mark.parametrize("with_keys", [some for count in range(4) for some in combinations(KEYS, count)], ids=str)
def test_made_up_services_answer_together_or_not_at_all(tmp_path: Path, with_keys: tuple[str, ...]) -> None:
    real = set(with_keys)
    keys = {name: value for service in real for name, value in KEYS[service].items()}
    settings = Settings(locator_home=tmp_path, allow_real=None, **keys)  # type: ignore[arg-type]  # the class reads text
    chosen = {server.name: server.service for server in open_gateway(settings, MemorySignIns())._servers.values()}
    assert {name for name, service in chosen.items() if service.mock} == (set() if real else set(KEYS))
    assert {name for name, service in chosen.items() if not service.missing} == real
    left_out = {name: service.failure for name, service in chosen.items() if service.failure is not None}
    assert set(left_out) == (set(KEYS) - real if real else set())
    for name, failure in left_out.items():
        assert chosen[name].missing[0] in fault_sentence(failure.fault, "ja")


def test_a_service_that_is_left_out_is_asked_nothing(outside: Outside) -> None:
    slack = next(one for one in outside.gateway.services() if one.name == "slack")
    assert (slack.mock, slack.missing) == (False, ("SLACK_USER_TOKEN",))
    assert outside.reason("slack", "message", "再送") == "misconfigured"


def test_the_syntax_help_of_queries_comes_from_the_running_servers(outside: Outside) -> None:
    syntax = {search.kind: search.syntax for service in outside.gateway.services() for search in service.searches}
    assert "fullText contains" in syntax["file"]
    assert "repo:owner/name" in syntax["issue"]
    assert "256 characters" in syntax["code"]
    assert "in:channel-name" in syntax["message"]


def test_mocks_alone_are_chosen_where_real_services_are_not_allowed(tmp_path: Path) -> None:
    settings = Settings(locator_home=tmp_path, allow_real=False, github_personal_access_token=TOKEN)
    chosen = [server.service for server in open_gateway(settings, MemorySignIns())._servers.values()]
    assert [(service.mock, service.missing, service.failure) for service in chosen] == [(True, (), None)] * 3


def test_mocks_answer_as_the_real_servers_do(outside: Outside) -> None:
    asked = [("mock_drive", "file"), ("mock_slack", "message"), *(("mock_github", kind) for kind in GITHUB_KINDS)]
    replies = outside.gateway.search([ServiceQuery(service, kind, "再送") for service, kind in asked])
    assert [len(reply.hits) for reply in replies] == [2, 1, 1, 1, 1]
    bodies = outside.gateway.fetch([hit for reply in replies for hit in reply.hits])
    assert all(body.text and body.failure is None for body in bodies)
    nothing = outside.gateway.search([ServiceQuery(service, kind, "ペンギン") for service, kind in asked])
    assert [(reply.hits, reply.failure) for reply in nothing] == [((), None)] * 5
    assert [service.problems for service in outside.gateway.services()] == [()] * 6


def test_a_warm_question_takes_little_more_than_its_slowest_service(outside: Outside) -> None:
    asked = [("drive", "file"), ("mock_slack", "message"), ("github", "issue"), ("github", "code")]
    queries = [ServiceQuery(service, kind, "再送") for service, kind in asked]
    outside.gateway.search(queries)

    def takes_little_more() -> bool:
        started = time.monotonic()
        seconds = [reply.seconds for reply in outside.gateway.search(queries)]
        together = time.monotonic() - started
        return together - max(seconds) < 0.3 and together < sum(seconds)

    assert any(takes_little_more() for _ in range(20)), "now and then the machine is free"


# A service that is configuration only


FILESYSTEM = server_of_others("mcp-server-filesystem", "MCP_SERVER_FILESYSTEM")


@pytest.mark.skipif(FILESYSTEM is None, reason=how_to_get("mcp-server-filesystem"))
def test_the_filesystem_server_of_others_is_added_by_configuration_alone(tmp_path: Path) -> None:
    (tmp_path / "文書").mkdir()
    (tmp_path / "文書" / "椿計画.txt").write_text("予算は三百万円。", "utf-8")
    entry = load_servers().servers["files"].model_dump(exclude_unset=True)
    entry["transport"]["command"] = FILESYSTEM
    tree = json.loads(json.dumps({**entry, "enabled": True}).replace("${FILES_FOLDER}", str(tmp_path)))
    tree["transport"]["args"] = [str(tmp_path)]
    with opened(tmp_path, {"files": tree}) as gateway:
        (service,) = gateway.services()
        assert (service.failure, service.problems) == (None, ())
        (reply,) = gateway.search([ServiceQuery("files", "file", "椿")])
        assert [(hit.title, hit.uri) for hit in reply.hits] == [("椿計画.txt", str(tmp_path / "文書" / "椿計画.txt"))]
        (body,) = gateway.fetch(reply.hits)
        assert body.text == "予算は三百万円。"
