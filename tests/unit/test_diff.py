"""What a listing means for the index."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from locator_search.indexing.diff import (
    MAX_ATTEMPTS,
    CrawlPlan,
    SetAside,
    is_due,
    is_settled,
    next_try,
    plan_crawl,
)
from locator_search.indexing.listing import Listing
from locator_search.model import FOLDER_MIME_TYPE, FileRef, FileState, SourceRoot, UnlistedFolder
from locator_search.ports import KnownFile, ListedRoot

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
VERSION = "parser-1"


ROOT = SourceRoot("root", "root", "local_folder")
OTHER = SourceRoot("other", "other", "local_folder")


def file(
    file_id: str, revision: str = "r1", mime_type: str = "text/plain", folder: str = "", root: str = "root"
) -> FileRef:
    return FileRef(
        file_id,
        f"{file_id}.txt",
        "local_folder",
        mime_type,
        NOW,
        revision,
        "file:///",
        folder_path=folder,
        root_id=root,
    )


def known(listed: FileRef, state: FileState = "indexed", **changes: object) -> KnownFile:
    settled = KnownFile(listed, state, done_revision=listed.revision, pipeline_version=VERSION)
    return replace(settled, **changes)  # type: ignore[arg-type]


def plan(
    listed: list[FileRef],
    before: list[KnownFile],
    *,
    problem: str = "",
    unlisted: tuple[UnlistedFolder, ...] = (),
    look_again: bool = False,
    confirmed: tuple[str, ...] = (),
) -> CrawlPlan:
    listing = Listing({one.file_id: one for one in listed}, problem, roots=(ROOT,), unlisted=unlisted)
    known = {one.file.file_id: one for one in before}
    return plan_crawl(listing, known, VERSION, NOW, look_again=look_again, confirmed=confirmed)


def test_a_file_never_seen_is_added() -> None:
    assert plan([file("a")], []).added == (file("a"),)


def test_a_file_listed_before_but_never_looked_at_is_still_added() -> None:
    waiting = known(file("a"), "pending", done_revision=None)
    assert plan([file("a")], [waiting]).added == (file("a"),)


def test_an_indexed_file_of_the_same_revision_is_left_alone() -> None:
    assert plan([file("a")], [known(file("a"))]) == CrawlPlan(unchanged=("a",))


def test_another_revision_is_a_change() -> None:
    assert plan([file("a", "r2")], [known(file("a"))]).changed == (file("a", "r2"),)


def test_a_revision_that_was_recorded_but_not_worked_on_is_still_a_change() -> None:
    recorded = known(file("a", "r2"), done_revision="r1")
    assert plan([file("a", "r2")], [recorded]).changed == (file("a", "r2"),)


def test_another_pipeline_changes_every_file() -> None:
    assert plan([file("a")], [known(file("a"), pipeline_version="parser-0")]).changed == (file("a"),)


def test_a_file_that_is_no_longer_listed_is_gone() -> None:
    assert plan([file("a")], [known(file("a")), known(file("b"))]).gone == ("b",)


def test_a_listing_speaks_for_its_own_root_alone() -> None:
    before = [known(file(name, root=root)) for name, root in (("a", "root"), ("b", "other"), ("c", ""))]
    assert plan([], before).gone == ("a",)


def many(count: int, **changes: object) -> list[KnownFile]:
    return [known(file(f"{number:03}"), **changes) for number in range(count)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("files", "left", "gone"),
    [
        (20, 0, 20),  # few files may all go, the last one too
        (21, 0, 0),
        (41, 20, 0),  # more than half, and more than 20
        (40, 20, 20),
        (42, 21, 21),  # half is not more than half
        (1000, 501, 499),
        (1000, 499, 0),
    ],
)
def test_more_than_half_of_a_root_and_more_than_20_files_are_kept(files: int, left: int, gone: int) -> None:
    before = many(files)
    found = plan([one.file for one in before[:left]], before)
    assert len(found.gone) == gone
    assert len(found.missing) == files - left - gone
    assert plan([one.file for one in before[:left]], before, confirmed=("root",)).missing == ()
    assert len(plan([one.file for one in before[:left]], before, confirmed=("other",)).gone) == gone


def test_what_full_listings_an_hour_apart_both_miss_is_gone() -> None:
    seen_now, seen_before = many(50, missing_since=NOW), many(50, missing_since=NOW - timedelta(hours=1))
    listed = [file(f"{number:03}") for number in range(10)]
    assert plan(listed, seen_now).gone == ()
    assert len(plan(listed, seen_before).gone) == 40
    half_new = seen_before[:25] + many(50)[25:]
    assert [len(part) for part in (plan(listed, half_new).gone, plan(listed, half_new).missing)] == [15, 25]


def test_a_root_that_lists_nothing_needs_a_person_however_often_it_is_listed() -> None:
    before = many(50, missing_since=NOW - timedelta(days=9))
    assert plan([], before).gone == ()
    assert len(plan([], before, confirmed=("root",)).gone) == 50


def test_a_listing_that_broke_off_deletes_nothing_but_adds_what_it_saw() -> None:
    broken_off = plan([file("b")], [known(file("a"))], problem="the disk stopped answering")
    assert broken_off.gone == ()
    assert broken_off.added == (file("b"),)


def test_nothing_below_a_folder_that_could_not_be_listed_is_gone() -> None:
    folder = file("folder", mime_type=FOLDER_MIME_TYPE, folder="share")
    inside = known(file("inside", folder="share/secret/deep"))
    beside = known(file("beside", folder="share/secretariat"))
    moved = known(replace(file("moved", folder="share/its old name"), parent_ids=("id-of-secret",)))
    secret = UnlistedFolder("root", "share/secret", "403", frozenset({"id-of-secret"}))
    found = plan([folder], [inside, beside, moved], unlisted=(secret,))
    assert found.gone == ("beside",)
    assert found.set_aside[0].state == "no_access"


def test_nothing_of_a_root_that_could_not_be_listed_is_gone() -> None:
    lost = UnlistedFolder("root", "", "it is not there")
    assert plan([], [known(file("a"))], unlisted=(lost,)).gone == ()


@pytest.mark.parametrize(
    ("mime_type", "reason"),
    [
        ("image/png", "image"),
        ("audio/mpeg", "audio"),
        ("video/mp4", "video"),
        ("application/zip", "archive"),
    ],
)
def test_pictures_sound_film_and_archives_are_set_aside_unopened(mime_type: str, reason: str) -> None:
    found = plan([file("a", mime_type=mime_type)], [])
    assert found.to_index == ()
    assert [(aside.state, aside.reason) for aside in found.set_aside] == [("skipped", reason)]


def test_a_file_once_set_aside_is_unchanged_the_next_time() -> None:
    picture = file("a", mime_type="image/png")
    assert plan([picture], [known(picture, "skipped", reason="image")]) == CrawlPlan(unchanged=("a",))


def test_a_failed_file_waits_for_its_time() -> None:
    later = known(file("a"), "failed", next_try_at=NOW + timedelta(minutes=1))
    assert plan([file("a")], [later]) == CrawlPlan(unchanged=("a",))


def test_a_failed_file_is_retried_when_its_time_has_come() -> None:
    due = known(file("a"), "failed", next_try_at=NOW)
    assert plan([file("a")], [due]).retried == (file("a"),)


def test_a_broken_file_is_not_retried_until_its_content_changes() -> None:
    broken = known(file("a"), "failed", reason="corrupt")
    assert plan([file("a")], [broken]) == CrawlPlan(unchanged=("a",))
    assert plan([file("a", "r2")], [broken]).changed == (file("a", "r2"),)


def test_retries_come_after_everything_else() -> None:
    due = known(file("a"), "failed", next_try_at=NOW)
    assert [one.file_id for one in plan([file("a"), file("b")], [due]).to_index] == ["b", "a"]


def test_a_full_crawl_looks_at_settled_files_again() -> None:
    assert plan([file("a")], [known(file("a"))], look_again=True).changed == (file("a"),)


def test_retries_grow_rarer_and_end() -> None:
    waits = [next_try(attempts, NOW) for attempts in range(1, MAX_ATTEMPTS + 1)]
    assert waits[:-1] == [NOW + timedelta(minutes=minutes) for minutes in (1, 4, 16, 64)]
    assert waits[-1] is None


def test_every_listed_file_has_exactly_one_place_in_the_plan() -> None:
    listed = [file("new"), file("same"), file("edited", "r2"), file("picture", mime_type="image/png"), file("due")]
    before = [known(file("same")), known(file("edited")), known(file("due"), "failed", next_try_at=NOW)]
    found = plan(listed, before)
    placed = [one.file_id for one in found.to_index]
    placed += [aside.file.file_id for aside in found.set_aside] + list(found.unchanged)
    assert sorted(placed) == sorted(one.file_id for one in listed)


WAITING = known(file("a"), "pending", next_try_at=NOW + timedelta(hours=1))


@pytest.mark.parametrize("look_again", [False, True])
def test_a_file_that_waits_for_a_batch_is_left_alone(look_again: bool) -> None:
    assert plan([file("a")], [WAITING], look_again=look_again) == CrawlPlan(unchanged=("a",))


@pytest.mark.parametrize(
    ("listed", "waiting"),
    [
        (file("a", "r2"), WAITING),
        (file("a"), replace(WAITING, pipeline_version="parser-0")),
        (file("a"), replace(WAITING, next_try_at=NOW)),
        (file("a"), replace(WAITING, next_try_at=None)),
    ],
)
def test_it_waits_no_longer_when_it_changed_or_nobody_collected_the_answer(listed: FileRef, waiting: KnownFile) -> None:
    assert plan([listed], [waiting]).changed == (listed,)


@pytest.mark.parametrize(
    ("mime_type", "state", "reason"),
    [
        ("image/svg+xml", "skipped", "image"),
        ("video/x/y", "skipped", "video"),
        ("application/zip", "skipped", "archive"),
        ("application/vnd.google-apps.form", "skipped", "google-form"),
        ("application/vnd.google-apps.drive-sdk.123", "skipped", "google-drive-sdk"),
        (FOLDER_MIME_TYPE, "no_access", "folder-not-listed"),
    ],
)
def test_what_is_set_aside_says_which_file_it_is_and_why(mime_type: str, state: FileState, reason: str) -> None:
    listed = file("a", mime_type=mime_type)
    assert plan([listed], []).set_aside == (SetAside(listed, state, reason),)


@pytest.mark.parametrize("kind", ["document", "spreadsheet", "presentation"])
def test_documents_of_google_are_opened(kind: str) -> None:
    listed = file("a", mime_type=f"application/vnd.google-apps.{kind}")
    assert plan([listed], []).added == (listed,)


def test_a_file_set_aside_is_set_aside_again_when_its_time_has_come() -> None:
    listed = file("a", mime_type=FOLDER_MIME_TYPE)
    due, early = NOW, NOW + timedelta(seconds=1)
    assert plan([listed], [known(listed, "no_access", next_try_at=due)]).set_aside
    assert plan([listed], [known(listed, "no_access", next_try_at=early)]).unchanged == ("a",)


def test_settled_files_are_left_alone_unless_somebody_asks() -> None:
    listing = Listing({"a": file("a")}, roots=(ROOT,))
    assert plan_crawl(listing, {"a": known(file("a"))}, VERSION, NOW).unchanged == ("a",)


@pytest.mark.parametrize(
    ("state", "due"),
    [
        ("failed", True),
        ("no_access", True),
        ("indexed", True),
        ("skipped", False),
        ("pending", False),
        ("out_of_scope", False),
    ],
)
def test_only_states_that_another_try_can_change_come_due(state: FileState, due: bool) -> None:
    assert is_due(known(file("a"), state, next_try_at=NOW), NOW) is due
    assert not is_due(known(file("a"), state, next_try_at=NOW + timedelta(seconds=1)), NOW)
    assert not is_due(known(file("a"), state), NOW)


@pytest.mark.parametrize("state", ["failed", "no_access"])
def test_what_could_not_be_read_is_retried_and_nothing_else_is(state: FileState) -> None:
    before = known(file("a"), state, next_try_at=NOW)
    assert plan([file("a")], [before]).retried == (file("a"),)
    assert plan([file("a", "r2")], [before]).changed == (file("a", "r2"),)


def test_a_file_that_comes_back_is_worked_on() -> None:
    assert plan([file("a")], [known(file("a"), "out_of_scope")]).changed == (file("a"),)


def test_a_file_that_waits_for_a_batch_is_settled_by_its_revision_and_pipeline() -> None:
    waiting = known(file("a"), "pending", next_try_at=NOW + timedelta(hours=1))
    assert is_settled(waiting, file("a"), VERSION, NOW)
    assert not is_settled(waiting, file("a"), "parser-2", NOW)
    assert not is_settled(waiting, file("a", "r2"), VERSION, NOW)


def test_the_outcome_of_a_listing_is_told_root_by_root() -> None:
    listing = Listing(
        {"a": file("a"), "b": file("b"), "c": file("c", root="other")},
        roots=(ROOT, OTHER, SourceRoot("third", "third", "local_folder")),
        unlisted=(
            UnlistedFolder("root", "社内/人事", "no access"),
            UnlistedFolder("other", "", "gone"),
            UnlistedFolder("other", "深い", "no access"),
        ),
    )
    assert listing.outcome() == [
        ListedRoot(ROOT, 2, ("社内/人事",), ""),
        ListedRoot(OTHER, 1, ("深い",), "gone"),
        ListedRoot(SourceRoot("third", "third", "local_folder"), 0, (), ""),
    ]
    assert replace(listing, problem="broken off").outcome() == []
