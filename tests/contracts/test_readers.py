"""A file that a person may not read is not found, counted, suggested or hinted at, in whatever way it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from locator_search.adapters.postgres import (
    Database,
    PostgresDocumentReader,
    PostgresFileRegistry,
    PostgresIndexStore,
    PostgresStatusReader,
)
from locator_search.adapters.postgres.history.own_searches import PostgresOwnSearchStore
from locator_search.adapters.postgres.search.unread_search import PostgresUnreadReader
from locator_search.core.errors import AccessDenied
from locator_search.core.reader import Reader, principal, reading_as, until
from locator_search.drive_search.asked_questions import AskedQuestions
from locator_search.drive_search.suggestions import Suggestions
from locator_search.model import Evidence, FileRef, Matching, Placement, RetrievalQuery, SearchFilters
from locator_search.retrieval.readable import ReadableAlone
from tests.builders.asked import asked_by
from tests.builders.index import NOON, file_ref, index_entry, unit_vector
from tests.fakes.clock import HeldClock
from tests.fakes.search_parts import NoSearches

WORDS = {
    "own": "すいか",
    "group": "ぶどう",
    "domain": "みかん",
    "link": "れもん",
    "nobody": "かりん",
    "for now": "ざくろ",
    "no more": "くるみ",
}
"""A word that stands in one file alone, for each way of access."""
READERS = {
    "own": ("user:aki@example.com",),
    "group": ("group:hr@example.com",),
    "domain": ("domain:example.com",),
    "link": ("anyone",),
    "nobody": (),
    "for now": (until("user:aki@example.com", datetime.now(UTC) + timedelta(days=1)),),
    "no more": (
        until("group:people@example.com", datetime.now(UTC) - timedelta(seconds=1)),
        until("user:aki@example.com", datetime.now(UTC) - timedelta(seconds=1)),
        "user:boss@example.com",
    ),
}
GROUPS = {"hr@example.com": {"people@example.com"}, "people@example.com": {"hana@example.com"}}
PEOPLE = {
    "aki@example.com": ("own", "domain", "link", "for now"),
    "hana@example.com": ("group", "domain", "link"),
    "out@other.org": ("link",),
}


@dataclass(frozen=True)
class Shelf:
    """The parts that a person is answered by."""

    index: PostgresIndexStore
    unread: PostgresUnreadReader
    documents: PostgresDocumentReader
    status: PostgresStatusReader
    asked: AskedQuestions

    def retrieve(self, words: str, **options: Any) -> Any:
        asked = RetrievalQuery(words, **{"threshold": 0.3, "mode": "keyword", **options})
        vector = None if asked.mode == "keyword" else unit_vector(words)
        return self.index.retrieve(asked, vector)

    def shown(self, words: str, **options: Any) -> set[str]:
        return {item.file_id for item in self.retrieve(words, **options).evidence}


@pytest.fixture
def shelf(database: Database) -> Iterator[Shelf]:
    registry, index = PostgresFileRegistry(database), PostgresIndexStore(database)
    files = [
        replace(
            file_ref(f"file-{way}", f"{WORDS[way]}.txt"),
            readers=READERS[way],
            last_editor=f"{WORDS[way]}係",
            drive=f"{WORDS[way]}部",
        )
        for way in WORDS
    ]
    closed = [replace(file_ref(f"closed-{way}", f"{WORDS[way]}台帳.pdf"), readers=READERS[way]) for way in WORDS]
    registry.record_listing([*files, *closed], NOON)
    for file in closed:
        registry.set_state(file.file_id, "failed", reason="corrupt", revision=file.revision)
    entries = [
        index_entry(
            file,
            (f"{word}の報告書",),
            embedding=unit_vector(word),
            chunk_embeddings=[unit_vector(word)],
            keywords=(word,),
        )
        for file, word in zip(files, WORDS.values(), strict=True)
    ]
    index.replace_many(entries, "1")
    for way, word in WORDS.items():
        asked_by(database.url, f"{word}の件", ("one", "two", "three"), f"file-{way}")
    with Database(database.url, for_readers=True) as trimmed:
        yield Shelf(
            PostgresIndexStore(trimmed),
            PostgresUnreadReader(trimmed),
            PostgresDocumentReader(trimmed),
            PostgresStatusReader(trimmed),
            AskedQuestions(PostgresOwnSearchStore(trimmed), shared=True),
        )


class Confirming:
    """Stands in for the source: everything is there, but what it could not be asked about."""

    def check(self, evidence: Any, *, names_alone: bool = False) -> list[Evidence]:
        return [replace(item, verified=None if item.file_id == "late" else True) for item in evidence]


def first(word: str) -> Matching:
    return Matching(placements=(Placement("報告書", f"{word}.txt", first=True),))


def suggests(shelf: Shelf, word: str) -> bool:
    values = [value.value for facet in shelf.status.facets() for value in facet.values]
    return word in values


SURFACES: dict[str, Callable[[Shelf, str, str], bool]] = {
    "words": lambda shelf, way, word: f"file-{way}" in shelf.shown(word),
    "vectors": lambda shelf, way, word: f"file-{way}" in shelf.shown(word, mode="vector", threshold=0.9),
    "hybrid": lambda shelf, way, word: f"file-{way}" in shelf.shown(word, mode="hybrid"),
    "placed first": lambda shelf, way, word: f"file-{way}" in shelf.shown("報告書", limit=1, matching=first(word)),
    "ranking": lambda shelf, way, word: f"file-{way}" in shelf.shown(word, threshold=0.0, with_facets=False),
    "chunks": lambda shelf, way, word: (
        f"file-{way}" in shelf.shown(word, unit="chunk", threshold=0.0, with_facets=False, mode="hybrid")
    ),
    "count": lambda shelf, way, word: shelf.retrieve(word, threshold=0.6).hit_count > 0,
    "count by both": lambda shelf, way, word: shelf.retrieve(word, mode="hybrid", threshold=0.6).hit_count > 0,
    "facets by both": lambda shelf, way, word: any(
        value.value == word for facet in shelf.retrieve("報告書", mode="hybrid").facets for value in facet.values
    ),
    "name": lambda shelf, way, word: f"file-{way}" in shelf.shown(f"{word}.txt"),
    "quotation": lambda shelf, way, word: f"file-{way}" in shelf.shown(f"「{word}の報告書」"),
    "facets of hits": lambda shelf, way, word: any(
        value.value == word for facet in shelf.retrieve(word).facets for value in facet.values
    ),
    "last editors": lambda shelf, way, word: suggests(shelf, f"{word}係"),
    "drives": lambda shelf, way, word: suggests(shelf, f"{word}部"),
    "last editors of hits": lambda shelf, way, word: (
        f"{word}係" in {one.value for facet in shelf.retrieve(word).facets for one in facet.values}
    ),
    "files of an editor": lambda shelf, way, word: (
        shelf.shown("報告書", threshold=0.0, filters=SearchFilters(editors=(f"{word}係",))) == {f"file-{way}"}
    ),
    "files of a drive": lambda shelf, way, word: (
        shelf.shown("報告書", threshold=0.0, filters=SearchFilters(drives=(f"{word}部",))) == {f"file-{way}"}
    ),
    "facets of all": lambda shelf, way, word: suggests(shelf, word),
    "unread": lambda shelf, way, word: any(
        one.file.file_id == f"closed-{way}"
        for one in shelf.unread.matching(RetrievalQuery(f"{word}台帳.pdf", with_facets=False), 5)
    ),
    "failed": lambda shelf, way, word: any(
        one.file.file_id == f"closed-{way}" for one in shelf.status.files_in(["failed"])
    ),
    "story": lambda shelf, way, word: bool(shelf.status.stories(f"{word}台帳")),
    "preview": lambda shelf, way, word: shelf.documents.part(f"file-{way}", 1, 1000) is not None,
    "whole name": lambda shelf, way, word: shelf.documents.named(f"{word}.txt", 5) == [f"file-{way}"],
    "suggestions": lambda shelf, way, word: (
        {f"{word}.txt", f"{word}台帳.pdf"}
        == {*Suggestions(shelf.documents, NoSearches(), HeldClock()).for_typed(word[:2], "")}
    ),
    "popular questions": lambda shelf, way, word: f"{word}の件" in shelf.asked.popular("me", 9),
    "related questions": lambda shelf, way, word: (
        shelf.asked.related("me", f"{word}を探す", [f"file-{way}"], 9) == [f"{word}の件"]
    ),
    "embedding": lambda shelf, way, word: shelf.documents.embedding(f"file-{way}") is not None,
    "original": lambda shelf, way, word: f"closed-{way}" in shelf.documents.readable([f"closed-{way}"]),
}


@pytest.mark.parametrize("surface", list(SURFACES))
@pytest.mark.parametrize("person", list(PEOPLE))
def test_a_person_is_shown_what_this_person_may_read(shelf: Shelf, person: str, surface: str) -> None:
    with reading_as(Reader.of(person, GROUPS)):
        shown = {way: SURFACES[surface](shelf, way, word) for way, word in WORDS.items()}
    assert shown == {way: way in PEOPLE[person] for way in WORDS}


@pytest.mark.parametrize("person", list(PEOPLE))
@pytest.mark.parametrize("words", ["報告書", *WORDS.values()])
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.9])
def test_a_list_of_files_that_is_made_late_changes_nothing(
    shelf: Shelf, person: str, words: str, threshold: float
) -> None:
    """With a filter that all pass, the files of a reader are listed before vectors are compared, and each by itself."""
    all_pass = SearchFilters(modified_before=NOON + timedelta(days=36_500))
    with reading_as(Reader.of(person, GROUPS)):
        late, early = (
            shelf.retrieve(words, mode="hybrid", threshold=threshold, filters=filters)
            for filters in (SearchFilters(), all_pass)
        )
    assert late == early


@pytest.mark.parametrize("surface", list(SURFACES))
def test_nothing_is_shown_to_nobody(shelf: Shelf, surface: str) -> None:
    with pytest.raises(AccessDenied, match="not known who asks"):
        SURFACES[surface](shelf, "link", WORDS["link"])


@pytest.mark.parametrize("person", list(PEOPLE))
def test_files_are_counted_for_their_readers_alone(shelf: Shelf, person: str) -> None:
    with reading_as(Reader.of(person, GROUPS)):
        coverage = shelf.unread.coverage()
    assert (coverage.listed, coverage.searchable) == (2 * len(PEOPLE[person]), len(PEOPLE[person]))


def test_a_word_of_a_hidden_file_is_as_absent_as_one_that_stands_nowhere(shelf: Shelf, database: Database) -> None:
    hidden = replace(file_ref("hidden", "極秘.txt"), readers=("user:boss@example.com",))
    PostgresFileRegistry(database).record_listing([hidden], NOON)
    PostgresIndexStore(database).replace(index_entry(hidden, ("Zanzibar の買収",)), "1")
    with reading_as(Reader.of("out@other.org", {})):
        known, unknown = shelf.retrieve("Zanzibar の報告"), shelf.retrieve("Xanadoru の報告")
        assert (known.absent, unknown.absent) == (("Zanzibar",), ("Xanadoru",))
        assert shelf.retrieve("Zanzibaar の報告").respelled == ()
    with reading_as(Reader.of("boss@example.com", {})):
        assert shelf.retrieve("Zanzibar の報告").absent == ()


def test_a_readable_copy_stands_for_a_hidden_original(shelf: Shelf, database: Database) -> None:
    original = replace(file_ref("original", "契約.txt", folder_path="役員"), readers=("user:boss@example.com",))
    copy = replace(file_ref("copy", "契約.txt", folder_path="公開"), readers=("anyone",))
    PostgresFileRegistry(database).record_listing([original, copy], NOON)
    PostgresIndexStore(database).replace_many(
        [index_entry(file, ("どりあんの契約",), text_key="same") for file in (original, copy)], "1"
    )
    with reading_as(Reader.of("out@other.org", {})):
        found = shelf.retrieve("どりあんの契約", unit="document")
    assert ([item.file_id for item in found.evidence], found.hit_count) == (["copy"], 1)
    assert {value.value for facet in found.facets if facet.name == "folder" for value in facet.values} == {"公開"}


def test_a_file_that_only_others_may_read_is_no_reason_for_another_result(shelf: Shelf, database: Database) -> None:
    searches = PostgresOwnSearchStore(shelf.index._database)
    with reading_as(Reader.of("out@other.org", {})):
        before = searches.index_now()
    hidden = replace(file_ref("hidden", "極秘.txt"), readers=("user:boss@example.com",))
    PostgresFileRegistry(database).record_listing([hidden], NOON)
    PostgresIndexStore(database).replace(index_entry(hidden, ("極秘の報告書",)), "1")
    with reading_as(Reader.of("out@other.org", {})):
        assert searches.index_now() == before
    with reading_as(Reader.of("boss@example.com", {})):
        assert searches.index_now()[1:] > before[1:]


def test_other_readers_count_from_the_next_listing_on_and_nothing_is_indexed_again(
    shelf: Shelf, database: Database
) -> None:
    registry = PostgresFileRegistry(database)
    file: FileRef = registry.known(["file-own"])["file-own"].file
    assert file.readers == READERS["own"]
    registry.record_listing([replace(file, readers=("user:hana@example.com",))], NOON)
    with reading_as(Reader.of("aki@example.com", GROUPS)):
        assert not SURFACES["words"](shelf, "own", WORDS["own"])
    with reading_as(Reader.of("hana@example.com", GROUPS)):
        assert SURFACES["words"](shelf, "own", WORDS["own"])
    assert registry.known(["file-own"])["file-own"].state == "indexed"


def test_whoever_may_read_every_file_is_shown_none_that_is_taken_away(shelf: Shelf, database: Database) -> None:
    listed = [replace(file_ref(f"file-{way}", f"{WORDS[way]}.txt"), readers=("anyone",)) for way in WORDS]
    registry = PostgresFileRegistry(database)
    everything = {file.file_id for file in listed}
    with reading_as(Reader.of("out@other.org", {})):
        registry.record_listing(listed, NOON)
        whole = shelf.retrieve("報告書", threshold=0.0)
        assert {item.file_id for item in whole.evidence} == everything
        assert whole == PostgresIndexStore(database).retrieve(
            RetrievalQuery("報告書", threshold=0.0, mode="keyword"), None
        ), "as nobody's search is trimmed"
        registry.record_listing([replace(listed[0], readers=())], NOON)
        assert shelf.shown("報告書", threshold=0.0) == everything - {"file-own"}
        assert shelf.retrieve(WORDS["own"], threshold=0.6).hit_count == 0


def test_what_the_source_does_not_confirm_is_not_shown(shelf: Shelf) -> None:
    with reading_as(Reader.of("aki@example.com", GROUPS)):
        found = list(shelf.retrieve(WORDS["own"]).evidence)
        late = replace(found[0], file_id="late")
        foreign = replace(found[0], file_id="file-group")
        checked = ReadableAlone(Confirming(), shelf.documents.readable).check([*found, late, foreign])
    assert [item.file_id for item in checked] == ["file-own"]


def test_figures_about_all_files_are_for_administrators_who_read_no_more_than_others(shelf: Shelf) -> None:
    with reading_as(Reader.of("out@other.org", {})), pytest.raises(AccessDenied, match="administrators"):
        shelf.status.status()
    with reading_as(Reader.of("out@other.org", {})), pytest.raises(AccessDenied, match="administrators"):
        shelf.status.runs()
    with reading_as(Reader.of("out@other.org", {})), pytest.raises(AccessDenied, match="administrators"):
        shelf.status.progress()
    with reading_as(Reader.of("out@other.org", {}, administers=True)):
        assert shelf.status.status().coverage.listed == 2 * len(WORDS)
        assert not SURFACES["words"](shelf, "own", WORDS["own"])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("A.Sato@Example.com", "user:a.sato@example.com"),
        ("group:hr@example.com", "group:hr@example.com"),
        ("@example.com", "domain:example.com"),
        ("domain:example.com", "domain:example.com"),
        ("Anyone", "anyone"),
    ],
)
def test_a_reader_is_written_as_people_write_it(written: str, meant: str) -> None:
    assert principal(written) == meant


@pytest.mark.parametrize("written", ["", "everybody", "group:", "domain:a@b", "role:a@b"])
def test_what_names_no_reader_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is no reader"):
        principal(written)


@pytest.mark.parametrize("mail", ["", "aki", "@example.com", "aki@", "a@b@c"])
def test_somebody_without_a_mail_address_is_shown_nothing(mail: str) -> None:
    with pytest.raises(AccessDenied):
        Reader.of(mail, {})
