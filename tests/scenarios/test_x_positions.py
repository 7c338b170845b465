"""What belongs together in an X answer: quoted and answered posts, threads, and the positions people take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from locator_search.adapters.offline.posts import post_positions
from locator_search.llm.answers import CitedSentence, PostsAnswer
from locator_search.ports.x.sessions import Session
from locator_search.x_search.answering import grounded, positions_of
from locator_search.x_search.as_json import session_as_json
from locator_search.x_search.near_copies import joined_text, threads
from locator_search.x_search.sheet import session_sheet
from tests.builders.x_bench import XBench
from tests.fakes.x_server import XServer, x_server

QUESTION = "在宅勤務の困りごと"
TEXTS = {
    "1001": "在宅勤務はとても便利で、集中できるので助かる",
    "1002": "在宅勤務は光熱費が高くて困る。負担が大きい",
    "1003": "ほんとうにそう思う",
    "1004": "在宅勤務の続き。会議が増えて面倒です",
    "1005": "在宅勤務のおかげで通勤がなく快適、満足しています",
    "1006": "在宅勤務は不便ではない",
}


class Always(dict[str, list[dict[str, Any]]]):
    """Every query finds these posts."""

    def __init__(self, posts: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        self._posts = [dict(post) for post in posts]

    def __contains__(self, query: object) -> bool:
        self[str(query)] = self._posts
        return True


@pytest.fixture
def server() -> Iterator[XServer]:
    with x_server(posts=20) as state:
        posts = [
            {**state.posts[number], "id": post_id, "text": text, "conversation_id": post_id}
            for number, (post_id, text) in enumerate(TEXTS.items())
        ]
        posts[2]["referenced_tweets"] = [{"type": "quoted", "id": "900"}, {"type": "replied_to", "id": "901"}]
        posts[3]["conversation_id"] = "1002"
        posts[3]["referenced_tweets"] = [{"type": "replied_to", "id": "1002"}]
        withheld = {"withheld": {"country_codes": ["DE"]}}
        state.others = [
            {"id": "900", "author_id": "7", "text": "在宅勤務は孤独だ &amp; 困る"},
            {"id": "901", "author_id": "7", "text": "秘密", **withheld},
            posts[1],
        ]
        state.posts, state.found = posts, Always(posts)
        yield state


@pytest.fixture
def bench(database_url: str, tmp_path: Path, server: XServer) -> Iterator[XBench]:
    with closing(XBench(database_url, tmp_path, server)) as opened:
        yield opened


def searched(bench: XBench) -> Session:
    return bench.x.work(bench.x.start(QUESTION, budget=1.0).session_id)


def test_quoted_and_answered_posts_come_along_and_withheld_ones_do_not(bench: XBench, server: XServer) -> None:
    session = searched(bench)
    found = {one.post.post_id: one.post for one in bench.x.posts(session.session_id)}
    assert [(one.kind, one.text) for one in found["1003"].joined] == [("quoted", "在宅勤務は孤独だ & 困る")]
    assert joined_text(found["1003"]) == "ほんとうにそう思う [在宅勤務は孤独だ & 困る]"
    asked = server.requests[0]
    assert {"conversation_id", "referenced_tweets"} <= set(asked["tweet.fields"].split(","))
    assert "referenced_tweets.id" in asked["expansions"].split(",")
    assert session.posts == len(TEXTS), "what came along is no find of its own"
    assert session.cost_usd == pytest.approx(0.005 * len(TEXTS))


def test_posts_that_come_along_are_paid_where_a_bill_says_so(
    database_url: str, tmp_path: Path, server: XServer
) -> None:
    with closing(XBench(database_url, tmp_path, server, x_joined_post_price_usd=0.005)) as bench:
        assert searched(bench).cost_usd == pytest.approx(0.005 * (len(TEXTS) + 2))  # 1002 is paid once


def test_a_quoted_post_that_x_no_longer_has_goes_when_posts_are_looked_at_again(bench: XBench, server: XServer) -> None:
    session = searched(bench)
    left = []
    for gone in ("nothing", "900"):
        server.deleted.add(gone)
        bench.rows("UPDATE x_search_result SET seen_at = now() - interval '2 days' RETURNING 1")
        bench.rows("DELETE FROM x_purchase RETURNING 1")
        bench.x.recheck(bench.x.to_recheck(session.session_id))
        found = {one.post.post_id: one.post for one in bench.x.posts(session.session_id)}
        left.append(len(found["1003"].joined))
    assert left == [1, 0]


def test_posts_of_one_thread_are_one_group_under_the_best_of_them(bench: XBench) -> None:
    session = searched(bench)
    found = bench.x.posts(session.session_id)
    groups = [{one.post.post_id for one in group} for group in threads(found)]
    assert {"1002", "1004"} in groups
    assert sorted(map(len, groups)) == [1, 1, 1, 1, 2]
    assert [group[0].rank for group in threads(found)] == sorted(group[0].rank or 0 for group in threads(found))


def test_positions_have_counts_authors_and_examples_and_survive_the_database(bench: XBench) -> None:
    session = searched(bench)
    document: Any = session_as_json(session, bench.x.queries(session.session_id), bench.x.posts(session.session_id))
    sides = {one["text"]: set(one["post_ids"]) for one in document["positions"]}
    assert sides == {
        "評価や賛成（語による分類）": {"1001", "1005", "1006"},
        "困りごとや反対（語による分類）": {"1002", "1004"},
    }
    assert [one["posts"] for one in document["positions"]] == [3, 2]
    for one in document["positions"]:
        assert 1 <= one["authors"] <= one["posts"]
        assert {each["post_id"] for each in one["examples"]} <= set(one["post_ids"])
    assert not {one["text"] for one in document["sentences"]} & set(sides)
    assert "語による分類" not in document["answer"]
    assert "[在宅勤務" not in document["answer"], "a post does not say what it answers"


def test_a_post_takes_one_side_and_a_side_without_posts_is_none(bench: XBench) -> None:
    found = bench.x.posts(searched(bench).session_id)
    positions = [
        CitedSentence(text="**賛成** bob@acme.example http://evil.example", post_ids=["P1", "P2", "P99"]),
        CitedSentence(text="反対", post_ids=["P2", "P3", "P3"]),
        CitedSentence(text="だれも言っていない", post_ids=["P98"]),
    ]
    answer = grounded(PostsAnswer(sentences=[], positions=positions), found)
    assert [(one.text, one.posts) for one in positions_of(answer, found)] == [("賛成", 2), ("反対", 1)]


def test_one_side_alone_is_no_position() -> None:
    assert post_positions([{"id": "P1", "text": "とても便利で助かる"}, {"id": "P2", "text": "普通です"}], "ja") == []


def test_the_sheet_has_the_positions_with_their_examples(bench: XBench) -> None:
    session = searched(bench)
    sheet = session_sheet(session, bench.x.posts(session.session_id), ZoneInfo("Asia/Tokyo"), "ja")
    (section,) = [one for one in sheet.sections if one.title == "立場ごとの投稿"]
    assert "3 件（投稿者" in section.lines[0].text
