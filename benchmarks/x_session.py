"""Measures what a session of X search adds to X's time and the bare computing, by phase, for 600 posts and more.

python benchmarks/x_session.py --sessions 5
"""

from __future__ import annotations

import argparse
import tempfile
import urllib.request
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.adapters.rerankers.lexical import LexicalReranker
from locator_search.adapters.x_api.client import FIELDS
from locator_search.app.locator import Locator
from locator_search.config.settings import Settings
from locator_search.ports.x.found_posts import FoundPost
from locator_search.ports.x.sessions import QueryState, Session
from locator_search.text.terms import analyse
from locator_search.x_search.answering import to_read
from locator_search.x_search.near_copies import near_copies, without_links_and_handles
from locator_search.x_search.phases import PHASES
from locator_search.x_search.prompts import answer_prompt, queries_prompt
from locator_search.x_search.ranking import EMBEDDED_AT_ONCE
from locator_search.x_search.scoring import to_rerank
from tests.fakes.x_server import TOKEN, x_server

QUESTIONS = (
    "インボイス制度の反応",
    "在宅勤務の不満",
    "電車の遅延",
    "防災訓練の感想",
    "電子契約の評判",
    "出社回帰の声",
    "生成AIの研修",
)
POSTS = 700
FRESH = 0.8
"""Share of a query's posts that the query before did not find: 660 different ones by eight queries."""

Seconds = dict[str, float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=5)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds X takes for a page")
    arguments = parser.parse_args()
    ours, theirs = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=serve, args=(theirs, arguments.latency), daemon=True)
    server.start()
    address = ours.recv()
    measured: list[tuple[Session, Seconds]] = []
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as home, _opened(Path(home), address) as locator:
        for number in range(arguments.sessions + 1):  # the first warms up
            analyse.cache_clear()
            session = _searched(locator, QUESTIONS[number % len(QUESTIONS)])
            posts, queries = locator.x_search.posts(session.session_id), locator.x_search.queries(session.session_id)
            ours.send("again")
            ours.recv()
            measured.append((session, bare(locator, address, session, posts, queries)))
            locator.x_search.forget(owner=None)
            ours.send("again")
            ours.recv()
    ours.send("enough")
    server.join()
    show(measured[1:])


def _opened(home: Path, address: str) -> Locator:
    return Locator(
        Settings(
            _env_file=None,
            database_url=None,
            locator_home=home,
            x_bearer_token=TOKEN,
            x_api_base_url=address,
            x_monthly_cap_usd=1_000.0,
        )
    )


def _searched(locator: Locator, question: str) -> Session:
    x = locator.x_search
    return x.work(x.start(question, budget=5.0).session_id)


def bare(
    locator: Locator, address: str, session: Session, posts: Sequence[FoundPost], queries: Sequence[QueryState]
) -> Seconds:
    """Seconds of each phase with nothing around it: no session, no table, no progress."""
    question, texts = session.question, [without_links_and_handles(one.post.text) for one in posts]
    best = [without_links_and_handles(one.post.text) for one in to_rerank(posts)]
    model, embedder = OfflineChatModel(), locator.bare_embedder

    def embed() -> None:
        for start in range(0, len(texts), EMBEDDED_AT_ONCE):
            embedder.embed(texts[start : start + EMBEDDED_AT_ONCE], "document")

    def rank() -> None:
        embedder.embed([question], "query")
        near_copies({one.post.post_id: one.post.text for one in posts})

    work: dict[str, Callable[[], object]] = {
        "query_generation": lambda: model.answer(queries_prompt(question, session.created_at.date(), "", "ja")),
        "searching": lambda: [_page(address, query.text) for query in queries],
        "embedding": embed,
        "ranking": rank,
        "reranking": lambda: LexicalReranker().score(question, best),
        "saving": lambda: model.answer(answer_prompt(question, to_read(posts), "ja")),
    }
    return {phase: _seconds(work[phase]) for phase in PHASES}


def _page(address: str, query: str) -> bytes:
    asked = urlencode({"query": query, "max_results": "100", "sort_order": "recency", **FIELDS})
    request = urllib.request.Request(
        f"{address}/2/tweets/search/recent?{asked}", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(request) as response:
        content: bytes = response.read()
    return content


def _seconds(action: Callable[[], object]) -> float:
    analyse.cache_clear()  # or the words of every text were known already
    began = perf_counter()
    action()
    return perf_counter() - began


def show(measured: Sequence[tuple[Session, Seconds]]) -> None:
    """Medians per phase, and the whole beyond X."""
    print(f"{len(measured)} sessions, {median(session.posts for session, _ in measured):.0f} posts each (medians)")
    print(f"{'phase':<18}{'session s':>10}{'bare s':>10}{'added s':>10}{'ratio':>8}")
    for phase in PHASES:
        took = median(session.seconds[phase] for session, _ in measured)
        alone = median(seconds[phase] for _, seconds in measured)
        ratio = median(session.seconds[phase] / seconds[phase] for session, seconds in measured)
        print(f"{phase:<18}{took:>10.3f}{alone:>10.3f}{took - alone:>10.3f}{ratio:>8.2f}")
    whole = [sum(session.seconds.values()) for session, _ in measured]
    beyond = median(total - session.service_seconds for total, (session, _) in zip(whole, measured, strict=True))
    ratio = median(total / sum(seconds.values()) for total, (_, seconds) in zip(whole, measured, strict=True))
    print(f"{'whole':<18}{median(whole):>10.3f}{'':>20}{ratio:>8.2f}")
    print(f"beyond X's own time: {beyond:.3f} s, {beyond / median(whole):.0%} of the session")


def serve(line: Connection, latency: float) -> None:
    """X in a process of its own, so that its computing is not ours. Deals its posts out again when told so."""
    with x_server(posts=POSTS) as server:
        server.fresh_share, server.delay = FRESH, latency
        line.send(server.url)
        while line.recv() == "again":
            server.found.clear()
            line.send("ready")


if __name__ == "__main__":
    main()
