"""The X page: what it will cost, a session at work that other tabs follow, its answer, its posts, whose it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.x.work import PostgresSessionWork
from locator_search.app.locator import Locator
from locator_search.config.settings import Settings
from locator_search.ports.x.found_posts import FoundPost
from streamlit_app.shared import escaping
from streamlit_app.x import components as x_components
from tests.builders.x_bench import XBench
from tests.fakes.x_server import TOKEN, XServer, x_server
from tests.surfaces.test_page_app import APP, fresh_app

QUESTION = "インボイス制度の現場の反応"
HOSTILE = "<script>alert(1)</script> [悪い](javascript:alert(1)) インボイス制度の現場の反応"
AOKI = {"is_logged_in": True, "iss": "https://id.example", "sub": "1", "name": "青木"}


@pytest.fixture
def app(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path))
    yield from fresh_app()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[XServer]:
    with x_server(posts=120) as state:
        state.per_query = 30
        monkeypatch.setenv("X_BEARER_TOKEN", TOKEN)
        monkeypatch.setenv("X_API_BASE_URL", state.url)
        yield state


def opened(app: AppTest, **address: str) -> AppTest:
    app.run()
    app.switch_page("x/x.py")
    app.query_params.update(address)
    return app.run()


def searched(app: AppTest) -> AppTest:
    """Ask, and look again when the session has ended."""
    opened(app).text_input(key="x-question").set_value(QUESTION).run()
    button(app, "検索する").click().run()
    return ended(app)


def ended(app: AppTest) -> AppTest:
    """The page after the work behind it has ended."""
    until = time.monotonic() + 200
    while x_components.background().is_working(str(app.query_params["session"])) and time.monotonic() < until:
        time.sleep(0.02)
    return app.run()


def button(app: AppTest, label: str) -> Button:
    return next(one for one in app.button if one.label == label)


def shown(app: AppTest) -> str:
    assert not app.exception
    return "\n".join(element.value for element in app.html if not element.proto.unsafe_allow_javascript)


def test_a_question_is_answered_from_the_sample_and_the_page_says_so(app: AppTest) -> None:
    text = shown(searched(app))
    assert "付属の見本の投稿（架空）を検索しています。" in text
    assert "費用はかかりません。" in text
    assert "オフラインの代役による回答です。" in text
    assert 'class="dl-cite" href="https://x.com/sample_' in text
    assert "インボイス制度の問題は制度よりも現場の手間だと思う。" in text
    assert any("ほぼ同じ投稿" in expander.label for expander in app.expander)
    another_tab = opened(AppTest.from_file(APP, default_timeout=200), session=str(app.query_params["session"]))
    assert "インボイス制度の問題は制度よりも現場の手間だと思う。" in shown(another_tab)


def test_the_cost_is_shown_before_and_follows_the_budget(app: AppTest, server: XServer) -> None:
    opened(app)
    assert "費用は最大 0.50 ドル（投稿 100 件まで）" in shown(app)
    assert "今月の使用額 0.00 ドル／上限 20.00 ドル" in shown(app)
    app.number_input(key="x-budget").set_value(0.2).run()
    assert "費用は最大 0.20 ドル（投稿 40 件まで）" in shown(app)
    assert server.requests == []


def test_posts_are_narrowed_down_by_author_and_time(app: AppTest) -> None:
    searched(app)
    before = shown(app)
    assert "全 66 件のうち 66 件が該当" in before
    authors = next(one for one in app.multiselect if one.label == "投稿者")
    assert not authors.proto.select_all
    [period] = app.slider
    assert (period.max - period.min) % period.step == 0  # else its handle stops short of the end
    authors.set_value([_found(app)[0].post.author]).run()
    assert "全 66 件のうち 66 件が該当" not in shown(app)
    assert "件が該当" in shown(app)


def _found(app: AppTest) -> list[FoundPost]:
    return x_components.x_search().posts(str(app.query_params["session"]))


def test_what_a_post_says_is_shown_and_never_run(app: AppTest, server: XServer) -> None:
    server.posts[0]["text"] = HOSTILE
    text = shown(searched(app))
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert 'href="javascript' not in text


def test_a_session_that_stopped_offers_to_go_on(app: AppTest, database_url: str, tmp_path: Path) -> None:
    with Locator(Settings(database_url=database_url, locator_home=tmp_path)) as locator:
        begun = locator.x_search.start(QUESTION)
    opened(app, session=begun.session_id)
    assert any("中断しています" in warning.value for warning in app.warning)
    button(app, "再開する").click().run()
    assert "インボイス制度の問題は制度よりも現場の手間だと思う。" in shown(ended(app))


def test_a_session_whose_worker_died_goes_on_when_it_is_opened(app: AppTest, database_url: str, tmp_path: Path) -> None:
    with closing(XBench(database_url, tmp_path)) as bench:
        begun = bench.x.start(QUESTION)
        assert PostgresSessionWork(bench.database, begun.session_id).claim()
        bench.rows("UPDATE x_search_session SET lease_until = now() - interval '1 s' RETURNING 1")
    opened(app, session=begun.session_id)
    assert "インボイス制度の問題は制度よりも現場の手間だと思う。" in shown(ended(app))


def test_posts_of_yesterday_are_looked_at_again_for_the_price_on_the_button(
    app: AppTest, server: XServer, database_url: str, tmp_path: Path
) -> None:
    address = {"x_bearer_token": TOKEN, "x_api_base_url": server.url}
    with closing(XBench(database_url, tmp_path, **address)) as bench:
        session = bench.x.work(bench.x.start(QUESTION, budget=0.2).session_id)
        bench.rows("UPDATE x_search_result SET seen_at = seen_at - interval '1 day' RETURNING 1")
        bench.rows("UPDATE x_purchase SET day = day - 1 RETURNING 1")
    opened(app, session=session.session_id)
    server.deleted = {server.posts[0]["id"]}
    button(app, escaping.label("X に残っているか確認する（最大 0.20 ドル）")).click().run()
    assert [info.value for info in app.info] == [
        escaping.label("39 件は X に残っています。削除されていた 1 件を取り除きました。費用 0.195 ドル。")
    ]
    assert "X で削除された投稿 1 件は取り除きました。" in shown(app)
    assert not any("残っているか" in one.label for one in app.button)


def test_a_session_of_somebody_else_is_refused(app: AppTest, database_url: str, tmp_path: Path) -> None:
    with Database(database_url), Locator(Settings(database_url=database_url, locator_home=tmp_path)) as locator:
        theirs = locator.x_search.start(QUESTION, owner="somebody else")
    app.secrets["auth"] = {"client_id": "x"}
    app.user = {"is_logged_in": False}
    assert "検索する" not in [one.label for one in opened(app).button]
    app.user = AOKI
    opened(app, session=theirs.session_id)
    assert [error.value for error in app.error] == ["そのセッションは見つからないか、保存期限が切れています。"]
