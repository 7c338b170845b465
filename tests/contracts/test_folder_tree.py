"""The folders in scope and the position in the changes, which move together."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresStatusReader
from locator_search.adapters.postgres.index.folder_tree import PostgresFeedLog, PostgresFolderTree
from locator_search.ports import FeedPosition, Folder, FolderChanges, SyncState
from tests.builders.index import NOON, file_ref

ROOT = Folder("root", "共有", is_root=True)
BELOW = Folder("below", "下", ("root",), drive_id="drive", resource_key="key")
SHORTCUT = Folder("shortcut", "近道", ("root",), target_id="elsewhere")
FIRST = FeedPosition("cursor-1", "scope")
WHOLE = FolderChanges((ROOT, BELOW, SHORTCUT), everything=True)


@pytest.fixture
def tree(database: Database) -> PostgresFolderTree:
    return PostgresFolderTree(database)


@pytest.fixture
def log(database: Database) -> PostgresFeedLog:
    return PostgresFeedLog(database)


def test_nothing_is_known_before_the_first_listing(tree: PostgresFolderTree, log: PostgresFeedLog) -> None:
    assert log.position() is None
    assert log.last_full_at() is None
    assert tree.folders(["root"]) == {}


def test_folders_are_found_as_they_were_saved(tree: PostgresFolderTree, log: PostgresFeedLog) -> None:
    log.save(FIRST, WHOLE, full_at=NOON)
    assert tree.folders(["root", "below", "unknown"]) == {"root": ROOT, "below": BELOW}
    assert tree.below(["root"]) == [BELOW, SHORTCUT]
    assert tree.shortcuts_to(["elsewhere", "below"]) == [SHORTCUT]
    assert tree.folders([]) == {}
    assert (log.position(), log.last_full_at()) == (FIRST, NOON)


def test_changes_put_and_remove_and_leave_the_rest(tree: PostgresFolderTree, log: PostgresFeedLog) -> None:
    log.save(FIRST, WHOLE, full_at=NOON)
    renamed = replace(BELOW, name="新しい名")
    log.save(FeedPosition("cursor-2", "scope"), FolderChanges((renamed,), ("shortcut",)))
    assert tree.below(["root"]) == [renamed]
    assert log.position() == FeedPosition("cursor-2", "scope")
    assert log.last_full_at() == NOON


def test_a_full_listing_replaces_everything(tree: PostgresFolderTree, log: PostgresFeedLog) -> None:
    log.save(FIRST, WHOLE, full_at=NOON)
    other = Folder("other", "別", is_root=True)
    log.save(FIRST, FolderChanges((other,), everything=True), full_at=NOON + timedelta(days=1))
    assert tree.folders(["root", "below", "shortcut", "other"]) == {"other": other}
    assert log.last_full_at() == NOON + timedelta(days=1)


def test_files_are_found_by_any_folder_they_lie_in(tree: PostgresFolderTree, database: Database) -> None:
    registry = PostgresFileRegistry(database)
    both, one = replace(file_ref("a"), parent_ids=("x", "y")), replace(file_ref("b"), parent_ids=("y",))
    registry.record_listing([both, one, file_ref("c")], NOON)
    assert tree.files_in(["x"]) == [both]
    assert tree.files_in(["y"]) == [both, one]


def test_a_position_alone_is_no_completed_crawl(log: PostgresFeedLog, database: Database) -> None:
    status = PostgresStatusReader(database)
    log.save(FIRST, WHOLE, full_at=NOON)
    assert status.status().last_sync is None
    sync = SyncState(NOON, "diff", NOON, NOON, 3)
    status.finish_sync(sync)
    assert status.status().last_sync == sync
    assert log.position() == FIRST
