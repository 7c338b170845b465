"""The pure parts of X search: what a query may be, what is bought next, how far it is, what a post is worth."""

from __future__ import annotations

import threading
import time
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locator_search.adapters.offline.posts import post_queries
from locator_search.adapters.x_api.matching import matches
from locator_search.adapters.x_api.parsing import looked_up_of, page_of
from locator_search.core.errors import BadModelOutput, SourceError
from locator_search.llm.answers import CitedSentence, PostsAnswer
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.posts import Post, PostPrices
from locator_search.ports.x.sessions import Phase, QueryState
from locator_search.x_search.answering import grounded, to_read
from locator_search.x_search.batcher import Batcher
from locator_search.x_search.budget import estimate, next_page, page_size, searching_share
from locator_search.x_search.near_copies import near_copies
from locator_search.x_search.phases import PHASE_WEIGHTS, PHASES, seconds_left, total_progress
from locator_search.x_search.prompts import answer_prompt, queries_prompt
from locator_search.x_search.queries import accepted, enough_queries
from locator_search.x_search.query_syntax import checked
from locator_search.x_search.scoring import MOST_RERANKED, final_score, scored, to_rerank

PRICES = PostPrices(0.005)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def found(post_id: str, text: str = "本文", embedding: float = 0.5, **scores: object) -> FoundPost:
    return FoundPost(Post(post_id, text, NOON, author="somebody"), (1,), embedding, **scores)  # type: ignore[arg-type]


# Queries


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("インボイス 制度 lang:ja", "インボイス 制度 lang:ja"),
        ("インボイス AND 経理", "インボイス 経理"),
        ("会議 12:30 開始", '会議 "12:30" 開始'),
        ("https://example.com/a の評判", '"https://example.com/a" の評判'),
        ("“在宅勤務” (便利 OR 不便)", '"在宅勤務" (便利 OR 不便)'),
        ("#防災 -is:reply Lang:JA", "#防災 -is:reply lang:ja"),
        ("from:somebody", "from:somebody"),
        ('url:"example.com" 経理', 'url:"example.com" 経理'),
        ("経理（現場 OR 反応） lang：jp", "経理 (現場 OR 反応) lang:ja"),
        ("経理 min_faves:10 -filter:replies since:2026-11-01", "経理 min_likes:10 -is:reply"),
        ("経理 - 遅延 | 残業", "経理 遅延 OR 残業"),
        ('経理 -12:30 --"a:b"', '経理 -"12:30" -"a:b"'),
    ],
)
def test_a_query_is_mended_where_that_is_plain(query: str, sent: str) -> None:
    assert checked(query) == (sent, "")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("", "nothing that is looked for"),
        ("lang:ja has:links", "nothing that is looked for"),
        ("-遅延", "nothing that is looked for"),
        ("(便利 OR 不便", "brackets"),
        ("便利) 不便", "brackets"),
        ("経理 ()", "brackets"),
        ("OR 経理", "an OR without"),
        ("経理 OR", "an OR without"),
        ("経理 -(遅い OR 重い)", "a group cannot be excluded"),
        ('"経理', "quotation mark"),
        ("経理 has:nonsense", "does not know"),
        ("経理 min_likes:many", "a number is missing"),
        ("経理 OR since:2026-11-01", "an OR without"),
        ("あ" * 513, "longer than 512"),
    ],
)
def test_a_query_x_would_refuse_is_not_sent(query: str, problem: str) -> None:
    assert problem in checked(query).problem


@given(st.text(max_size=600))
def test_whatever_a_model_writes_is_sent_in_the_limits_or_not_at_all(text: str) -> None:
    query, problem = checked(text)
    if not problem:
        assert 0 < len(query) <= 512
        assert checked(query) == (query, "")


def test_queries_that_differ_in_order_case_or_width_only_count_once() -> None:
    proposal = accepted(["経理 DX", "DX 経理", "経理 ｄｘ", "(DX 経理)", "別のこと"])
    assert proposal.queries == ("経理 DX", "別のこと")
    assert not proposal.enough
    assert len(proposal.problems) == 3


@pytest.mark.parametrize(
    "question", ["インボイス制度の現場の反応", "a", "？？？", '"(((', "x" * 900, "from:me OR -(x)"]
)
def test_the_stand_in_always_has_six_queries(question: str) -> None:
    assert accepted(post_queries(question, "ja")).enough


def test_a_model_with_too_few_queries_is_asked_again_and_told_why_then_refused() -> None:
    told: list[str] = []

    def propose(problem: str) -> list[str]:
        told.append(problem)
        return ["経理", "経理", "lang:ja"]

    with pytest.raises(BadModelOutput, match="6 distinct queries"):
        enough_queries(propose)
    assert len(told) == 3
    assert told[0] == ""
    assert "only 1 can be used" in told[1]
    assert told[2] == told[1]


def test_a_model_that_makes_it_better_is_not_asked_again() -> None:
    proposals = iter([["経理"], [f"経理 {number}" for number in range(9)]])
    assert enough_queries(lambda _problem: next(proposals)) == tuple(f"経理 {number}" for number in range(8))


# Money


def test_small_pages_where_money_is_short_and_whole_ones_where_it_is_not() -> None:
    sizes = [page_size(budget, PRICES) for budget in (0.04, 0.5, 1.5, 2.0, 2.9, 3.0)]
    assert sizes == [10, 10, 25, 25, 25, 100]
    assert page_size(0.01, PostPrices()) == 100
    assert page_size(3.0, PostPrices(0.005, 0.01)) == 10


def test_the_estimate_is_never_more_than_the_budget() -> None:
    assert estimate(0.5, PRICES).posts == 100
    assert (estimate(0.5, PRICES).at_most, estimate(9, PRICES).at_most) == (0.5, 4.0)
    assert estimate(0.5, PostPrices(0.005, 0.010)).posts == 33
    assert estimate(0.5, PostPrices()).at_most == 0.0
    assert (estimate(0.04, PRICES).at_most, estimate(0.04, PRICES).posts) == (0.0, 0)  # less than the smallest page


def test_every_query_has_a_page_before_one_has_two_and_then_the_most_fruitful_go_on() -> None:
    queries = [QueryState(number, f"q{number}") for number in (1, 2, 3)]
    assert next_page(queries, 10, 100) == (wanted := next_page(queries, 10, 10))
    assert wanted is not None
    assert (wanted.ordinal, wanted.number, wanted.limit) == (1, 1, 10)
    fetched = [
        QueryState(1, "a", pages=1, fetched=10, fresh=2, next_token="t"),
        QueryState(2, "b", pages=1, fetched=10, fresh=9, next_token="t"),
        QueryState(3, "c", status="done", pages=1, fetched=10, fresh=10),
    ]
    after = next_page(fetched, 10, 50)
    assert after is not None
    assert (after.ordinal, after.number) == (2, 2)
    assert next_page(fetched, 10, 9) is None
    assert next_page([], 10, 100) is None
    first = next_page([QueryState(1, "a")], 25, 14)
    assert first is not None
    assert first.limit == 14
    assert next_page([QueryState(1, "a")], 25, 9) is None


# Progress


def test_the_weights_are_those_of_the_design_and_sum_to_one() -> None:
    assert list(PHASE_WEIGHTS.values()) == [0.1, 0.3, 0.2, 0.15, 0.15, 0.1]
    assert sum(PHASE_WEIGHTS.values()) == pytest.approx(1.0)


@given(st.sampled_from(PHASES), st.floats(0, 1), st.floats(0, 1))
def test_progress_lies_between_that_of_the_phases_around(phase: Phase, one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert 0 <= total_progress(phase, 0) <= total_progress(phase, less) <= total_progress(phase, more) <= 1


def test_the_time_left_follows_the_pace_so_far_and_the_pause_x_asked_for() -> None:
    assert seconds_left(30, 0.25) == pytest.approx(90)
    assert seconds_left(30, 0.25, 10) == pytest.approx(100)
    assert seconds_left(0, 0) is None
    assert seconds_left(0, 0, 10) == 10
    assert seconds_left(60, 1.0) == 0


def test_the_searching_share_counts_pages_that_can_still_be_bought() -> None:
    queries = [QueryState(1, "a", pages=1, next_token="t"), QueryState(2, "b")]
    assert searching_share(queries, 100, 1000) == pytest.approx(0.5)
    assert searching_share(queries, 10, 10) == pytest.approx(0.5)
    assert searching_share(queries, 10, 0) == 1.0


# Scores and near-copies


def test_final_scores_are_a_third_embedding_two_thirds_rerank_and_ties_go_by_id() -> None:
    assert final_score(0.8, 0.6) == pytest.approx(0.35 * 0.8 + 0.65 * 0.6)
    assert final_score(0.8, None) == pytest.approx(0.28)
    ranked = scored([found("3"), found("1"), found("2", embedding=0.4, rerank_score=1.0)])
    assert [(one.post_id, one.rank) for one in ranked] == [("2", 1), ("1", 2), ("3", 3)]


def test_the_best_posts_are_reranked_and_no_near_copy() -> None:
    many = [found(str(number), embedding=number / 1000) for number in range(300)]
    chosen = to_rerank([*many, found("999", embedding=0.99, near_copy_of="1")])
    assert len(chosen) == MOST_RERANKED
    assert chosen[0].post.post_id == "299"


def test_posts_that_say_the_same_are_folded_under_the_best_of_them() -> None:
    folded = near_copies(
        {
            "1": "在宅勤務の腰痛対策は椅子を替えるのが一番良い方法だった。 https://t.co/abc",
            "2": "在宅勤務の腰痛対策は椅子を替えるのが一番良い方法だった！ @somebody https://t.co/xyz",
            "3": "在宅勤務だと椅子が足りなくて困る。会社の補助がほしい。",
            "4": "便利",
            "5": "不便",
            "6": "便利！！",
        }
    )
    assert folded == {"2": "1", "6": "4"}


@given(st.lists(st.text("あいうえお", max_size=30), max_size=25))
def test_a_near_copy_is_folded_under_a_post_that_is_shown(texts: list[str]) -> None:
    folded = near_copies({str(number): text for number, text in enumerate(texts)})
    assert not set(folded.values()) & set(folded)
    shown = [text for number, text in enumerate(texts) if str(number) not in folded and text]
    assert len(shown) == len(set(shown))


# The answer


def test_citations_are_those_of_posts_that_were_read() -> None:
    read = to_read([found("11"), found("12", near_copy_of="11"), found("13")])
    said = PostsAnswer(
        sentences=[
            CitedSentence(text=" 一つ目 ", post_ids=["P2", "P2", "P9", "13"]),
            CitedSentence(text="二つ目", post_ids=["P0"]),
            CitedSentence(text="  ", post_ids=["P1"]),
        ]
    )
    answer = grounded(said, read)
    assert [(one.text, one.post_ids) for one in answer] == [("一つ目", ("13",)), ("二つ目", ())]


@pytest.mark.parametrize(
    "written",
    [
        "https://evil.example/a",
        "www.evil.example/a",
        "[詳しく](//evil.example/a)",
        "![x](https://evil.example/a.png)",
        "<https://evil.example/a>",
        "https&#58;//evil.example/a",
        "`https://evil.example/a`",
        "someone@evil.example",
        "mailto:someone@evil.example",
    ],
)
def test_an_answer_keeps_no_address_a_model_wrote(written: str) -> None:
    said = PostsAnswer(sentences=[CitedSentence(text=f"雨でも困らない {written} そうです。", post_ids=[])])
    (sentence,) = grounded(said, [])
    assert "evil" not in sentence.text
    assert sentence.text.startswith("雨でも困らない")
    assert sentence.text.endswith("そうです。")


def test_no_model_is_told_who_wrote_a_post_or_asked_about_people() -> None:
    prompt = answer_prompt("質問", [found("1", "@somebody さんの話 https://t.co/1 は本当")], "ja")
    assert "somebody" not in str(prompt.inputs)
    assert prompt.inputs["posts"] == [{"id": "P1", "text": "さんの話 は本当", "posted_at": "2026-11-20T12:00:00+00:00"}]
    assert "Never describe, judge or guess anything about the people" in prompt.instructions
    assert "私人" not in str(queries_prompt("私人", date(2026, 11, 20), "", "ja").instructions)


# Batches


def test_ten_things_are_handed_on_together_and_the_rest_at_the_end() -> None:
    batches: list[list[int]] = []
    with Batcher[int](batches.append, seconds=60) as batcher:
        for number in range(23):
            batcher.add(number)
        assert [len(batch) for batch in batches] == [10, 10]
    assert [number for batch in batches for number in batch] == list(range(23))


def test_what_waits_is_handed_on_when_its_time_is_up() -> None:
    batches: list[list[str]] = []
    with Batcher[str](batches.append, seconds=0.02) as batcher:
        batcher.add("a")
        _wait_for(lambda: bool(batches))
        assert batches == [["a"]]


def test_an_error_in_the_timer_is_raised_and_nothing_is_lost() -> None:
    kept: list[int] = []
    broken, tried = [True], threading.Event()

    def keep(batch: list[int]) -> None:
        tried.set()
        if broken[0]:
            raise OSError("disk full")
        kept.extend(batch)

    batcher = Batcher[int](keep, seconds=0.01)
    batcher.add(1)
    assert tried.wait(60)
    with pytest.raises(OSError, match="disk full"):
        batcher.add(2)
    broken[0] = False
    batcher.add(3)
    batcher.flush()
    assert kept == [1, 3]


def _wait_for(condition: object) -> None:
    until = time.monotonic() + 60
    while not condition() and time.monotonic() < until:  # type: ignore[operator]
        time.sleep(0.005)


# What X answers


def test_an_answer_of_x_is_read_in_its_old_and_its_new_names() -> None:
    written = {"created_at": "2026-11-20T03:00:00.000Z"}
    counted = {"author_id": "7", "public_metrics": {"like_count": 3, "bookmark_count": None}}
    page = page_of(
        {
            "data": [
                {"id": "1", "text": "切れた…", "note_tweet": {"text": "全文 &amp; もっと"}, **written, **counted},
                {"id": "2", "text": "短い", "note_post": {"text": "新しい名前の全文"}, **written},
                {"id": "../../etc", "text": "悪い id", **written},
                {"id": "3", "text": "時刻なし"},
                "nonsense",
            ],
            "includes": {"users": [{"id": "7", "name": "青木", "username": "aoki_<script>"}]},
            "meta": {"next_token": "abc"},
        }
    )
    assert [post.text for post in page.posts] == ["全文 & もっと", "新しい名前の全文"]
    assert (page.posts[0].author, page.posts[0].author_name, page.posts[0].metrics) == ("", "青木", {"like_count": 3})
    assert page.posts[0].url == "https://x.com/i/web/status/1"
    assert page.next_token == "abc"


def test_nothing_found_is_a_page_and_something_else_is_an_error() -> None:
    assert page_of({"meta": {"result_count": 0}}).posts == ()
    others: list[dict[str, object]] = [{}, {"data": []}, {"data": "x", "meta": {}}]
    for answer in others:
        with pytest.raises(SourceError, match="something else than posts"):
            page_of(answer)


def test_only_what_x_says_is_gone_is_gone() -> None:
    problem = {"resource_type": "tweet", "parameter": "ids", "type": "https://api.twitter.com/2/problems/"}
    missing = {**problem, "type": f"{problem['type']}resource-not-found"}
    answer = {
        "data": [{"id": "1", "text": "まだある", "created_at": "2026-11-20T03:00:00.000Z"}, {"id": "2"}],
        "errors": [
            {**missing, "value": "3"},
            {**missing, "type": f"{problem['type']}not-authorized-for-resource", "resource_id": "4"},
            {**missing, "type": f"{problem['type']}service-unavailable", "value": "5"},
            {**missing, "resource_type": "user", "value": "6"},
            {**missing, "value": "1"},
            {**missing, "value": "99"},
            "nonsense",
        ],
    }
    looked_up = looked_up_of(answer, ["1", "2", "3", "4", "5", "6"])
    assert [post.post_id for post in looked_up.posts] == ["1"]
    assert looked_up.gone == ("3", "4")
    others: list[dict[str, object]] = [{}, {"data": []}, {"errors": "x"}, {"data": {}, "errors": [missing]}]
    for other in others:
        with pytest.raises(SourceError, match="something else than posts"):
            looked_up_of(other, ["1"])


@pytest.mark.parametrize(
    ("query", "hit"),
    [
        ("在宅 椅子", True),
        ("在宅 (机 OR 椅子)", True),
        ("在宅 -椅子", False),
        ('"在宅勤務の椅子"', True),
        ("#テレワーク lang:ja", True),
        ("在宅 lang:en", False),
        ("在宅 min_likes:5", True),
        ("在宅 min_likes:6", False),
        ("在宅 has:links", True),
        ("from:aoki", True),
        ("机 OR (在宅 椅子)", True),
        ("在宅 is:verified", False),
    ],
)
def test_the_sample_is_searched_in_the_language_of_x(query: str, hit: bool) -> None:
    text = "在宅勤務の椅子を替えた #テレワーク https://t.co/1"
    post = Post("1", text, NOON - timedelta(hours=1), author="aoki", language="ja", metrics={"like_count": 5})
    assert matches(query, post) is hit
