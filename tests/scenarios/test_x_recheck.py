"""Posts that were found are held against what X still has: on a later day, at a price, within limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from locator_search.core.errors import AccessDenied, AnswerUnreadable
from locator_search.ports.x.sessions import Session
from tests.builders.x_bench import XBench
from tests.fakes.clock import HeldClock
from tests.fakes.x_server import XServer, x_server

QUESTION = "インボイス制度の現場の反応"


@pytest.fixture
def server() -> Iterator[XServer]:
    with x_server(posts=60) as state:
        state.per_query = 15
        for copy in state.posts[5:8]:
            copy["text"] = state.posts[4]["text"]
        yield state


@pytest.fixture
def bench(database_url: str, tmp_path: Path, server: XServer) -> Iterator[XBench]:
    opened = XBench(database_url, tmp_path, server)
    yield opened
    opened.close()


@pytest.fixture
def found_yesterday(bench: XBench, server: XServer) -> Session:
    """A session whose posts were bought a day ago."""
    session = bench.x.work(bench.x.start(QUESTION, budget=5.0).session_id)
    a_day_passes(bench)
    server.billed.clear()
    return session


def a_day_passes(bench: XBench) -> None:
    bench.rows("UPDATE x_search_result SET seen_at = seen_at - interval '1 day' RETURNING 1")
    bench.rows("UPDATE x_purchase SET day = day - 1 RETURNING 1")


def test_posts_of_today_need_no_look(bench: XBench, server: XServer) -> None:
    session = bench.x.work(bench.x.start(QUESTION, budget=0.3).session_id)
    asked = len(server.requests)
    recheck = bench.x.to_recheck(session.session_id)
    assert (recheck.post_ids, recheck.at_most) == ((), 0.0)
    assert bench.x.recheck(recheck).cost_usd == 0.0
    assert len(server.requests) == asked


def test_what_x_no_longer_has_goes_and_the_rest_is_good_for_another_day(
    bench: XBench, server: XServer, found_yesterday: Session
) -> None:
    before = bench.x.posts(found_yesterday.session_id)
    cited = found_yesterday.answer[0].post_ids[0] if found_yesterday.answer else ""
    hidden = next(one.post.post_id for one in reversed(before) if one.post.post_id != cited)
    server.deleted, server.protected = {cited}, {hidden}
    recheck = bench.x.to_recheck(found_yesterday.session_id)
    assert len(recheck.post_ids) == len(before)
    assert recheck.at_most == pytest.approx(0.005 * len(before))

    done = bench.x.recheck(recheck, budget=5.0)

    assert set(done.gone) == {cited, hidden}
    assert (done.still_there, done.left, done.why_ended) == (len(before) - 2, 0, "")
    assert done.cost_usd == pytest.approx(0.005 * (len(before) - 2)) == pytest.approx(0.005 * len(server.billed))
    bought_today = bench.rows("SELECT sum(price) FROM x_purchase WHERE day = (now() AT TIME ZONE 'UTC')::date")
    assert bought_today[0][0] == pytest.approx(done.cost_usd)
    after, session = bench.x.posts(found_yesterday.session_id), bench.x.get(found_yesterday.session_id)
    assert [one.post.post_id for one in after] == [
        one.post.post_id for one in before if one.post.post_id not in done.gone
    ]
    assert [one.rank for one in after] == list(range(1, len(after) + 1))
    assert session.removed == 2
    assert bench.x.to_recheck(found_yesterday.session_id).post_ids == ()


def test_a_look_that_arrives_damaged_is_paid_and_nothing_is_taken_for_gone(
    bench: XBench, server: XServer, found_yesterday: Session
) -> None:
    recheck = bench.x.to_recheck(found_yesterday.session_id)
    server.damaged = lambda _asked, page: page[:-9]
    with pytest.raises(AnswerUnreadable):
        replace(bench.x, clock=HeldClock()).recheck(recheck, budget=5.0)
    [[paid]] = bench.rows("SELECT count(*) FROM x_purchase WHERE day = (now() AT TIME ZONE 'UTC')::date")
    assert paid == len(server.billed)
    assert bench.x.to_recheck(found_yesterday.session_id).post_ids == recheck.post_ids


def test_the_answer_loses_what_rested_on_a_post_that_is_gone(
    bench: XBench, server: XServer, found_yesterday: Session
) -> None:
    said = found_yesterday.answer or ()
    [[remembered]] = bench.rows("SELECT count(*) FROM model_answer WHERE task = 'x_answer'")
    server.deleted = set(said[0].post_ids)
    bench.x.recheck(bench.x.to_recheck(), budget=5.0)
    assert bench.x.get(found_yesterday.session_id).answer == tuple(
        left for sentence in said if (left := sentence.without(server.deleted))
    )
    assert len(bench.x.get(found_yesterday.session_id).answer or ()) < len(said)
    assert (remembered, bench.rows("SELECT count(*) FROM model_answer WHERE task = 'x_answer'")) == (1, [(0,)])


def test_near_copies_of_a_post_that_is_gone_are_folded_under_the_best_of_them(
    bench: XBench, server: XServer, found_yesterday: Session
) -> None:
    found = bench.x.posts(found_yesterday.session_id)
    [original] = {one.near_copy_of for one in found if one.near_copy_of}
    best, *others = [one.post.post_id for one in found if one.near_copy_of]
    server.deleted = {str(original)}
    bench.x.recheck(bench.x.to_recheck(found_yesterday.session_id), budget=5.0)
    left = {one.post.post_id: one.near_copy_of for one in bench.x.posts(found_yesterday.session_id)}
    assert (original in left, left[best]) == (False, None)
    assert [left[post_id] for post_id in others] == [best, best]


def test_a_post_that_is_gone_goes_from_every_session(bench: XBench, server: XServer, found_yesterday: Session) -> None:
    other = bench.x.work(bench.x.start(QUESTION, budget=5.0, owner="somebody").session_id)
    a_day_passes(bench)
    gone = bench.x.posts(other.session_id)[0].post.post_id
    server.deleted = {gone}
    bench.x.recheck(bench.x.to_recheck(found_yesterday.session_id), budget=5.0)
    assert gone not in {one.post.post_id for one in bench.x.posts(other.session_id)}
    assert bench.x.get(other.session_id).removed == 1
    with pytest.raises(AccessDenied):
        bench.x.to_recheck(other.session_id, owner="somebody else")


def test_a_budget_goes_to_the_best_posts_and_the_rest_stays_to_be_looked_at(
    bench: XBench, server: XServer, found_yesterday: Session
) -> None:
    best = [one.post.post_id for one in bench.x.posts(found_yesterday.session_id)][:20]
    recheck = bench.x.to_recheck(found_yesterday.session_id)
    done = bench.x.recheck(recheck, budget=0.1)
    assert set(server.billed) == set(best)
    assert (done.still_there, done.why_ended) == (20, "budget")
    assert done.cost_usd == pytest.approx(0.1)
    assert done.left == len(recheck.post_ids) - 20 == len(bench.x.to_recheck(found_yesterday.session_id).post_ids)


def test_the_monthly_cap_a_rate_limit_and_missing_credits_end_it_and_cost_nothing(
    database_url: str, tmp_path: Path, bench: XBench, server: XServer, found_yesterday: Session
) -> None:
    spent = bench.x.meter.this_month()
    recheck = bench.x.to_recheck(found_yesterday.session_id)
    capped = XBench(database_url, tmp_path, server, x_monthly_cap_usd=spent + 0.01)
    assert capped.x.recheck(recheck, budget=5.0).why_ended == "month"
    capped.close()
    server.limit_after = 0
    assert bench.x.recheck(recheck, budget=5.0).why_ended == "rate_limit"
    server.limited_until = None
    server.refused[",".join(recheck.post_ids[:100])] = (402, {"title": "CreditsDepleted"})
    assert bench.x.recheck(recheck, budget=5.0).why_ended == "credits"
    wrong = XBench(database_url, tmp_path, server, x_bearer_token="wrong")
    with pytest.raises(AccessDenied, match="refuses the token"):
        wrong.x.recheck(recheck, budget=5.0)
    wrong.close()
    assert bench.x.meter.this_month() == pytest.approx(spent)
    assert bench.x.to_recheck(found_yesterday.session_id) == recheck
