"""Keeps analyses of contributions (table `contribution_analysis`), each for the one who asked for it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.rows import clean, clean_json
from locator_search.core.errors import AccessDenied
from locator_search.ports.contributions.analyses import Analysis, KeptAnalysis


class PostgresAnalysisStore:
    """An AnalysisStore over PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, analysis: Analysis, owner: str) -> str:
        """Keep an analysis; returns its id, which nobody can guess."""
        query = """
            INSERT INTO contribution_analysis (analysis_id, owner, kind, contribution_ids, language, provider,
                                               chat_model, result, model_calls, tokens, cost)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """
        analysis_id = secrets.token_hex(16)  # no sign in front, which a command would take for an option
        values = [
            analysis_id,
            clean(owner),
            analysis.kind,
            [clean(one) for one in analysis.contribution_ids],
            analysis.language,
            analysis.provider,
            analysis.chat_model,
            Jsonb(clean_json(_adapter().dump_python(_without_paths(analysis), mode="json"))),
            analysis.usage.calls,
            analysis.usage.tokens,
            analysis.usage.cost_usd,
        ]
        with self._database.connection() as connection:
            connection.execute(query, values)
        return analysis_id

    def get(self, analysis_id: str, owner: str | None) -> KeptAnalysis:
        """One analysis of that owner, or of anybody where `owner` is None: who asks has proven otherwise that they may.

        Raises AccessDenied for that of another owner and for one that does not exist, in the same words.
        """
        query = """
            SELECT analysis_id, created_at, result FROM contribution_analysis
            WHERE analysis_id = %(id)s AND (%(owner)s::text IS NULL OR owner = %(owner)s)
        """
        values = {"id": clean(analysis_id), "owner": None if owner is None else clean(owner)}
        with self._database.connection() as connection:
            row = connection.execute(query, values).fetchone()
        if row is None:
            raise AccessDenied("There is no such analysis among yours.")
        return _kept(row)

    def latest(self, owner: str, limit: int = 20) -> Sequence[KeptAnalysis]:
        """The newest analyses of that owner."""
        query = """
            SELECT analysis_id, created_at, result FROM contribution_analysis
            WHERE owner = %s ORDER BY created_at DESC, analysis_id LIMIT %s
        """
        with self._database.connection() as connection:
            return [_kept(row) for row in connection.execute(query, [clean(owner), limit]).fetchall()]


def _without_paths(analysis: Analysis) -> Analysis:
    """Where a file lies on this machine, and why it was found, is of no use later."""
    return replace(analysis, evidence=tuple(replace(one, location="", explain={}) for one in analysis.evidence))


def _kept(row: Sequence[Any]) -> KeptAnalysis:
    analysis_id, created_at, result = row
    return KeptAnalysis(analysis_id, created_at, _adapter().validate_python(result))


@cache
def _adapter() -> TypeAdapter[Analysis]:
    return TypeAdapter(Analysis)
