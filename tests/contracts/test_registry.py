"""The registry: every listed file in exactly one state."""

from __future__ import annotations

from datetime import timedelta

import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry
from locator_search.ports import Extent
from tests.builders.index import NOON, file_ref
from tests.builders.registry import all_known


@pytest.fixture
def registry(database: Database) -> PostgresFileRegistry:
    return PostgresFileRegistry(database)


def test_a_listed_file_is_pending_and_known_as_it_was_listed(registry: PostgresFileRegistry) -> None:
    file = file_ref(owner="佐藤", size=None)
    registry.record_listing([file], NOON)
    known = all_known(registry)["file-1"]
    assert known.file == file
    assert (known.state, known.done_revision, known.attempts) == ("pending", None, 0)


def test_listing_again_refreshes_the_file_and_keeps_its_state(registry: PostgresFileRegistry) -> None:
    registry.record_listing([file_ref()], NOON)
    registry.set_state("file-1", "skipped", reason="empty", revision="1", pipeline_version="p1", content_hash="abc")
    registry.record_listing([file_ref(file_name="新しい名前.txt", revision="2")], NOON + timedelta(hours=1))
    known = all_known(registry)["file-1"]
    assert (known.file.file_name, known.file.revision) == ("新しい名前.txt", "2")
    assert (known.state, known.reason, known.done_revision) == ("skipped", "empty", "1")
    assert (known.pipeline_version, known.content_hash) == ("p1", "abc")


def test_failures_in_a_row_are_counted_and_any_other_state_resets_the_count(registry: PostgresFileRegistry) -> None:
    registry.record_listing([file_ref()], NOON)
    retry_at = NOON + timedelta(minutes=5)
    for expected in (1, 2, 3):
        registry.set_state("file-1", "failed", reason="timeout", next_try_at=retry_at)
        assert all_known(registry)["file-1"].attempts == expected
    assert all_known(registry)["file-1"].next_try_at == retry_at
    registry.set_state("file-1", "pending")
    assert (all_known(registry)["file-1"].attempts, all_known(registry)["file-1"].next_try_at) == (0, None)


def test_a_changed_file_counts_its_failures_anew(registry: PostgresFileRegistry) -> None:
    registry.record_listing([file_ref()], NOON)
    for revision, expected in [("1", 1), ("1", 2), ("2", 1), ("2", 2)]:
        registry.set_state("file-1", "failed", reason="timeout", revision=revision)
        assert all_known(registry)["file-1"].attempts == expected


def test_a_state_for_a_file_that_was_deleted_meanwhile_is_no_error(registry: PostgresFileRegistry) -> None:
    registry.set_state("gone", "failed", reason="timeout")
    assert all_known(registry) == {}


def test_files_are_known_by_root_or_by_name(registry: PostgresFileRegistry, database: Database) -> None:
    registry.record_listing([file_ref("a", root_id="one"), file_ref("b", root_id="one"), file_ref("c")], NOON)
    assert set(all_known(registry)) == {"a", "b", "c"}
    registry = PostgresFileRegistry(database, ["one"])
    assert set(all_known(registry)) == {"a", "b"}
    assert set(registry.known(file_ids=["a", "c", "unknown"])) == {"a", "c"}
    assert registry.known(file_ids=[]) == {}


def test_the_sums_of_the_coverage_equal_the_listing(registry: PostgresFileRegistry) -> None:
    registry.record_listing([file_ref(f"file-{number}") for number in range(6)], NOON)
    registry.set_state("file-0", "indexed")
    registry.set_state("file-1", "skipped", reason="empty")
    registry.set_state("file-2", "failed", reason="timeout")
    registry.set_state("file-3", "failed", reason="timeout")
    coverage = registry.coverage()
    assert coverage.complete
    assert coverage.listed == 6
    assert coverage.by_state == {"pending": 2, "failed": 2, "indexed": 1, "skipped": 1}
    assert coverage.by_reason == {"timeout": 2, "empty": 1}


def test_a_name_that_is_no_valid_text_is_recorded_readably(registry: PostgresFileRegistry) -> None:
    registry.record_listing([file_ref(file_name="報告\udce3\0書.txt")], NOON)
    assert all_known(registry)["file-1"].file.file_name == "報告?書.txt"


def test_a_large_listing_is_recorded_whole(registry: PostgresFileRegistry) -> None:
    registry.record_listing((file_ref(f"file-{number}") for number in range(3000)), NOON)
    assert registry.coverage().listed == 3000


def settle(registry: PostgresFileRegistry, file_id: str, revision: str = "1") -> None:
    registry.set_state(file_id, "indexed", revision=revision, pipeline_version="p1")


def due(registry: PostgresFileRegistry, version: str = "p1", hours: int = 0, limit: int = 10) -> list[str]:
    return list(registry.due(version, NOON + timedelta(hours=hours), limit))


def test_what_is_due_is_new_changed_let_go_of_another_pipeline_or_to_be_tried_again(
    registry: PostgresFileRegistry, database: Database
) -> None:
    names = ("settled", "new", "changed", "let-go", "retried", "forbidden", "given-up")
    registry.record_listing([file_ref(name) for name in names], NOON)
    for name in names:
        if name != "new":
            settle(registry, name)
    registry.record_listing([file_ref("changed", revision="2")], NOON)
    registry.mark_gone(["let-go"])
    later = {"revision": "1", "pipeline_version": "p1", "next_try_at": NOON + timedelta(hours=1)}
    registry.set_state("retried", "failed", **later)  # type: ignore[arg-type]  # as in a call
    registry.set_state("forbidden", "no_access", **later)  # type: ignore[arg-type]
    registry.set_state("given-up", "failed", revision="1", pipeline_version="p1")
    assert due(registry) == ["changed", "let-go", "new"]
    assert due(registry, hours=1) == ["changed", "forbidden", "let-go", "new", "retried"]
    assert due(registry, "p2") == sorted(names)
    assert due(registry, "p2", limit=2) == ["changed", "forbidden"]
    assert PostgresFileRegistry(database, ["another root"]).due("p1", NOON, 10) == {}


def test_a_file_let_go_that_is_listed_again_is_pending(registry: PostgresFileRegistry) -> None:
    registry.record_listing([file_ref("a")], NOON)
    settle(registry, "a")
    registry.mark_gone(["a", "unknown"])
    assert all_known(registry)["a"].state == "out_of_scope"
    registry.record_listing([file_ref("a")], NOON)
    assert all_known(registry)["a"].state == "pending"


def test_the_extent_is_covered_below_the_oldest_file_that_waits(
    registry: PostgresFileRegistry, database: Database
) -> None:
    assert registry.extent() == Extent(0, 0, None)
    days = [NOON + timedelta(days=day) for day in range(4)]
    registry.record_listing([file_ref(str(day), modified_at=when) for day, when in enumerate(days)], NOON)
    assert registry.extent() == Extent(4, 4, None)
    for name in ("0", "1", "3"):
        settle(registry, name)
    assert registry.extent() == Extent(4, 1, days[1])
    registry.set_state("2", "no_access", revision="1", next_try_at=NOON + timedelta(days=9))
    assert registry.extent() == Extent(4, 0, days[3]), "nobody waits for a permission"
    assert PostgresFileRegistry(database, ["another root"]).extent() == Extent(0, 0, None)
