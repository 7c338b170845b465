"""Questions and costs of the last days, out of the tables that keep them anyway: searches, models, X, contributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from psycopg.rows import class_row

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.masking import mask
from locator_search.ports.feedback import QuestionFigures, QuestionUsage, UsageReport, Work, WorkFigures

SQL = statements(__name__)

_Order = Literal["newest", "dearest", "unanswered"]

MOST = 100
"""Questions of each list."""
WORK_OF_TASK: Mapping[str, Work] = {
    **dict.fromkeys(("search_keywords", "narrowing_question", "rerank", "rewrite", "relax"), "questions"),
    **dict.fromkeys(("live_queries", "live_answer"), "live"),
    **dict.fromkeys(("x_queries", "x_relevance", "x_answer"), "x"),
    **dict.fromkeys(
        ("more_evidence", "analyse_contribution", "compare_contributions", "compare_revisions"), "contributions"
    ),
    "summarise": "summaries",
    "embed": "embeddings",
    "x_posts": "posts",
}


class PostgresUsageReader:
    """A UsageReader over PostgreSQL. Days of questions are those of a time zone."""

    def __init__(self, database: Database, time_zone: str) -> None:
        self._database = database
        self._zone = time_zone

    def report(self, days: int) -> UsageReport:
        """Everything of so many days up to today. Raises AccessDenied for people who are no administrators."""
        self._database.refuse_figures()
        values = {"zone": self._zone, "days": days}
        total, *by_day = self._database.rows(SQL.question_figures, values, class_row(QuestionFigures))
        work = [
            WorkFigures(day, WORK_OF_TASK.get(task, "other"), calls, tokens, cost)
            for day, task, calls, tokens, cost in self._database.rows(SQL.work, values)
        ]
        orders: tuple[_Order, ...] = ("newest", "dearest", "unanswered")
        return UsageReport(total, by_day, work, *(self._first(order, days) for order in orders))

    def _first(self, wanted: _Order, days: int) -> list[QuestionUsage]:
        values = {"zone": self._zone, "days": days, "wanted": wanted, "most": MOST}
        found = self._database.rows(SQL.questions, values, class_row(QuestionUsage))
        return [replace(one, question=mask(one.question)) for one in found]
