"""MCP over HTTP with permissions on: everybody proves who they are by a token, and is answered as that person alone."""

from __future__ import annotations

import asyncio
import base64
import hmac
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import psycopg
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from typer.testing import CliRunner

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from tests.builders.command_line import app
from tests.builders.identity_provider import CLIENT, IdentityProvider, identity_provider
from tests.builders.report_folder import write_files

PROGRAM = [sys.executable, "-m", "locator_search.cli.main"]
WORDS = {"own": "すいか", "group": "ぶどう", "domain": "みかん", "link": "れもん", "nobody": "かりん"}
READERS = {
    "own": '"aki@example.com"',
    "group": '"group:hr@example.com"',
    "domain": '"@example.com"',
    "link": '"anyone"',
    "nobody": "",
}
GROUPS = '[groups]\n"hr@example.com" = ["hana@example.com"]\n'
PEOPLE = {
    "aki@example.com": {"own", "domain", "link"},
    "hana@example.com": {"group", "domain", "link"},
    "out@other.org": {"link"},
}


@dataclass(frozen=True)
class Served:
    """A server that is up, the provider that it trusts, and the ids of the files by their names."""

    url: str
    provider: IdentityProvider
    ids: dict[str, str]
    settings: dict[str, str]

    @property
    def issued(self) -> Callable[..., str]:
        return self.provider.access_token


@contextmanager
def serving(folder: Path, settings: dict[str, str]) -> Iterator[str]:
    words = [*PROGRAM, "mcp", "--directory", str(folder), "--http", "--port", "0", "--json"]
    with subprocess.Popen(words, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads("".join(process.stdout.readline() for _ in range(3)))["url"]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def served(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("callers")
    rules = [f'[[rule]]\npath = "{way}"\nreaders = [{READERS[way]}]\n' for way in WORDS]
    write_files(root / "棚", {".locator-access.toml": "\n".join(rules)})
    for way, word in WORDS.items():
        text = f"# {word}の報告書\n\n{word}の収穫について、担当者が記録した報告書です。\n"
        write_files(root / "棚", {f"{way}/{word}.md": text, f"{way}/{word}台帳.pdf": "%PDF-1.7\nここで切れている\n"})
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE callers TEMPLATE template")
    (root / "groups.toml").write_text(GROUPS, "utf-8")
    settings = {
        "LOCATOR_HOME": str(root / "home"),
        "LOCATOR_FOLDERS": str(root / "棚"),
        "DATABASE_URL": database_server.url.replace("/postgres?", "/callers?", 1),
        "LOCATOR_PERMISSIONS": "1",
        "LOCATOR_GROUPS": str(root / "groups.toml"),
        "LOCATOR_LANGUAGE": "en",
    }
    with ExitStack() as stack:
        environment = stack.enter_context(pytest.MonkeyPatch.context())
        for name, value in settings.items():
            environment.setenv(name, value)
        crawled = CliRunner().invoke(app, ["crawler", "--json"])
        assert crawled.exit_code == 0, crawled.output
        with psycopg.connect(settings["DATABASE_URL"]) as connection:
            rows = connection.execute("SELECT file_name, file_id FROM file_state").fetchall()
        provider = stack.enter_context(identity_provider())
        provider.secrets_file(root, "http://127.0.0.1:8501/oauth2callback")
        yield Served(stack.enter_context(serving(root, settings)), provider, dict(rows), settings)


async def asked(url: str, token: str, conversation: Callable[[Client], Awaitable[Any]]) -> Any:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=100) as http_client,
        Client(streamable_http_client(url, http_client=http_client)) as client,
    ):
        return await conversation(client)


def call(served: Served, person: str, tool: str, **arguments: object) -> str:
    """The whole answer to this person, as text: nothing in it may hint at what others may read."""

    async def conversation(client: Client) -> str:
        answer = await client.call_tool(tool, arguments)
        return answer.model_dump_json()

    return str(asyncio.run(asked(served.url, served.issued(person), conversation)))


def searched(served: Served, person: str, query: str, tool: str = "search") -> dict[str, Any]:
    return dict(json.loads(call(served, person, tool, query=query))["structured_content"])


def resource(served: Served, person: str, way: str) -> bool:
    async def conversation(client: Client) -> bool:
        try:
            await client.read_resource(f"locator://document/{served.ids[f'{WORDS[way]}.md']}")
        except MCPError:
            return False
        return True

    return bool(asyncio.run(asked(served.url, served.issued(person), conversation)))


def titles(found: list[dict[str, Any]]) -> set[str]:
    return {item["title"] for item in found}


SURFACES: dict[str, Callable[[Served, str, str], bool]] = {
    "search": lambda served, person, way: (
        f"{WORDS[way]}.md" in titles(searched(served, person, f"{WORDS[way]}の報告書")["results"])
    ),
    "closest": lambda served, person, way: (
        f"{WORDS[way]}.md"
        in titles([one for key in ("results", "closest") for one in searched(served, person, "報告書の収穫")[key]])
    ),
    "choices": lambda served, person, way: (
        WORDS[way] in str([searched(served, person, "報告書")[key] for key in ("choices", "did_you_mean", "results")])
    ),
    "unread": lambda served, person, way: (
        f"{WORDS[way]}台帳.pdf" in titles(searched(served, person, f"{WORDS[way]}台帳.pdf")["unread"])
    ),
    "evidence": lambda served, person, way: (
        f"{WORDS[way]}.md" in titles(searched(served, person, f"{WORDS[way]}の報告書", "get_evidence")["evidence"])
    ),
    "evidence of a document": lambda served, person, way: (
        f"{WORDS[way]}の収穫"
        in call(served, person, "get_evidence", query="報告書", document_ids=[served.ids[f"{WORDS[way]}.md"]])
    ),
    "text": lambda served, person, way: (
        f"{WORDS[way]}の収穫" in call(served, person, "fetch", id=served.ids[f"{WORDS[way]}.md"])
    ),
    "resource": resource,
}


@pytest.mark.parametrize("surface", list(SURFACES))
@pytest.mark.parametrize("person", list(PEOPLE))
def test_a_person_is_answered_with_what_this_person_may_read(served: Served, person: str, surface: str) -> None:
    assert {way for way in WORDS if SURFACES[surface](served, person, way)} == PEOPLE[person]


@pytest.mark.parametrize("person", list(PEOPLE))
def test_no_answer_names_or_counts_a_file_of_others(served: Served, person: str) -> None:
    answer = call(served, person, "search", query="収穫の報告書")
    assert [word for way, word in WORDS.items() if way not in PEOPLE[person] and word in answer] == []
    listed = 2 * len(PEOPLE[person])
    assert json.loads(answer)["structured_content"]["coverage"]["listed"] == listed


def test_people_who_ask_at_once_are_never_mixed(served: Served) -> None:
    async def of(person: str) -> set[str]:
        async def conversation(client: Client) -> set[str]:
            found = [await client.call_tool("search", {"query": "収穫の報告書"}) for _ in range(4)]
            return {one["title"] for each in found for one in dict(each.structured_content or {})["results"]}

        return set(await asked(served.url, served.issued(person), conversation))

    async def all_at_once() -> list[set[str]]:
        return list(await asyncio.gather(*map(of, [*PEOPLE, *PEOPLE])))

    expected = [{f"{WORDS[way]}.md" for way in may} for may in PEOPLE.values()]
    assert asyncio.run(all_at_once()) == [*expected, *expected]


def test_a_session_of_somebody_is_worth_nothing_with_the_token_of_another(served: Served) -> None:
    greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    begun = request(served, served.issued("aki@example.com"), "initialize", greeting)
    taken = {"Mcp-Session-Id": begun.headers.get("mcp-session-id", "made-up")}
    question = {"name": "search", "arguments": {"query": "すいかの報告書"}}
    answer = request(served, served.issued("out@other.org"), "tools/call", question, taken)
    assert "すいか.md" not in answer.text
    assert "すいか.md" in request(served, served.issued("aki@example.com"), "tools/call", question, taken).text


def request(
    served: Served, token: str | None, method: str, params: object = None, headers: dict[str, str] | None = None
) -> httpx2.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    proof = {"Authorization": f"Bearer {token}"} if token is not None else {}
    accepted = {"Accept": "application/json, text/event-stream", **proof, **(headers or {})}
    return httpx2.post(served.url, json=message, headers=accepted, timeout=100)


def without_signature(token: str) -> str:
    head, claims, _ = token.split(".")
    unsigned = encoded(b'{"alg":"none","typ":"JWT","kid":"1"}')
    assert head != unsigned
    return f"{unsigned}.{claims}."


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def signed_with_the_public_key(served: Served) -> str:
    claims = served.issued("aki@example.com").split(".")[1]
    head = encoded(b'{"alg":"HS256","typ":"JWT","kid":"1"}')
    told = f"{head}.{claims}"
    public = json.dumps(served.provider.keys()).encode()
    return f"{told}.{encoded(hmac.digest(public, told.encode(), 'sha256'))}"


def of_another_provider(served: Served) -> str:
    with identity_provider() as other:
        return other.access_token("aki@example.com")


def in_the_name_of_ours(served: Served) -> str:
    with identity_provider() as other:
        return other.access_token("aki@example.com", iss=served.provider.address)


AKI = "aki@example.com"
REFUSED: dict[str, Callable[[Served], str | None]] = {
    "no token": lambda served: None,
    "words": lambda served: "let me in",
    "no end of brackets": lambda served: ".".join([served.issued(AKI).split(".")[0], encoded(b"[" * 9000), "AAAA"]),
    "no signature": lambda served: without_signature(served.issued(AKI)),
    "a signature of others": lambda served: served.issued(AKI)[:-8] + "AAAAAAAA",
    "the public key as a secret": signed_with_the_public_key,
    "another audience": lambda served: served.issued(AKI, aud="payroll"),
    "no audience": lambda served: served.issued(AKI, aud=None),
    "expired": lambda served: served.issued(AKI, exp=int(time.time()) - 5),
    "no end": lambda served: served.issued(AKI, exp=None),
    "not yet": lambda served: served.issued(AKI, nbf=int(time.time()) + 600),
    "no subject": lambda served: served.issued(AKI, sub=None),
    "another provider": of_another_provider,
    "another provider in our name": in_the_name_of_ours,
    "a key nobody has": lambda served: served.provider.access_token(AKI, kid="9"),
}


@pytest.mark.parametrize("kind", list(REFUSED))
def test_what_is_no_token_of_the_sign_in_is_refused_at_the_door(served: Served, kind: str) -> None:
    answer = request(served, REFUSED[kind](served), "tools/call", {"name": "search", "arguments": {"query": "報告書"}})
    assert answer.status_code == 401
    assert "resource_metadata=" in answer.headers["www-authenticate"]
    assert "報告書" not in answer.text


@pytest.mark.parametrize("audience", [CLIENT, [CLIENT, "another"], "the address"])
def test_a_token_is_made_for_the_pages_or_for_this_server(served: Served, audience: object) -> None:
    token = served.issued(AKI, aud=served.url if audience == "the address" else audience)
    assert request(served, token, "ping").status_code == 200


def test_the_door_says_where_tokens_are_had(served: Served) -> None:
    refusal = request(served, None, "ping").headers["www-authenticate"]
    address = refusal.partition('resource_metadata="')[2].partition('"')[0]
    told = httpx2.get(address, timeout=100).json()
    assert told["resource"] == served.url
    assert told["authorization_servers"] == [served.provider.address]


def test_somebody_without_a_confirmed_address_is_told_so_and_shown_nothing(served: Served) -> None:
    token = served.issued(AKI, email_verified=False)
    question = {"name": "search", "arguments": {"query": "すいかの報告書"}}
    answer = request(served, token, "tools/call", question).text
    assert "does not confirm an e-mail address" in answer
    assert "すいか.md" not in answer


def test_questions_and_openings_are_kept_with_whose_they_are(served: Served) -> None:
    searched(served, "hana@example.com", "帳簿の報告書")
    call(served, "hana@example.com", "fetch", id=served.ids["れもん.md"])
    with psycopg.connect(served.settings["DATABASE_URL"]) as connection:
        kept = connection.execute(
            "SELECT kind, question, file_id FROM audit_entry WHERE person = 'hana@example.com' AND surface = 'mcp'"
        ).fetchall()
    assert ("asked", "帳簿の報告書", "") in kept
    assert ("opened", "", served.ids["れもん.md"]) in kept


def test_people_who_are_not_on_the_list_stay_outside(served: Served, tmp_path: Path) -> None:
    served.provider.secrets_file(tmp_path, "http://127.0.0.1:8501/oauth2callback")
    public = "https://documents.example.com/mcp"
    listed = {**served.settings, "LOCATOR_ALLOWED_USERS": "example.com", "LOCATOR_MCP_URL": public}
    with serving(tmp_path, listed) as url:
        at = Served(url, served.provider, served.ids, listed)
        assert request(at, served.issued("aki@example.com", aud=public), "ping").status_code == 200
        assert request(at, served.issued("out@other.org"), "ping").status_code == 401
        assert request(at, served.issued(AKI, aud=url), "ping").status_code == 401, "not its public address"
        behind = http.client.HTTPConnection(urlsplit(url).netloc, timeout=100)
        behind.request("GET", "/.well-known/oauth-protected-resource/mcp", headers={"Host": "documents.example.com"})
        assert json.loads(behind.getresponse().read())["resource"] == public


@pytest.mark.parametrize("lacks", ["the section", "the provider"])
def test_it_does_not_start_where_nobody_could_prove_who_they_are(served: Served, tmp_path: Path, lacks: str) -> None:
    if lacks == "the provider":
        with identity_provider() as gone:
            gone.secrets_file(tmp_path, "http://127.0.0.1:8501/oauth2callback")
    words = [*PROGRAM, "mcp", "--directory", str(tmp_path), "--http", "--port", "0"]
    result = subprocess.run(
        words, env={**os.environ, **served.settings}, capture_output=True, text=True, timeout=200, check=False
    )
    assert result.returncode == 2
    told = "needs the sign-in of the pages" if lacks == "the section" else "does not say who it is"
    assert told in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
