"""What X returns and nobody can read or may show: pages damaged on their way, damaged posts, withheld ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from locator_search.core.errors import AnswerUnreadable, SourceError
from locator_search.ports.x.sessions import Session
from tests.builders.x_bench import XBench, scores_of
from tests.fakes.clock import HeldClock
from tests.fakes.x_server import XServer, x_server

QUESTION = "インボイス制度の現場の反応"
DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda page: page[: len(page) // 2],
    lambda _page: b"",
    lambda _page: b"<html>Bad Gateway</html>",
    lambda _page: b"[" * 100_000,
    lambda page: page.replace(b'"meta"', b'"mate"'),
    lambda page: b"\xff\xfe" + page,
    lambda _page: b'{"data": "x", "meta": {}}',
]


@pytest.fixture
def server() -> Iterator[XServer]:
    with x_server(posts=400) as state:
        yield state


@pytest.fixture
def bench(database_url: str, tmp_path: Path, server: XServer) -> Iterator[XBench]:
    with closing(XBench(database_url, tmp_path, server)) as opened:
        yield opened


def searched(bench: XBench, budget: float = 5.0) -> Session:
    """A session that waits for nothing in real time."""
    x = replace(bench.x, clock=HeldClock(bench.x.clock.now()))
    return x.work(x.start(QUESTION, budget=budget).session_id)


def billed(server: XServer) -> float:
    return 0.005 * len(server.billed)


@pytest.mark.parametrize("sent", [200, pytest.param(1_200, marks=pytest.mark.large)])
def test_hundreds_of_damaged_pages_among_good_ones_lose_nothing(bench: XBench, server: XServer, sent: int) -> None:
    """Every page is damaged five times before it is good; pages are small, so there are many."""
    pages: Counter[str] = Counter()

    def five_times(asked: dict[str, str], page: bytes) -> bytes:
        key = f"{asked['query']} {asked.get('next_token')}"
        pages[key] += 1
        return page if pages[key] % 6 == 0 else DAMAGES[sum(pages.values()) % len(DAMAGES)](page)

    undisturbed = searched(bench, budget=1.0)
    expected = scores_of(bench.x.posts(undisturbed.session_id))
    server.damaged = five_times
    while sum(pages.values()) < sent:
        bench.rows("DELETE FROM x_purchase RETURNING 1")
        server.billed.clear()
        session = searched(bench, budget=1.0)
        assert (session.status, session.answer, session.warnings) == ("done", undisturbed.answer, undisturbed.warnings)
        assert scores_of(bench.x.posts(session.session_id)) == expected
        assert session.cost_usd == pytest.approx(billed(server))


def test_a_query_whose_page_stays_damaged_ends_alone_and_the_session_says_so(bench: XBench, server: XServer) -> None:
    server.per_query, spoilt = 40, "#インボイス制度"
    server.damaged = lambda asked, page: page[: len(page) * 2 // 3] if asked["query"] == spoilt else page
    session = searched(bench)
    by_text = {query.text: query for query in bench.x.queries(session.session_id)}
    assert session.status == "done"
    assert session.answer
    assert by_text[spoilt].status == "failed"
    assert by_text[spoilt].reason == "X の応答が壊れていて読み取れません"
    assert all(query.status == "done" for text, query in by_text.items() if text != spoilt)
    assert any(f"検索クエリ {by_text[spoilt].ordinal} はここまで" in warning for warning in session.warnings)
    assert sum(request["query"] == spoilt for request in server.requests) == 6  # five retries
    assert 0.005 * session.posts < session.cost_usd <= billed(server)  # what arrived of it is paid


def test_where_no_page_can_be_read_the_session_stops_and_goes_on_when_they_can(bench: XBench, server: XServer) -> None:
    server.damaged = lambda _asked, _page: b"<html>a proxy that wants to be signed in to</html>"
    x = replace(bench.x, clock=HeldClock(bench.x.clock.now()))
    session = x.start(QUESTION, budget=5.0)
    with pytest.raises(AnswerUnreadable, match="読み取れません"):
        x.work(session.session_id)
    stopped = x.get(session.session_id)
    assert (stopped.status, stopped.cost_usd) == ("failed", 0.0)
    server.damaged = None
    done = x.work(session.session_id)
    assert done.status == "done"
    assert {query.status for query in x.queries(session.session_id)} == {"done"}


def test_posts_that_are_damaged_or_withheld_are_paid_said_and_not_shown(bench: XBench, server: XServer) -> None:
    withheld = server.posts[0] | {"withheld": {"copyright": False, "country_codes": ["DE"], "scope": "tweet"}}
    damaged: list[Any] = [
        server.posts[1] | {"text": ""},
        server.posts[2] | {"created_at": "0001-01-01T00:00:00+23:59"},
        server.posts[3] | {"id": ".."},
    ]
    others = {post["author_id"] for post in server.posts[:4]}
    author = next(post["author_id"] for post in server.posts[20:100] if post["author_id"] not in others)
    hidden = {post["id"] for post in server.posts[20:100] if post["author_id"] == author}
    withheld_user = {"withheld": {"country_codes": ["FR"], "scope": "user"}}
    server.users = [user | withheld_user if user["id"] == author else user for user in server.users]
    server.found = _Always([withheld, *damaged, *server.posts[20:100]])
    session = searched(bench)
    shown = {one.post.post_id for one in bench.x.posts(session.session_id)}
    assert hidden
    assert shown == {post["id"] for post in server.posts[20:100]} - hidden
    assert (session.withheld, session.unreadable) == (1 + len(hidden), 3)
    assert session.cost_usd == pytest.approx(0.005 * (len(shown) + session.withheld + session.unreadable))
    assert any(f"非公開にしている投稿 {session.withheld} 件" in warning for warning in session.warnings)
    assert any("3 件は壊れていて" in warning for warning in session.warnings)


def test_short_links_are_shown_as_the_addresses_behind_them(bench: XBench, server: XServer) -> None:
    asked: list[dict[str, str]] = server.requests
    link = {"url": "https://t.co/aB1", "expanded_url": "https://www.example.com/報告?a=1", "start": 0, "end": 0}
    odd = {"url": "https://t.co/odd", "expanded_url": "javascript:alert(1)"}
    short = server.posts[0] | {
        "text": "資料 https://t.co/aB1を見た。https://t.co/aB12 https://t.co/odd",
        "entities": {"urls": [link, odd]},
    }
    long = server.posts[1] | {
        "text": "長い…",
        "note_tweet": {"text": "長い投稿の全文 https://t.co/aB1", "entities": {"urls": [link]}},
    }
    server.found = _Always([short, long])
    session = searched(bench)
    texts = {one.post.post_id: one.post.text for one in bench.x.posts(session.session_id)}
    assert texts[short["id"]] == ("資料 https://www.example.com/報告?a=1 を見た。https://t.co/aB12 https://t.co/odd")
    assert texts[long["id"]] == "長い投稿の全文 https://www.example.com/報告?a=1"
    assert {"entities", "withheld"} <= set(asked[0]["tweet.fields"].split(","))
    assert "withheld" in asked[0]["user.fields"]


@pytest.mark.parametrize(
    "refusal",
    [(400, "invalid"), (402, "CreditsDepleted"), (403, "client-not-enrolled"), (404, "gone"), (500, "broken"), None],
)
def test_every_reason_is_in_the_language_of_the_session(
    database_url: str, tmp_path: Path, server: XServer, refusal: tuple[int, str] | None
) -> None:
    away = {"x_reranker": "tei", "x_reranker_url": "http://127.0.0.1:9"}
    with closing(XBench(database_url, tmp_path, server, **away)) as bench:
        server.found = _Always(server.posts[:20])
        if refusal is None:
            server.damaged = lambda asked, page: page if asked["query"].startswith("#") else page[:-9]
        else:
            server.refused["#インボイス制度"] = (refusal[0], {"detail": f"These are words of X: {refusal[1]}."})
        x = replace(bench.x, clock=HeldClock(bench.x.clock.now()))
        session = x.start(QUESTION, budget=5.0)
        with suppress(SourceError):
            x.work(session.session_id)
        ended = x.get(session.session_id)
        told = [ended.reason, *ended.warnings, *(query.reason for query in x.queries(session.session_id))]
    assert any(told)
    assert [one for one in told if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}", one)] == []


class _Always(dict[str, list[dict[str, Any]]]):
    """Every query finds these posts."""

    def __init__(self, posts: list[dict[str, Any]]) -> None:
        super().__init__()
        self._posts = posts

    def __contains__(self, query: object) -> bool:
        self[str(query)] = self._posts
        return True
