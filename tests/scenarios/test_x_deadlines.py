"""X search beside models that fail: each step ends in time, and what was found is kept, shown and gone on from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from locator_search.adapters.offline.chat_model import OfflineChatModel
from locator_search.core.errors import LocatorError
from tests.builders.x_bench import XBench
from tests.fakes.faulty_server import FAULTS, FaultyServer, faulty_server, hangs

SECONDS = 2.0
SLACK = 20.0
"""For a machine that is busy: a session has many steps, and one waits for a model."""
QUESTION = "インボイス制度の反応"


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with faulty_server() as started:
        yield started


@pytest.fixture
def bench(server: FaultyServer, database_url: str, tmp_path: Path) -> Iterator[XBench]:
    made = XBench(
        database_url, tmp_path, openai_base_url=server.url, openai_api_key="sk-test", locator_live_seconds=SECONDS
    )
    yield made
    made.close()


@pytest.mark.parametrize("fault", ["hangs", "dribbles headers", "a refused key", "HTML with 200", "useless answers"])
def test_without_the_embedding_model_a_session_stops_with_its_posts_and_goes_on_later(
    server: FaultyServer, bench: XBench, fault: str
) -> None:
    server.faults = {"": FAULTS[fault]}
    session = bench.x.start(QUESTION)
    began = monotonic()
    with pytest.raises(LocatorError, match="再開すると続きから"):
        bench.x.work(session.session_id)
    assert monotonic() - began < 3 * SECONDS + SLACK
    stopped = bench.x.get(session.session_id)
    assert stopped.status == "failed"
    assert "取得した投稿は残っています" in stopped.reason
    assert any("オフラインの代役" in warning for warning in stopped.warnings)
    found = {one.post.post_id for one in bench.x.posts(session.session_id)}
    assert found

    server.faults = {"/chat/completions": FAULTS[fault]}  # the embedding model is back
    bench.rest_is_over()
    done = bench.x.work(session.session_id)
    assert done.status == "done"
    assert {one.post.post_id for one in bench.x.posts(session.session_id)} == found
    assert all(one.final_score is not None for one in bench.x.posts(session.session_id) if one.near_copy_of is None)


def test_without_the_chat_model_its_stand_in_writes_queries_and_answer(server: FaultyServer, bench: XBench) -> None:
    server.faults = {"/chat/completions": hangs}
    session = bench.x.start(QUESTION)
    done = bench.x.work(session.session_id)
    assert done.status == "done"
    assert done.answer
    assert len(bench.x.queries(session.session_id)) >= 6
    warnings = [warning for warning in done.warnings if "オフラインの代役が答えました" in warning]
    assert len(warnings) == 1
    assert "時間内に応答がありませんでした" in warnings[0]
    assert OfflineChatModel.model_name != done.model_id
