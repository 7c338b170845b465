"""Who may ask our servers: the right name, our own pages, and whoever signed in."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from locator_search.core.errors import ConfigurationError
from locator_search.guard import Guard, names_of, read_sign_in
from locator_search.guard.sign_in import admits

NAMES = names_of(["docs.example.com"], ["https://locator.example.com/oauth2callback", "http://127.0.0.1:3000", None])
COMPLETE = """
[auth]
redirect_uri = "http://localhost:8501/oauth2callback"
cookie_secret = "0123456789abcdef0123456789abcdef"
client_id = "ours"
client_secret = "theirs"
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""


async def _behind(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    seen = dict(scope["headers"])[b"host"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"SAMEORIGIN")]})
    await send({"type": "http.response.body", "body": seen})


def asked(*headers: tuple[str, str], method: str = "GET", kind: str = "http") -> list[dict[str, Any]]:
    """The messages to a client that asks with these headers."""
    sent: list[dict[str, Any]] = []
    scope = {
        "type": kind,
        "method": method,
        "path": "/",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
    }

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    asyncio.run(Guard(_behind, NAMES, "en")(scope, receive, send))
    return sent


def status(*headers: tuple[str, str], method: str = "GET") -> int:
    return int(asked(*headers, method=method)[0]["status"])


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8501", "localhost:1", "LOCALHOST", "[::1]:3000", "docs.example.com", "docs.example.com.:443",
     "locator.example.com:8443"],
)  # fmt: skip
def test_our_own_names_are_answered_on_every_port(host: str) -> None:
    assert status(("Host", host)) == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example.org", "127.0.0.1.evil.example.org", "localhost.evil.example.org:8501", "evil.example.org@localhost",
     "localhost@evil.example.org", "127.0.0.2:8501", "[::2]", "", "localhost:8501:80", "docs.example.com/x",
     "xdocs.example.com"],
)  # fmt: skip
def test_every_other_name_is_refused(host: str) -> None:
    assert status(("Host", host)) == 421


def test_a_request_without_one_single_name_is_refused() -> None:
    assert status() == 421
    assert status(("Host", "localhost"), ("Host", "evil.example.org")) == 421


@pytest.mark.parametrize(
    "origin", ["http://localhost:8501", "https://locator.example.com", "https://docs.example.com:444"]
)
def test_our_own_pages_may_ask(origin: str) -> None:
    assert status(("Host", "localhost:8501"), ("Origin", origin), method="POST") == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example.org", "null", "http://localhost:5000", "http://127.0.0.1:8501", "file://", "localhost:8501",
     "http://localhost:8501.evil.example.org", "chrome-extension://localhost:8501"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_foreign_pages_may_not(origin: str, method: str) -> None:
    assert status(("Host", "localhost:8501"), ("Origin", origin), method=method) == 403


def test_a_second_origin_is_held_against_the_rule_too() -> None:
    ours, foreign = ("Origin", "http://localhost:8501"), ("Origin", "http://evil.example.org")
    assert status(("Host", "localhost:8501"), ours, foreign) == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_foreign_page_that_names_no_origin_may_link_to_us_and_nothing_more(site: str) -> None:
    host, from_there = ("Host", "localhost:8501"), ("Sec-Fetch-Site", site)
    link = (("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"))
    assert status(host, from_there, *link) == 200
    assert status(host, from_there, *link, method="POST") == 403
    assert status(host, from_there, ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")) == 403
    assert status(host, from_there, ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")) == 403
    assert status(host, ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")) == 200


def test_programs_that_are_no_browsers_may_ask() -> None:
    assert status(("Host", "localhost:3000"), method="POST") == 200


def test_a_foreign_socket_is_closed_before_it_opens() -> None:
    foreign = asked(("Host", "localhost:1"), ("Origin", "http://evil.example.org"), kind="websocket")
    assert [message["type"] for message in foreign] == ["websocket.close"]
    ours = asked(("Host", "localhost:1"), ("Origin", "http://localhost:1"), kind="websocket")
    assert [message["type"] for message in ours] == ["websocket.accept"]


def test_every_answer_forbids_frames_and_foreign_sources_a_refusal_too() -> None:
    for start, *_ in (asked(("Host", "localhost")), asked(("Host", "evil.example.org"))):
        headers = [(name.decode(), value.decode()) for name, value in start["headers"]]
        told = dict(headers)
        assert [value for name, value in headers if name == "x-frame-options"] == ["DENY"]
        assert "frame-ancestors 'none'" in told["content-security-policy"]
        assert "img-src 'self' data: blob:;" in told["content-security-policy"]
        assert told["x-content-type-options"] == "nosniff"


def test_behind_a_proxy_what_is_behind_us_sees_the_name_the_browser_used() -> None:
    sent = asked(("Host", "127.0.0.1:8501"), ("Origin", "https://locator.example.com"))
    assert sent[1]["body"] == b"locator.example.com"


@pytest.mark.parametrize("wrong", ["http://docs.example.com", "docs.example.com:8501", "a b", "*"])
def test_a_name_that_is_none_is_said(wrong: str) -> None:
    with pytest.raises(ConfigurationError, match="LOCATOR_ALLOWED_HOSTS"):
        names_of([wrong], [])


def test_a_whole_section_is_read_and_the_later_file_wins(tmp_path: Path) -> None:
    pytest.importorskip("authlib")
    first, second = tmp_path / "1.toml", tmp_path / "2.toml"
    first.write_text('[auth]\nclient_id = "old"\n')
    second.write_text(COMPLETE)
    sign_in = read_sign_in([first, second, tmp_path / "none.toml"])
    assert sign_in is not None
    assert [provider.client_id for provider in sign_in.providers] == ["ours"]
    assert "theirs" not in repr(sign_in)
    assert "0123456789" not in repr(sign_in)


def test_without_a_section_nobody_signs_in(tmp_path: Path) -> None:
    other = tmp_path / "secrets.toml"
    other.write_text('key = "value"\n')
    assert read_sign_in([other]) is None


@pytest.mark.parametrize("name", ["auht", "Auth", "oauth", "authentication.x", "sso"])
def test_a_sign_in_under_another_name_is_refused(name: str, tmp_path: Path) -> None:
    other = tmp_path / "secrets.toml"
    other.write_text(COMPLETE.replace("[auth]", f"[{name}]"))
    with pytest.raises(ConfigurationError, match=f"under {name.partition('.')[0]} instead of"):
        read_sign_in([other])


def test_a_sign_in_without_its_heading_is_refused_and_sections_of_others_are_let_alone(tmp_path: Path) -> None:
    other = tmp_path / "secrets.toml"
    other.write_text(COMPLETE.replace("[auth]", ""))
    with pytest.raises(ConfigurationError, match="under cookie_secret"):
        read_sign_in([other])
    other.write_text('[google_oauth]\nclient_id = "another program\'s"\nredirect_uri = "https://example.org"\n')
    assert read_sign_in([other]) is None
    other.write_text('[path]\nfolder = "/data"\n[author]\nname = "Aoki"\n')
    assert read_sign_in([other]) is None


@pytest.mark.parametrize("key", ["redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url"])
def test_what_is_missing_is_named(key: str, tmp_path: Path) -> None:
    half = tmp_path / "secrets.toml"
    for broken in ("", f'{key} = ""'):
        half.write_text("\n".join(broken if line.startswith(key) else line for line in COMPLETE.splitlines()))
        with pytest.raises(ConfigurationError, match=f"lacks {key}"):
            read_sign_in([half])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[auth]\n", "lacks redirect_uri, cookie_secret, client_id, client_secret, server_metadata_url"),
        ("auth = 1\n", "must be a section"),
        ("[auth\n", "cannot be read"),
        (COMPLETE.replace("/oauth2callback", "/back"), "must be an address that ends with /oauth2callback"),
        (COMPLETE + '[auth.google]\nclient_id = "x"\n', "lacks google.client_secret, google.server_metadata_url"),
    ],
)
def test_nothing_that_is_half_set_up_counts_as_not_set_up(text: str, words: str, tmp_path: Path) -> None:
    half = tmp_path / "secrets.toml"
    half.write_text(text)
    with pytest.raises(ConfigurationError, match=words):
        read_sign_in([half])


@pytest.mark.parametrize(
    ("claims", "admitted"),
    [
        ({"email": "aoki@example.com", "email_verified": True}, True),
        ({"email": "AOKI@Example.COM", "email_verified": True}, True),
        ({"email": "baba@other.example", "email_verified": True}, True),
        ({"email": "chiba@other.example", "email_verified": True}, False),
        ({"email": "aoki@example.com", "email_verified": False}, False),
        ({"email": "aoki@example.com", "email_verified": "true"}, False),
        ({"email": "aoki@example.com"}, False),
        ({"email": "evil@evil.org@example.com", "email_verified": True}, False),
        ({"email": "evil@sub.example.com", "email_verified": True}, False),
        ({"sub": "1"}, False),
    ],
)
def test_the_list_admits_verified_addresses_and_domains(claims: dict[str, object], admitted: bool) -> None:
    assert admits(("example.com", "baba@other.example"), claims) is admitted
    assert admits((), claims)
