"""The store of meetings and contributions, in a schema of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from locator_search.adapters.postgres import Database, migrate
from locator_search.adapters.postgres.contributions.store import PostgresContributionStore
from locator_search.model import Block, Document, TrackedChange
from locator_search.ports import Contribution, ContributionFile, Meeting, NormalisedDocument

AT = datetime(2025, 8, 20, 9, 0, tzinfo=UTC)
MEETING = Meeting("SA1#111", "SA1", "tsg_sa/TSGS1_111_Goteborg", "TSGS1_111_Goteborg", AT)
FIRST = Contribution("SA1#111/S1-254001", "SA1#111", "S1-254001", title="議題", details={"Release": "Rel-20"})
REVISED = Contribution("SA1#111/S1-254001r01", "SA1#111", "S1-254001r01", revision_of="S1-254001")
FILES = [
    ContributionFile("tsg_sa/Docs/S1-254001.zip", FIRST.contribution_id, 10, AT),
    ContributionFile("tsg_sa/Docs/S1-254001.docx", FIRST.contribution_id, 11, AT),
    ContributionFile("tsg_sa/Docs/S1-254001r01.zip", REVISED.contribution_id, None, None),
]


@pytest.fixture
def store(database_url: str) -> Iterator[PostgresContributionStore]:
    with Database(database_url, "contributions") as database:
        migrate(database)
        yield PostgresContributionStore(database)


def test_revisions_and_suffixes_of_one_number_are_kept_apart(store: PostgresContributionStore) -> None:
    changed = store.record_meeting(MEETING, [FIRST, REVISED], FILES)
    assert changed == [FIRST.contribution_id, REVISED.contribution_id]
    assert store.meetings() == [MEETING]
    assert [known.contribution for known in store.contributions("SA1#111")] == [FIRST, REVISED]
    assert store.files(FIRST.contribution_id) == [FILES[1], FILES[0]]
    assert store.contributions(contribution_ids=[REVISED.contribution_id])[0].contribution.revision_of == "S1-254001"


def test_only_what_changed_in_the_archive_is_worked_on_again(store: PostgresContributionStore) -> None:
    store.record_meeting(MEETING, [FIRST, REVISED], FILES)
    store.record_body(replace(FILES[0], stored_as="original/a.zip", sha256="ab"))
    store.set_state(FIRST.contribution_id, "indexed", pipeline_version="1", chunk_count=4)
    store.set_state(REVISED.contribution_id, "indexed", pipeline_version="1", chunk_count=2)
    assert store.record_meeting(MEETING, [FIRST, REVISED], FILES) == []
    assert store.files(FIRST.contribution_id)[1].stored_as == "original/a.zip"

    newer = [replace(FILES[0], size=12), *FILES[1:]]
    assert store.record_meeting(MEETING, [FIRST, REVISED], newer) == [FIRST.contribution_id]
    first, revised = store.contributions()
    assert (first.state, revised.state) == ("listed", "indexed")
    assert store.files(FIRST.contribution_id)[1].stored_as is None  # its body is of another time


def test_what_the_meeting_says_of_a_contribution_reaches_the_index_again(store: PostgresContributionStore) -> None:
    store.record_meeting(MEETING, [FIRST], [])
    assert store.record_meeting(MEETING, [replace(FIRST, status="agreed")], []) == [FIRST.contribution_id]


def test_failures_are_counted_until_something_works(store: PostgresContributionStore) -> None:
    store.record_meeting(MEETING, [FIRST], [])
    store.set_state(FIRST.contribution_id, "failed", reason="no answer\0")
    store.set_state(FIRST.contribution_id, "failed", reason="no answer")
    (known,) = store.contributions()
    assert (known.state, known.reason, known.attempts) == ("failed", "no answer", 2)
    store.set_state(FIRST.contribution_id, "archived")
    assert store.contributions()[0].attempts == 0


def test_a_document_comes_back_as_it_was_with_its_tracked_changes(store: PostgresContributionStore) -> None:
    store.record_meeting(MEETING, [FIRST], FILES[:1])
    change = TrackedChange("delete", "shall", 7, "Editor", "2025-08-01T00:00:00Z")
    document = NormalisedDocument(
        document_id=f"{FIRST.contribution_id}/S1-254001.zip!S1-254001.docx",
        contribution_id=FIRST.contribution_id,
        meeting_id="SA1#111",
        contribution_number="S1-254001",
        source_file="S1-254001.zip!S1-254001.docx",
        document=Document((Block("paragraph", "The UE may register.", page=2, changes=(change,)),), "docx", 3),
        content_hash="ab",
        pages="word_marks",
        stored_as="normalized/ab.docx",
        normaliser_version="1",
        cover={"specification": "22.261", "reason_for_change": "理由\nと背景"},
    )
    other = replace(
        document, cover={}, document_id=f"{FIRST.contribution_id}/b.docx", source_file="b.docx", state="encrypted"
    )
    assert store.replace_documents(FIRST.contribution_id, [document, other]) == []
    assert store.documents(FIRST.contribution_id) == [document, other]
    assert store.document(document.document_id) == document
    assert [known.cover for known in store.contributions("SA1#111")] == [document.cover]
    assert document.file_name == "S1-254001.docx"
    assert store.replace_documents(FIRST.contribution_id, [document]) == [other.document_id]
    assert store.document(other.document_id) is None
