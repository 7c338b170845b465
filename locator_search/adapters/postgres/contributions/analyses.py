"""Keeps analyses of contributions, each for the one who asked for it, and the questions people put again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from psycopg.rows import args_row
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from locator_search.adapters.postgres.server.database import PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.errors import AccessDenied
from locator_search.ports.contributions.analyses import Analysis, KeptAnalysis
from locator_search.ports.contributions.questions import SavedQuestion

SQL = statements(__name__)


class PostgresAnalysisStore(PostgresAdapter):
    """An AnalysisStore over the table `contribution_analysis`."""

    def save(self, analysis: Analysis, owner: str) -> str:
        """Keep an analysis; returns its id, which nobody can guess."""
        analysis_id = secrets.token_hex(16)  # no sign in front, which a command would take for an option
        values = {
            "analysis": analysis_id,
            "owner": clean(owner),
            "kind": analysis.kind,
            "contributions": [clean(one) for one in analysis.contribution_ids],
            "language": analysis.language,
            "provider": analysis.provider,
            "chat_model": analysis.chat_model,
            "result": Jsonb(clean_json(_adapter().dump_python(_without_paths(analysis), mode="json"))),
            "calls": analysis.usage.calls,
            "tokens": analysis.usage.tokens,
            "cost": analysis.usage.cost_usd,
        }
        self._database.run(SQL.save, values)
        return analysis_id

    def get(self, analysis_id: str, owner: str | None) -> KeptAnalysis:
        """One analysis of that owner, or of anybody where `owner` is None: who asks has proven otherwise that they may.

        Raises AccessDenied for that of another owner and for one that does not exist, in the same words.
        """
        values = {"analysis": clean(analysis_id), "owner": None if owner is None else clean(owner)}
        kept = self._database.row(SQL.get, values, args_row(_kept))
        if kept is None:
            raise AccessDenied("There is no such analysis among yours.")
        return kept

    def latest(self, owner: str, limit: int = 20) -> Sequence[KeptAnalysis]:
        """The newest analyses of that owner."""
        return self._database.rows(SQL.latest, {"owner": clean(owner), "limit": limit}, args_row(_kept))


class PostgresSavedQuestions(PostgresAdapter):
    """A SavedQuestions over the table `contribution_question`."""

    def save(self, owner: str, saved: SavedQuestion) -> None:
        """Keep a question under its name, in the place of another one of that name."""
        values = {"owner": clean(owner), "name": clean(saved.name), "question": clean(saved.question)}
        self._database.run(SQL.save_question, values)

    def of(self, owner: str) -> list[SavedQuestion]:
        """The questions of that owner, by name."""
        return self._database.rows(SQL.questions, {"owner": clean(owner)}, args_row(SavedQuestion))

    def delete(self, owner: str, name: str) -> bool:
        """Forget a question; False where there is none of that name."""
        return self._database.run(SQL.delete_question, {"owner": clean(owner), "name": clean(name)}) > 0


def _without_paths(analysis: Analysis) -> Analysis:
    """Where a file lies on this machine, and why it was found, is of no use later."""
    return replace(analysis, evidence=tuple(replace(one, location="", explain={}) for one in analysis.evidence))


def _kept(analysis_id: str, created_at: datetime, result: Any) -> KeptAnalysis:
    return KeptAnalysis(analysis_id, created_at, _adapter().validate_python(result))


@cache
def _adapter() -> TypeAdapter[Analysis]:
    return TypeAdapter(Analysis)
