"""X search from question to cited answer, against X on loopback: money, pauses, refusals, several at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.adapters.postgres.x.work import PostgresSessionWork
from locator_search.core.errors import AccessDenied, ConfigurationError
from locator_search.ports.x.sessions import Session
from locator_search.x_search.phases import PHASES
from tests.builders.x_bench import XBench, scores_of
from tests.conftest import _new_database
from tests.fakes.x_server import XServer, x_server

QUESTION = "インボイス制度の現場の反応"


@pytest.fixture
def server() -> Iterator[XServer]:
    with x_server(posts=160) as state:
        state.per_query = 40
        yield state


@pytest.fixture
def bench(database_url: str, tmp_path: Path, server: XServer) -> Iterator[XBench]:
    opened = XBench(database_url, tmp_path, server)
    yield opened
    opened.close()


@dataclass(frozen=True)
class Followed:
    """A session with money for everything, as it ended and as it looked on the way."""

    bench: XBench
    server: XServer
    session: Session
    seen: list[Session]


@pytest.fixture(scope="module")
def followed(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Followed]:
    """Once for all tests that only look."""
    with _new_database(database_server, template="template") as url, x_server(posts=160) as server:
        server.per_query = 40
        with closing(XBench(url, tmp_path_factory.mktemp("x"), server)) as bench:
            seen: list[Session] = []
            session = bench.x.work(bench.x.start(QUESTION, budget=5.0).session_id, on_session=seen.append)
            yield Followed(bench, server, session, seen)


def searched(bench: XBench, question: str = QUESTION, **options: Any) -> Session:
    return bench.x.work(bench.x.start(question, **options).session_id)


def test_a_question_becomes_six_queries_and_an_answer_that_cites_posts(followed: Followed) -> None:
    bench, session = followed.bench, followed.session
    queries, found = bench.x.queries(session.session_id), bench.x.posts(session.session_id)
    assert (session.status, session.progress, session.phase) == ("done", 1.0, "saving")
    assert len({query.text for query in queries}) == len(queries) >= 6
    assert all(query.status == "done" and query.fetched <= 100 for query in queries)
    assert len({one.post.post_id for one in found}) == len(found) == session.posts > 100
    assert [one.rank for one in found] == list(range(1, len(found) + 1))
    assert found == sorted(found, key=lambda one: (-(one.final_score or 0.0), one.post.post_id))
    assert session.answer
    assert {post_id for sentence in session.answer for post_id in sentence.post_ids} <= {
        one.post.post_id for one in found
    }
    assert all(request["max_results"] == "100" for request in followed.server.requests)


def test_the_final_score_follows_its_formula_and_a_post_not_reranked_keeps_its_share(followed: Followed) -> None:
    found = followed.bench.x.posts(followed.session.session_id)
    assert any(one.rerank_score is None for one in found)
    for one in found:
        assert one.final_score == pytest.approx(0.35 * (one.embedding_score or 0) + 0.65 * (one.rerank_score or 0))


def test_the_budget_holds_and_the_session_ends_with_what_it_bought(bench: XBench, server: XServer) -> None:
    session = searched(bench, budget=0.3)
    assert session.status == "done"
    assert session.cost_usd <= 0.3
    assert session.cost_usd == pytest.approx(0.005 * len(server.billed))
    assert session.posts > 0
    assert any("予算" in warning for warning in session.warnings)


def test_a_budget_for_few_queries_says_so_before_anything_is_bought_and_the_first_have_it(
    bench: XBench, server: XServer
) -> None:
    seen: list[Session] = []
    estimate = bench.x.estimate(0.17)
    assert (estimate.too_small, estimate.queries) == (True, 3)
    assert estimate.every_query == pytest.approx(0.3)
    bench.x.work(bench.x.start(QUESTION, budget=0.17).session_id, on_session=seen.append)
    queries = bench.x.queries(seen[-1].session_id)
    warned = next(one for one in seen if one.warnings)
    assert (warned.posts, warned.cost_usd) == (0, 0.0)
    assert f"{len(queries)} 件のうち確実に実行できるのは、見込みの高い順に 3 件だけ" in warned.warnings[0]
    assert f"{0.05 * len(queries):.2f} ドル以上" in warned.warnings[0]
    assert [query.pages > 0 for query in queries] == [query.ordinal <= 3 for query in queries]


def test_a_budget_below_the_smallest_page_buys_nothing_and_says_so(bench: XBench, server: XServer) -> None:
    session = searched(bench, budget=0.04)
    assert (session.status, session.cost_usd, server.requests) == ("done", 0.0, [])
    assert {query.status for query in bench.x.queries(session.session_id)} == {"skipped"}
    assert session.answer is not None
    assert "投稿を取得していません" in session.answer[0].text
    assert bench.x.estimate(0.04).posts == 0


def test_nothing_found_is_said_as_such(bench: XBench, server: XServer) -> None:
    server.per_query = 0
    session = searched(bench, budget=0.5)
    assert session.answer is not None
    assert session.answer[0].text == "この質問に関する投稿は見つかりませんでした。"
    assert len(server.requests) == len(bench.x.queries(session.session_id))


def test_the_monthly_cap_holds_over_sessions(database_url: str, tmp_path: Path, server: XServer) -> None:
    bench = XBench(database_url, tmp_path, server, x_monthly_cap_usd=0.5)
    searched(bench, budget=0.4)
    searched(bench, "在宅勤務の不満", budget=0.4)
    assert bench.x.meter.this_month() <= 0.5
    assert bench.x.meter.this_month() == pytest.approx(0.005 * len(server.billed))
    bench.close()


def test_money_set_aside_by_one_session_is_not_there_for_another(bench: XBench) -> None:
    ids = [bench.x.start(question, budget=0.4).session_id for question in (QUESTION, "在宅勤務の不満")]
    ours, theirs = (PostgresSessionWork(bench.database, session_id) for session_id in ids)
    assert ours.claim()
    assert theirs.claim()
    assert theirs.reserve(0.3, monthly_cap=0.5)
    assert not ours.reserve(0.3, monthly_cap=0.5)
    assert ours.reserve(0.2, monthly_cap=0.5)
    ours.release()
    theirs.release()
    assert ours.claim()
    assert ours.reserve(0.4, monthly_cap=0.5)


def test_money_is_spent_on_the_queries_that_bring_new_posts(bench: XBench, server: XServer) -> None:
    """Eight queries, seven of which find the same posts: after a page each, only the first and the eighth go on."""
    session = bench.x.start(QUESTION, budget=0.6)
    server.found = _DealsTheSame(server.posts[:60], server.posts[60:120])
    bench.x.work(session.session_id)
    pages = [query.pages for query in bench.x.queries(session.session_id)]
    assert pages == [6, 1, 1, 1, 1, 1, 1, 6]


class _DealsTheSame(dict[str, list[dict[str, Any]]]):
    """Every query finds the same posts, except the eighth one asked."""

    def __init__(self, same: list[dict[str, Any]], others: list[dict[str, Any]]) -> None:
        super().__init__()
        self._same, self._others = same, others

    def __contains__(self, query: object) -> bool:
        if not super().__contains__(query):
            self[str(query)] = self._others if len(self) == 7 else self._same
        return True


def test_posts_bought_today_cost_nothing_more_and_are_stored_once(bench: XBench) -> None:
    first = searched(bench, budget=5.0)
    second = searched(bench, budget=5.0)
    assert first.cost_usd > 0
    assert second.cost_usd == 0.0
    assert second.posts == first.posts
    [[stored]] = bench.rows("SELECT count(*) FROM x_search_result")
    assert stored == first.posts
    assert scores_of(bench.x.posts(first.session_id)) == scores_of(bench.x.posts(second.session_id))


def test_posts_that_cost_nothing_do_not_use_up_the_rate_limit(bench: XBench, server: XServer) -> None:
    searched(bench, budget=5.0)
    server.requests.clear()
    again = searched(bench, budget=0.2)
    assert (again.status, again.cost_usd) == ("done", 0.0)
    assert len(server.requests) == 2 * 40 // 10
    assert any("費用のかからない投稿が多かった" in warning for warning in again.warnings)


def test_the_same_message_is_the_same_session(bench: XBench) -> None:
    first = bench.x.start(QUESTION, message_id="m-1")
    assert bench.x.start(QUESTION, message_id="m-1").session_id == first.session_id
    assert bench.x.start(QUESTION, message_id="m-1", owner="somebody").session_id != first.session_id


def test_a_rate_limit_pauses_until_its_reset_and_goes_on(bench: XBench, server: XServer) -> None:
    server.limit_after = 2
    seen: list[Session] = []
    session = bench.x.start(QUESTION, budget=5.0)
    ended = bench.x.work(session.session_id, on_session=seen.append)
    paused = [one for one in seen if one.status == "paused"]
    assert paused
    assert "利用制限" in paused[0].reason
    assert paused[0].resume_after is not None
    in_tokyo = paused[0].resume_after.astimezone(ZoneInfo("Asia/Tokyo"))  # as the settings say, wherever we are
    assert f"。{in_tokyo:%H}:" in paused[0].reason
    assert ended.status == "done"
    assert all(query.status == "done" for query in bench.x.queries(session.session_id))
    between = [one for one in server.requests if one["query"] == server.requests[2]["query"]]
    assert len(between) == 2  # refused once, and not asked again before the reset


def test_without_waiting_the_session_stays_paused_and_can_be_resumed(bench: XBench, server: XServer) -> None:
    server.limit_after = 1
    session = bench.x.start(QUESTION, budget=5.0)
    paused = bench.x.work(session.session_id, wait=False)
    assert (paused.status, paused.worked_on) == ("paused", False)
    assert len(bench.x.posts(session.session_id)) == 40
    server.limited_until = None
    bench.rows("UPDATE x_search_session SET resume_after = now() RETURNING 1")
    assert bench.x.work(session.session_id).status == "done"
    [[pages, distinct]] = bench.rows("SELECT count(*), count(DISTINCT (ordinal, page)) FROM x_search_page")
    assert pages == distinct == len(bench.x.queries(session.session_id))


def test_a_refused_query_is_out_and_the_others_go_on(
    bench: XBench, server: XServer, caplog: pytest.LogCaptureFixture
) -> None:
    session = bench.x.start(QUESTION, budget=5.0)
    refused = "インボイス制度 has:links"
    server.refused[refused] = (400, {"errors": [{"message": "There were errors processing your request"}]})
    ended = bench.x.work(session.session_id)
    by_text = {query.text: query for query in bench.x.queries(session.session_id)}
    assert by_text[refused].status == "failed"
    assert by_text[refused].reason == "X がこの検索クエリを受け付けません"
    assert "There were errors" in caplog.text  # X's own words
    assert sum(query.status == "done" for query in by_text.values()) == len(by_text) - 1
    assert ended.status == "done"


def test_a_forgotten_cursor_begins_its_query_once_more(bench: XBench, server: XServer) -> None:
    server.forgotten_tokens = {"t10"}
    session = searched(bench, budget=0.8)
    assert session.status == "done"
    restarted = [query for query in bench.x.queries(session.session_id) if query.restarted]
    assert restarted
    assert all(query.status == "done" for query in restarted)
    assert session.cost_usd == pytest.approx(0.005 * len(server.billed))


def test_credits_that_run_out_end_the_search_with_what_was_found(bench: XBench, server: XServer) -> None:
    server.refused["#インボイス制度"] = (402, {"title": "CreditsDepleted"})
    session = searched(bench, budget=5.0)
    assert session.status == "done"
    assert session.posts > 0
    assert any("クレジット" in warning for warning in session.warnings)


def test_a_refused_token_fails_with_a_sentence_and_resumes_when_it_is_right(
    database_url: str, tmp_path: Path, server: XServer
) -> None:
    wrong = XBench(database_url, tmp_path, server, x_bearer_token="wrong")
    session = wrong.x.start(QUESTION)
    with pytest.raises(AccessDenied, match="このキー"):
        wrong.x.work(session.session_id)
    failed = wrong.x.get(session.session_id)
    assert failed.status == "failed"
    assert failed.reason.startswith("途中で止まりました（X がこのキー（トークン）での利用を認めません。X_BEARER_TOKEN")
    wrong.close()
    right = XBench(database_url, tmp_path, server)
    assert right.x.work(session.session_id).status == "done"
    right.close()


def test_three_workers_on_one_session_one_works_the_others_watch(bench: XBench, server: XServer) -> None:
    server.delay = 0.05
    session = bench.x.start(QUESTION, budget=5.0)
    seen: list[list[float]] = [[], [], []]
    ended: list[Session] = []

    def work(number: int) -> None:
        def note(one: Session) -> None:
            seen[number].append(one.progress)

        ended.append(bench.x.work(session.session_id, on_session=note))

    workers = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [one.status for one in ended] == ["done"] * 3
    assert len(server.requests) == len(bench.x.queries(session.session_id))  # nobody asked twice
    assert all(progress == sorted(progress) and progress[-1] == 1.0 for progress in seen)


def test_two_tabs_follow_the_same_events_in_the_same_order(followed: Followed) -> None:
    told, session = followed.bench.x.events, followed.session
    events = told.since(session.session_id, 0)
    phases = [event.phase for event in events if event.kind == "phase"]
    assert phases == ["searching", "embedding", "ranking", "reranking", "saving"]
    progress = [event.progress for event in events]
    assert progress == sorted(progress)
    assert events[-1].kind == "done"
    assert told.since(session.session_id, events[2].sequence) == events[3:]


def test_posts_are_there_while_the_search_goes_on(followed: Followed) -> None:
    found = [one.posts for one in followed.seen]
    assert found == sorted(found)
    assert 0 < min(count for count in found if count) < found[-1]


def test_the_recorded_sample_costs_nothing_and_is_not_mixed_with_x(
    database_url: str, tmp_path: Path, server: XServer
) -> None:
    sample = XBench(database_url, tmp_path)
    session = searched(sample)
    assert (session.source, session.cost_usd, session.status) == ("sample", 0.0, "done")
    assert sample.x.estimate().at_most == 0.0
    unfinished = sample.x.start(QUESTION)
    sample.close()
    real = XBench(database_url, tmp_path, server)
    with pytest.raises(ConfigurationError, match="見本"):
        real.x.work(unfinished.session_id)
    assert real.x.get(session.session_id).status == "done"
    real.close()


def test_what_has_expired_goes_with_the_posts_nobody_else_uses(bench: XBench) -> None:
    old, kept = searched(bench, budget=0.3), searched(bench, "在宅勤務の不満", budget=0.3)
    bench.rows(
        "UPDATE x_search_session SET expires_at = now() - interval '1 minute' WHERE id = %s RETURNING 1", old.session_id
    )
    assert [one.session_id for one in bench.x.latest()] == [kept.session_id]
    [[stored]] = bench.rows("SELECT count(*) FROM x_search_result")
    assert stored == kept.posts
    assert bench.x.meter.this_month() > 0  # the meter forgets nothing
    with pytest.raises(AccessDenied, match="no such session"):
        bench.x.get(old.session_id)


def test_a_person_can_be_forgotten_and_sees_nothing_of_others(bench: XBench) -> None:
    mine, theirs = bench.x.start(QUESTION, owner="a"), bench.x.start(QUESTION, owner="b")
    with pytest.raises(AccessDenied):
        bench.x.get(theirs.session_id, "a")
    assert bench.x.forget(owner="a") == 1
    assert bench.x.latest("a") == []
    assert [one.session_id for one in bench.x.latest("b")] == [theirs.session_id]
    with pytest.raises(AccessDenied):
        bench.x.get(mine.session_id)
    with pytest.raises(AccessDenied):
        bench.x.get("not-an-id")


@pytest.mark.parametrize(
    ("question", "options", "message"),
    [
        ("  ", {}, "質問を入力"),
        ("あ" * 1001, {}, "1000 文字以内"),
        (QUESTION, {"budget": 0.0}, "予算"),
        (QUESTION, {"budget": float("nan")}, "予算"),
        (QUESTION, {"model": "gpt-x"}, "選べない言語モデル"),
    ],
)
def test_what_cannot_be_searched_is_said_in_one_sentence(
    bench: XBench, question: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        bench.x.start(question, **options)


def test_where_the_reranker_is_away_the_order_by_embedding_stands(
    database_url: str, tmp_path: Path, server: XServer
) -> None:
    nobody = {"x_reranker": "tei", "x_reranker_url": "http://127.0.0.1:9"}
    with closing(XBench(database_url, tmp_path, server, **nobody)) as bench:
        session = searched(bench, budget=5.0)
        found = bench.x.posts(session.session_id)
    assert session.status == "done"
    assert any("再順位付けができなかった" in warning for warning in session.warnings)
    assert {one.rerank_score for one in found} == {None}
    embedding = [one.embedding_score or 0.0 for one in found]
    assert embedding == sorted(embedding, reverse=True)


def test_posts_are_embedded_in_batches_and_every_phase_is_timed(followed: Followed) -> None:
    events = followed.bench.x.events.since(followed.session.session_id, 0)
    batches = [len(event.post_ids) for event in events if (event.phase, event.kind) == ("embedding", "progress")]
    assert batches == [96, followed.session.posts - 96]
    assert set(followed.session.seconds) == set(PHASES)


@pytest.mark.large
def test_six_hundred_posts_are_embedded_in_batches_and_every_phase_is_timed(database_url: str, tmp_path: Path) -> None:
    with x_server(posts=700) as server, closing(XBench(database_url, tmp_path, server)) as bench:
        server.fresh_share, server.delay = 0.8, 0.02
        session = searched(bench, budget=5.0)
        batches = [
            event
            for event in bench.x.events.since(session.session_id, 0)
            if event.phase == "embedding" and event.kind == "progress"
        ]
    assert session.posts >= 600
    assert [len(event.post_ids) for event in batches[:-1]] == [96] * (len(batches) - 1)
    assert set(session.seconds) == set(PHASES)
    own = sum(session.seconds.values()) - session.service_seconds
    assert 0 < session.service_seconds < session.seconds["searching"]
    assert own > 0
