"""All questions with their costs, out of what searches, models and the other systems keep."""

from __future__ import annotations

import typing
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import psycopg
import pytest

from locator_search.adapters.postgres import Database, PostgresUsageLog
from locator_search.adapters.postgres.history.usage_reader import WORK_OF_TASK, PostgresUsageReader
from locator_search.core.errors import AccessDenied
from locator_search.core.reader import Reader, reading_as
from locator_search.core.usage import Usage
from locator_search.health.usage import UsageTexts, usage_sheet
from locator_search.ports.feedback import QuestionFigures
from locator_search.ports.models import Task

TOKYO = ZoneInfo("Asia/Tokyo")
NOW = datetime.now(UTC)


def asked(database: Database, question: str, *, at: datetime = NOW, seconds: float = 1, **kept: object) -> None:
    """One search in the log."""
    values = {"outcome": "found", "cost": 0.0, "tokens": 0, **kept}
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO search_log (question, surface, outcome, message, rounds, file_ids, seconds, cost, tokens,"
            " created_at) VALUES (%s, 'page', %s, '', '[]', '{}', %s, %s, %s, %s)",
            (question, values["outcome"], seconds, values["cost"], values["tokens"], at),
        )


def bought(database: Database, question: str, *prices: float) -> None:
    """A session of X that bought posts today, after a model for a cent."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        user = "INSERT INTO x_search_user (owner) VALUES ('') ON CONFLICT (owner) DO UPDATE SET owner = '' RETURNING id"
        [[user_id]] = connection.execute(user).fetchall()
        [[session]] = connection.execute(
            "INSERT INTO x_search_session (user_id, message_id, query, model_id, status, language, source, page_size,"
            " budget, model_cost, expires_at) VALUES (%s, %s, %s, 'm', 'done', 'ja', 'x', 10, 1, 0.01, 'infinity')"
            " RETURNING id",
            (user_id, question, question),
        ).fetchall()
        for number, price in enumerate(prices):
            purchase = "INSERT INTO x_purchase VALUES ((now() AT TIME ZONE 'UTC')::date, 'post', %s, %s, %s)"
            connection.execute(purchase, (f"{question} {number}", price, session))


def test_questions_are_counted_by_the_days_of_the_time_zone_with_their_seconds(database: Database) -> None:
    today = NOW.astimezone(TOKYO).replace(hour=0, minute=0, second=0, microsecond=0)
    for seconds in (1, 2, 9):
        asked(database, "予算", at=today, seconds=seconds)
    asked(database, "予算", at=today - timedelta(seconds=1), outcome="not_found")
    asked(database, "去年の予算", at=today - timedelta(days=3))
    report = PostgresUsageReader(database, "Asia/Tokyo").report(2)
    yesterday = (today - timedelta(days=1)).date()
    first, last = report.days
    assert first == QuestionFigures(yesterday, 1, 1, 1.0, 1.0)
    assert (last.day, last.questions, last.unanswered, last.median_seconds) == (today.date(), 3, 0, 2.0)
    assert last.p95_seconds == pytest.approx(8.3)
    assert (report.total.day, report.total.questions, report.total.unanswered) == (None, 4, 1)
    assert [(one.question, one.times) for one in report.newest] == [("予算", 4)]


def test_where_nothing_was_asked_there_are_no_rows_and_no_seconds(database: Database) -> None:
    report = PostgresUsageReader(database, "UTC").report(30)
    assert report.total == QuestionFigures(None, 0, 0, None, None)
    sheet = usage_sheet(report, UsageTexts.of("ja"), TOKYO, 30)
    assert [value for _, value in sheet.facts] == ["30", "0", "–", "– / –", "$0.0000"]
    assert (sheet.sections, report.newest) == ((), [])


def test_a_question_that_finds_something_by_now_is_not_among_those_that_found_nothing(database: Database) -> None:
    hour = timedelta(hours=1)
    for question, *outcomes in (
        ("VPN", "not_found", "found"),
        ("ＶＰＮ 申請", "not_found"),
        ("名刺", *["not_found"] * 3),
    ):
        for ago, outcome in enumerate(reversed(outcomes)):
            asked(database, question, at=NOW - ago * hour, outcome=outcome)
    asked(database, "vpn 申請", at=NOW - hour, outcome="not_found")
    report = PostgresUsageReader(database, "UTC").report(30)
    assert [(one.question, one.times) for one in report.unanswered] == [("名刺", 3), ("ＶＰＮ 申請", 2)]


def test_questions_of_all_systems_stand_by_what_they_cost_and_keys_are_masked(database: Database) -> None:
    asked(database, "password=hunter22222 の文書", cost=0.02, tokens=700)
    asked(database, "password=hunter22222 の文書", cost=0.02, tokens=300)
    asked(database, "無料")
    bought(database, "在宅勤務の評判", 0.005, 0.005, 0.2)
    report = PostgresUsageReader(database, "UTC").report(30)
    dearest = [(one.system, one.question, round(one.cost_usd, 3), one.tokens) for one in report.dearest]
    assert dearest == [("x", "在宅勤務の評判", 0.22, 0), ("search", "password=*** の文書", 0.04, 1000)]


def test_costs_add_up_by_kind_of_work(database: Database) -> None:
    for task in ("rerank", "rewrite", "summarise", "embed", "live_answer", "x_answer", "compare_revisions", "unheard"):
        PostgresUsageLog(database).add(task, "m", Usage(1, 1000, 20, 0.5))
    bought(database, "評判", 0.25, 0.25)
    report = PostgresUsageReader(database, "UTC").report(1)
    table = {one.title: one.table for one in usage_sheet(report, UsageTexts.of("en"), TOKYO, 1).sections}
    assert table["By kind of work"] is not None
    assert table["By kind of work"].rows == (
        ("answers to questions", "2", "2,040", "$1.0000"),
        ("summaries of crawls", "1", "1,020", "$0.5000"),
        ("embeddings", "1", "1,020", "$0.5000"),
        ("live search", "1", "1,020", "$0.5000"),
        ("X: queries and scores", "1", "1,020", "$0.5000"),
        ("X: posts bought", "2", "0", "$0.5000"),
        ("analyses of contributions", "1", "1,020", "$0.5000"),
        ("other", "1", "1,020", "$0.5000"),
    )
    assert table["By day"] is not None
    assert table["By day"].rows[0][-1] == "$4.5000"


def test_every_task_of_a_model_is_a_kind_of_work() -> None:
    assert {*typing.get_args(Task)} <= WORK_OF_TASK.keys()


def test_it_is_for_administrators_where_people_have_rights_of_their_own(database: Database) -> None:
    with Database(database.url, for_readers=True) as trimmed:
        reader = PostgresUsageReader(trimmed, "UTC")
        with pytest.raises(AccessDenied, match="not known who asks"):
            reader.report(30)
        with reading_as(Reader.of("aki@example.com", {})), pytest.raises(AccessDenied, match="administrators"):
            reader.report(30)
        with reading_as(Reader.of("boss@example.com", {}, administers=True)):
            assert reader.report(30).total.questions == 0
