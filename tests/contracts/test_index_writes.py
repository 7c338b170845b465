"""What every IndexStore keeps of a file, and what it refuses."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresIndexStore
from locator_search.adapters.postgres.index import index_writes
from locator_search.adapters.postgres.index.index_writes import write_files
from locator_search.core.errors import DimensionMismatch, StoreError
from locator_search.model import RetrievalQuery
from tests.builders.index import DIMENSIONS, NOON, file_ref, index_entry, unit_vector
from tests.builders.registry import all_known


@pytest.fixture
def index(database: Database) -> PostgresIndexStore:
    return PostgresIndexStore(database)


def found_ids(index: PostgresIndexStore, query: str) -> list[str]:
    found = index.retrieve(RetrievalQuery(query, threshold=0.5, mode="keyword"), None)
    return [evidence.file_id for evidence in found.evidence]


def stored_statistics(database: Database) -> tuple[dict[str, int], tuple[int, int]]:
    with database.connection() as connection:
        terms = dict(connection.execute("SELECT term, document_frequency FROM term_in_index").fetchall())
        totals = connection.execute("SELECT chunks, total_length FROM index_total").fetchone()
    assert totals is not None
    return terms, (totals[0], totals[1])


def counted_statistics(database: Database) -> tuple[dict[str, int], tuple[int, int]]:
    with database.connection() as connection:
        terms = dict(
            connection.execute("SELECT term, count(*) FROM file_chunk, unnest(terms) AS term GROUP BY 1").fetchall()
        )
        totals = connection.execute("SELECT count(*), COALESCE(sum(length), 0) FROM file_chunk").fetchone()
    assert totals is not None
    return terms, (totals[0], totals[1])


def test_a_replaced_file_is_found_by_its_new_text_only(index: PostgresIndexStore) -> None:
    index.replace(index_entry(texts=["麒麟の生態"]), "pipeline-1")
    index.replace(index_entry(texts=["河馬の生態"]), "pipeline-1")
    assert found_ids(index, "麒麟") == []
    assert found_ids(index, "河馬") == ["file-1"]


def test_writing_a_file_marks_it_indexed_at_the_revision_that_was_read(
    index: PostgresIndexStore, database: Database
) -> None:
    registry = PostgresFileRegistry(database)
    registry.record_listing([file_ref(revision="2")], NOON)
    index.replace(index_entry(file_ref(revision="1")), "pipeline-1")
    known = all_known(registry)["file-1"]
    assert (known.state, known.done_revision, known.pipeline_version) == ("indexed", "1", "pipeline-1")
    assert known.file.revision == "2", "a newer revision that was listed meanwhile still waits"


def test_a_deleted_file_leaves_nothing_behind(index: PostgresIndexStore, database: Database) -> None:
    index.replace(index_entry(texts=["一つ目", "二つ目"]), "pipeline-1")
    assert index.delete(["file-1", "never-seen"]) == 1
    assert index.delete(["file-1"]) == 0
    assert all_known(PostgresFileRegistry(database)) == {}
    assert stored_statistics(database) == ({}, (0, 0))


@pytest.mark.parametrize("most_locks", [1000, 1])
def test_statistics_stay_exact_when_many_threads_write_and_delete_the_same_files(
    index: PostgresIndexStore, database: Database, monkeypatch: pytest.MonkeyPatch, most_locks: int
) -> None:
    monkeypatch.setattr(index_writes, "MOST_LOCKS", most_locks)  # with 1, who deletes two files locks all of them
    errors: list[BaseException] = []

    def work(worker: int) -> None:
        try:
            for turn in range(6):
                number = (worker + turn) % 4
                texts = [f"議事録 {worker} {turn}", "共通の言葉", "予算"][: 1 + turn % 3]
                index.replace(index_entry(file_ref(f"file-{number}"), texts), "pipeline-1")
                if turn == 4:
                    index.delete([f"file-{number}", f"file-{(number + 1) % 4}"])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=[number]) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert present(stored_statistics(database)) == counted_statistics(database)
    index.replace(index_entry(file_ref("last")), "pipeline-1")
    assert waiting(database) == 0
    assert stored_statistics(database) == counted_statistics(database)


def test_several_files_are_written_at_once_with_exact_statistics(index: PostgresIndexStore, database: Database) -> None:
    index.replace(index_entry(file_ref("file-1"), ["麒麟", "河馬"]), "pipeline-1")
    texts = [["象の生態"], [], ["象と麒麟", "河馬"]]
    index.replace_many([index_entry(file_ref(f"file-{n}"), words) for n, words in enumerate(texts)], "pipeline-2")
    assert set(found_ids(index, "象")) == {"file-0", "file-2"}
    assert found_ids(index, "麒麟") == ["file-2"]
    assert {known.pipeline_version for known in all_known(PostgresFileRegistry(database)).values()} == {"pipeline-2"}
    assert stored_statistics(database) == counted_statistics(database)


def test_a_writer_waits_for_nobody_at_the_counts_which_stay_exact(
    index: PostgresIndexStore, database: Database
) -> None:
    index.replace(index_entry(file_ref("former"), ["以前の契約書"]), "pipeline-1")
    with database.transaction() as other:
        write_files(other, [index_entry(file_ref("slow"), ["契約書 議事録"])], "pipeline-1")
        index.replace(index_entry(file_ref("quick"), ["契約書 領収書"]), "pipeline-1")
        index.delete(["former"])
        assert found_ids(index, "領収書") == ["quick"]
        assert present(stored_statistics(database)) == counted_statistics(database)
        assert waiting(database) > 0
    assert present(stored_statistics(database)) == counted_statistics(database)
    index.delete(["quick"])
    assert waiting(database) == 0, "the next one counts what was left"
    assert stored_statistics(database) == counted_statistics(database)
    index.delete(["slow"])
    assert stored_statistics(database) == ({}, (0, 0))


def present(statistics: tuple[dict[str, int], tuple[int, int]]) -> tuple[dict[str, int], tuple[int, int]]:
    """Without the terms that no chunk holds any more."""
    terms, totals = statistics
    return {term: frequency for term, frequency in terms.items() if frequency}, totals


def waiting(database: Database) -> int:
    """Rows of changes that nobody has counted so far."""
    with database.connection() as connection:
        [[rows]] = connection.execute(
            "SELECT (SELECT count(*) FROM keyword_change) + (SELECT count(*) FROM keyword_total_change)"
        ).fetchall()
    return int(rows)


def test_of_a_file_that_is_written_twice_at_once_the_last_counts(index: PostgresIndexStore) -> None:
    index.replace_many([index_entry(texts=["麒麟"]), index_entry(texts=["河馬"])], "pipeline-1")
    assert (found_ids(index, "麒麟"), found_ids(index, "河馬")) == ([], ["file-1"])


def test_one_bad_file_among_several_leaves_all_of_them_as_they_were(index: PostgresIndexStore) -> None:
    index.replace(index_entry(texts=["麒麟"]), "pipeline-1")
    zero = np.zeros(DIMENSIONS, dtype=np.float32)
    with pytest.raises(StoreError):
        index.replace_many([index_entry(texts=["河馬"]), index_entry(file_ref("file-2"), embedding=zero)], "pipeline-2")
    assert (found_ids(index, "麒麟"), found_ids(index, "河馬")) == (["file-1"], [])


def test_writing_no_files_does_nothing(index: PostgresIndexStore) -> None:
    index.replace_many([], "pipeline-1")
    assert found_ids(index, "河馬") == []


@pytest.mark.parametrize("broken", [np.zeros(DIMENSIONS), np.full(DIMENSIONS, np.nan)], ids=["zero", "NaN"])
@pytest.mark.parametrize("where", ["file", "chunk"])
def test_a_zero_or_nan_vector_is_refused_and_leaves_the_old_row(
    index: PostgresIndexStore, broken: np.ndarray[tuple[int], np.dtype[np.float64]], where: str
) -> None:
    index.replace(index_entry(texts=["麒麟"]), "pipeline-1")
    vector = broken.astype(np.float32)
    entry = (
        index_entry(texts=["河馬"], embedding=vector)
        if where == "file"
        else index_entry(texts=["河馬"], chunk_embeddings=[vector])
    )
    with pytest.raises(StoreError) as refused:
        index.replace(entry, "pipeline-1")
    assert "河馬" not in refused.value.message
    assert found_ids(index, "麒麟") == ["file-1"]


def test_vectors_of_another_model_are_refused_with_the_way_out(index: PostgresIndexStore) -> None:
    index.replace(index_entry(), "pipeline-1")
    with pytest.raises(DimensionMismatch) as refused:
        index.replace(index_entry(file_ref("file-2"), embedding_model="another-model"), "pipeline-1")
    assert "another-model" in refused.value.message
    assert "db reindex" in refused.value.hint


def test_vectors_of_another_length_are_refused(index: PostgresIndexStore) -> None:
    index.replace(index_entry(), "pipeline-1")
    with pytest.raises(DimensionMismatch):
        index.replace(index_entry(file_ref("file-2"), embedding=unit_vector("short", 8)), "pipeline-1")


def test_searching_an_index_with_another_model_is_refused(database: Database) -> None:
    PostgresIndexStore(database).replace(index_entry(), "pipeline-1")
    other = PostgresIndexStore(database, embedding_model="another-model")
    with pytest.raises(DimensionMismatch):
        other.retrieve(RetrievalQuery("報告書"), unit_vector("question"))
    with pytest.raises(DimensionMismatch):
        PostgresIndexStore(database).retrieve(RetrievalQuery("報告書"), unit_vector("question", 8))


def test_text_that_postgresql_refuses_is_cleaned_not_lost(index: PostgresIndexStore) -> None:
    index.replace(index_entry(file_ref(file_name="報告\0書.txt"), ["河馬\0の生態"], summary="要\0約"), "pipeline-1")
    found = index.retrieve(RetrievalQuery("河馬", mode="keyword"), None)
    assert found.evidence[0].text == "河馬の生態"
    assert (found.evidence[0].file_name, found.evidence[0].summary) == ("報告書.txt", "要約")


def test_a_copy_of_a_content_brings_its_chunk_embeddings(index: PostgresIndexStore) -> None:
    entry = index_entry(texts=["河馬"])
    index.replace(entry, "pipeline-1")
    kept = index.chunk_embeddings(entry.content_hash, entry.embedding_model)
    assert np.allclose(kept["河馬"], np.asarray(entry.chunks[0].embedding))
    assert index.chunk_embeddings(entry.content_hash, "another-model") == {}


KILLED_IN_THE_MIDDLE = """
import os, signal, sys
from locator_search.adapters.postgres import Database, PostgresIndexStore
from locator_search.adapters.postgres.index import index_writes
from tests.builders.index import file_ref, index_entry
index_writes.update_statistics = lambda *args, **kwargs: os.kill(os.getpid(), signal.SIGKILL)
group = [index_entry(texts=["河馬", "河馬"]), index_entry(file_ref("file-2"), ["河馬"])]
PostgresIndexStore(Database(sys.argv[1])).replace_many(group, "pipeline-2")
"""


def test_a_writer_killed_in_the_middle_leaves_the_old_file_whole_and_nothing_of_its_group(
    index: PostgresIndexStore, database: Database, database_url: str
) -> None:
    index.replace(index_entry(texts=["麒麟"]), "pipeline-1")
    killed = subprocess.run([sys.executable, "-c", KILLED_IN_THE_MIDDLE, database_url], cwd=Path.cwd(), check=False)
    assert killed.returncode == -signal.SIGKILL
    assert found_ids(index, "麒麟") == ["file-1"]
    assert found_ids(index, "河馬") == []
    assert stored_statistics(database) == counted_statistics(database)
    known = all_known(PostgresFileRegistry(database))
    assert {file_id: file.pipeline_version for file_id, file in known.items()} == {"file-1": "pipeline-1"}


def test_a_search_reads_through_little_that_waits_to_be_put_into_the_index_of_terms(database: Database) -> None:
    texts = [" ".join(f"word{number}x{place}" for place in range(300)) for number in range(60)]
    entries = [index_entry(file_ref(f"file-{number}"), [text]) for number, text in enumerate(texts)]
    PostgresIndexStore(database).replace_many(entries, "pipeline-1")
    with database.connection() as connection:
        (pages,) = connection.execute("SELECT gin_clean_pending_list('file_chunk_terms')").fetchone() or (-1,)
    assert 0 <= pages <= 256 // 8 + 8
