"""What is remembered: extractions, answers, crawls, searches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from locator_search.adapters.postgres import (
    Database,
    PostgresAnswerMemo,
    PostgresEmbeddingMemo,
    PostgresExtractionMemo,
    PostgresFileRegistry,
    PostgresIndexStore,
    PostgresSearchLog,
    PostgresStatusReader,
    PostgresUpkeep,
    PostgresUsageLog,
)
from locator_search.core.usage import Usage
from locator_search.model import Block, Document, Extraction, RetrievalQuery, Round, SearchOutcome, TrackedChange
from locator_search.ports import Refusal, SyncState
from tests.builders.index import NOON, file_ref, index_entry, unit_vector
from tests.builders.registry import all_known

DOCUMENT = Document(
    (
        Block("heading", "第1章", level=1, page=1),
        Block("paragraph", "本文", page=2, changes=(TrackedChange("insert", "文", 1, "佐藤", "2026-01-05T09:00:00Z"),)),
        Block("table", "a\tb"),
    ),
    "text/x",
    2,
)


def test_an_extraction_comes_back_as_it_was_put(database: Database) -> None:
    memo = PostgresExtractionMemo(database)
    extraction = Extraction("partial", DOCUMENT, reason="page 3 is damaged", seconds=1.5)
    assert memo.get("hash", "parser-1") == (None, 0)
    memo.put("hash", "parser-1", extraction)
    assert memo.get("hash", "parser-1") == (extraction, 0)
    assert memo.get("hash", "parser-2") == (None, 0)


def test_readings_that_never_end_are_counted_until_something_comes_of_one(database: Database) -> None:
    memo = PostgresExtractionMemo(database)
    for _ in range(3):
        memo.begun("hash", "parser-1")
    memo.given_up("hash", "parser-1")
    assert memo.get("hash", "parser-1") == (None, 2)
    assert memo.get("hash", "parser-2") == (None, 0)
    memo.put("hash", "parser-1", Extraction("ok", DOCUMENT))
    memo.begun("hash", "parser-1")
    assert memo.get("hash", "parser-1") == (Extraction("ok", DOCUMENT), 1), "it is read again, and may end everything"
    memo.put("hash", "parser-1", Extraction("partial", DOCUMENT))
    assert memo.get("hash", "parser-1") == (Extraction("partial", DOCUMENT), 0)


def test_a_nul_in_an_extracted_text_does_not_lose_the_rest(database: Database) -> None:
    memo = PostgresExtractionMemo(database)
    memo.put("hash", "parser-1", Extraction("ok", Document((Block("paragraph", "前\0後"),), "text/plain")))
    remembered, _ = memo.get("hash", "parser-1")
    assert remembered is not None
    assert remembered.document.text == "前後"


def test_the_first_answer_stays(database: Database) -> None:
    memo = PostgresAnswerMemo(database)
    assert memo.get("key") is None
    for answer in ('{"summary": "一"}', '{"summary": "二"}'):
        memo.put("key", task="summarise", prompt_version="1", model="m", answer=answer)
    assert memo.get("key") == '{"summary": "一"}'


def test_embeddings_come_back_as_they_were_put_for_their_model_alone(database: Database) -> None:
    memo = PostgresEmbeddingMemo(database)
    assert memo.learn_width("m", 1536) == 1536
    kept = {"a": unit_vector("a"), "b": unit_vector("b")}
    memo.put("m", kept)
    memo.put("m", {"a": unit_vector("other")})
    found = memo.get("m", ["b", "a", "c"])
    assert found.keys() == kept.keys()
    assert all(np.array_equal(found[key], kept[key]) and found[key].dtype == np.float32 for key in kept)
    assert memo.get("another", ["a"]) == {}


def test_the_first_length_of_a_model_stands_and_embeddings_of_another_are_forgotten(database: Database) -> None:
    memo = PostgresEmbeddingMemo(database)
    full, short = unit_vector("a"), unit_vector("b").copy()
    short[100:] = 0
    with database.connection() as connection:  # as they were remembered before lengths were kept
        for key, vector in (("full", full), ("short", short)):
            connection.execute("INSERT INTO text_embedding (model, key, embedding) VALUES ('m', %s, %b)", [key, vector])
    assert memo.get("m", ["full", "short"]) == {}, "as long as nobody knows what is right"
    assert [memo.learn_width("m", width) for width in (1536, 100)] == [1536, 1536]
    assert memo.get("m", ["full", "short"]).keys() == {"full"}
    memo.put("m", {"short": full})
    assert np.array_equal(memo.get("m", ["short"])["short"], full)


def test_a_refusal_is_remembered_until_there_is_an_answer(database: Database) -> None:
    memo = PostgresAnswerMemo(database)
    memo.put("key", task="summarise", prompt_version="1", model="m", answer="{}")
    refusal = Refusal("It was refused.", 2, NOON + timedelta(days=1))
    memo.refuse("key", refusal, task="summarise", model="m")
    assert memo.get("key") == refusal
    memo.put("key", task="summarise", prompt_version="1", model="m", answer="{}")
    assert memo.get("key") == "{}"


def test_usage_adds_up_over_tasks_models_and_processes(database: Database) -> None:
    for task, model in (("summarise", "m"), ("summarise", "m"), ("embed", "e")):
        PostgresUsageLog(database).add(task, model, Usage(1, 1000, 20, 0.0000004))
    total = PostgresUsageLog(database).total()
    assert (total.calls, total.input_tokens, total.output_tokens) == (3, 3000, 60)
    assert total.cost_usd == pytest.approx(0.0000012)
    status = PostgresStatusReader(database).status()
    assert (status.model_calls, status.tokens, status.cost_usd) == (3, 3060, total.cost_usd)


def a_sync(minutes: int, drive_minutes: int, mode: str = "diff") -> SyncState:
    return SyncState(
        drive_modified_at=NOON + timedelta(minutes=drive_minutes),
        mode=mode,
        started_at=NOON + timedelta(minutes=minutes),
        finished_at=NOON + timedelta(minutes=minutes + 1),
        listed=minutes,
    )


def test_the_newest_time_a_crawl_covered_never_moves_backward(database: Database) -> None:
    reader = PostgresStatusReader(database)
    reader.finish_sync(a_sync(1, drive_minutes=50, mode="full"))
    reader.finish_sync(a_sync(2, drive_minutes=20))
    last = reader.status().last_sync
    assert last is not None
    assert last.drive_modified_at == NOON + timedelta(minutes=50)
    assert (last.mode, last.listed) == ("diff", 2)


def test_the_status_counts_what_is_there(database: Database) -> None:
    reader = PostgresStatusReader(database)
    empty = reader.status()
    assert (empty.coverage.listed, empty.chunks, empty.last_sync, empty.embedding_model) == (0, 0, None, None)
    PostgresIndexStore(database).replace(index_entry(texts=["一", "二"]), "pipeline-1")
    status = reader.status()
    assert (status.coverage.by_state, status.chunks) == ({"indexed": 1}, 2)
    assert status.embedding_model == "model-of-the-tests"
    assert status.newest_indexed_at is not None


def test_files_are_listed_by_state_newest_first(database: Database) -> None:
    registry, reader = PostgresFileRegistry(database), PostgresStatusReader(database)
    registry.record_listing([file_ref(f"file-{number}") for number in range(4)], NOON)
    for file_id in ("file-2", "file-0", "file-3"):
        registry.set_state(file_id, "failed", reason="timeout")
    assert [known.file.file_id for known in reader.files_in(["failed"])] == ["file-3", "file-0", "file-2"]
    assert [known.file.file_id for known in reader.files_in(["failed", "pending"], limit=1)] == ["file-3"]


def test_facets_of_the_whole_index_are_counted_for_the_filters(database: Database) -> None:
    index = PostgresIndexStore(database)
    for number, folder in enumerate(("会社/営業", "会社/営業", "会社/総務")):
        index.replace(index_entry(file_ref(f"file-{number}", folder_path=folder)), "pipeline-1")
    facets = {facet.name: facet.values for facet in PostgresStatusReader(database).facets()}
    assert [(value.label, value.count) for value in facets["folder"]] == [("営業", 2), ("総務", 1)]
    assert [(value.value, value.count) for value in facets["period"]] == [("2024-09", 3)]


def test_a_search_is_logged_with_its_path_and_can_be_judged(database: Database) -> None:
    index, log = PostgresIndexStore(database), PostgresSearchLog(database)
    index.replace(index_entry(texts=["予算"]), "pipeline-1")
    evidence = index.retrieve(RetrievalQuery("予算"), unit_vector("q")).evidence
    rounds = (Round(1, "show", "予算", ("予算",), 0.7, 1, 0.9),)
    outcome = SearchOutcome("found", "1 件", evidence=evidence, rounds=rounds)
    search_id = log.record("予算は？", outcome, "command", 0.5)
    log.feedback(search_id, "file-1", useful=False)
    log.feedback(search_id, "file-1", useful=True)
    query = """
        SELECT question, rounds -> 0 ->> 'branch', file_ids, useful
        FROM search_log JOIN search_feedback USING (search_id)
    """
    with database.connection() as connection:
        assert connection.execute(query).fetchall() == [("予算は？", "show", ["file-1"], True)]


@pytest.mark.parametrize("embedding_model", ["model-of-the-tests", "another-model"])
def test_only_an_index_of_another_model_is_cleared(database: Database, embedding_model: str) -> None:
    PostgresIndexStore(database).replace(index_entry(), "pipeline-1")
    PostgresAnswerMemo(database).put("key", task="summarise", prompt_version="1", model="m", answer="{}")
    cleared = PostgresUpkeep(database).clear_index_of_other_model(embedding_model)
    known, status = all_known(PostgresFileRegistry(database))["file-1"], PostgresStatusReader(database).status()
    if embedding_model == "model-of-the-tests":
        assert (cleared, status.chunks, known.state) == (0, 1, "indexed")
    else:
        assert (cleared, status.chunks, status.without_embeddings, known.state) == (1, 1, 1, "indexed")
        assert known.file.file_id in PostgresFileRegistry(database).due("pipeline-1", datetime.now(UTC), 10)
        words = PostgresIndexStore(database).retrieve(RetrievalQuery("本文", threshold=0.0, mode="keyword"), None)
        assert [one.file_id for one in words.evidence] == ["file-1"], "words find it all the time"
        PostgresIndexStore(database).replace(index_entry(embedding_model=embedding_model), "pipeline-1")
    assert PostgresAnswerMemo(database).get("key") == "{}"
