"""A calibration measured on an index is kept with it, and searches use it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import Database, PostgresIndexStore, PostgresStatusReader, PostgresUpkeep
from locator_search.adapters.postgres.index.calibration_store import PostgresCalibrationStore
from locator_search.core.errors import LocatorError
from locator_search.evaluation.calibrate import QUESTIONS, Measurement, measure
from locator_search.model import RetrievalQuery
from locator_search.ports import MeasuredCalibration
from tests.builders.judged_corpus import load_small_corpus

NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
STEEP = MeasuredCalibration(((0.0, 0.0), (0.01, 0.98), (1.0, 1.0)), 40, NOW)


def measured_on(database: Database, asked: list[int] | None = None) -> Measurement:
    index = PostgresIndexStore(database)
    on_question = (asked if asked is not None else []).append
    return measure(PostgresCalibrationStore(database), index, OfflineEmbedder(), on_question)


def test_an_index_is_measured_with_questions_made_of_its_own_texts(database: Database) -> None:
    load_small_corpus(PostgresIndexStore(database))
    asked: list[int] = []
    measurement = measured_on(database, asked)
    assert asked == list(range(1, QUESTIONS + 1))
    middle = [sorted(cosines)[QUESTIONS // 2] for cosines in (measurement.unrelated, measurement.answerable)]
    assert middle[0] < middle[1]
    assert measurement.files == 40
    assert measured_on(database) == measurement


def test_a_small_index_is_not_measured(database: Database) -> None:
    load_small_corpus(PostgresIndexStore(database), 29)
    with pytest.raises(LocatorError, match="at least 30 indexed files; the index has 29"):
        measured_on(database)


def test_searches_use_the_kept_calibration_until_it_is_forgotten(database: Database) -> None:
    index, store = PostgresIndexStore(database), PostgresCalibrationStore(database)
    load_small_corpus(index)
    vector = OfflineEmbedder().embed(["食堂"], "query")[0]

    def similarity() -> float | None:
        return index.retrieve(RetrievalQuery("食堂", threshold=0.0, mode="vector"), vector).top_similarity

    shipped = similarity()
    store.keep(STEEP)
    assert store.measured() == STEEP
    assert PostgresStatusReader(database).status().calibration == STEEP
    assert (similarity() or 0) > (shipped or 1)
    assert store.forget()
    assert (similarity(), store.measured(), store.forget()) == (shipped, None, False)


def test_an_index_of_another_model_starts_without_the_calibration_of_the_former(database: Database) -> None:
    load_small_corpus(PostgresIndexStore(database))
    store = PostgresCalibrationStore(database)
    store.keep(STEEP)
    PostgresUpkeep(database).clear_index_of_other_model("another")
    assert (store.measured(), store.files(), store.sample(5)) == (None, 40, [])


def test_an_empty_index_keeps_no_calibration(database: Database) -> None:
    store = PostgresCalibrationStore(database)
    store.keep(STEEP)
    assert (store.measured(), store.anchors_in_use(), store.files(), store.sample(5)) == (None, (), 0, [])
