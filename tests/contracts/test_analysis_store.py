"""Analyses are kept, each for the one who asked for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from locator_search.adapters.postgres import Database
from locator_search.adapters.postgres.contributions.analyses import PostgresAnalysisStore
from locator_search.core.errors import AccessDenied
from tests.unit.test_analyses import offline


def test_an_analysis_comes_back_as_it_was(database: Database) -> None:
    store, analysis = PostgresAnalysisStore(database), offline().analyze("S1-254001")
    kept = store.get(store.save(analysis, "aoki@example.com"), "aoki@example.com")
    assert replace(kept.analysis, evidence=()) == replace(analysis, evidence=())
    assert [replace(one, explain={}) for one in kept.analysis.evidence] == [
        replace(one, explain={}, location="") for one in analysis.evidence
    ]


def test_what_another_person_asked_for_is_refused_as_if_it_did_not_exist(database: Database) -> None:
    store, analysis = PostgresAnalysisStore(database), offline().analyze("S1-254001")
    analysis_id = store.save(analysis, "aoki@example.com")
    messages = []
    for wanted, owner in ((analysis_id, "baba@example.com"), (analysis_id, ""), ("no-such-id", "aoki@example.com")):
        with pytest.raises(AccessDenied) as refused:
            store.get(wanted, owner)
        messages.append(refused.value.message)
    assert len(set(messages)) == 1
    assert store.latest("baba@example.com") == []
    assert [kept.analysis_id for kept in store.latest("aoki@example.com")] == [analysis_id]
    assert store.get(analysis_id, None).analysis_id == analysis_id


def test_the_newest_come_first_and_ids_cannot_be_guessed(database: Database) -> None:
    store, analysis = PostgresAnalysisStore(database), offline().analyze("S1-254001")
    ids = [store.save(analysis, "") for _ in range(3)]
    assert [kept.analysis_id for kept in store.latest("", limit=2)] == ids[:0:-1]
    assert all(len(bytes.fromhex(one)) == 16 for one in ids)
