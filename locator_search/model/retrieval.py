"""Queries to the index, and the evidence it answers with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from locator_search.model.files import Period
from locator_search.model.texts import SummaryState, TextState, TrackedChange

RetrievalMode = Literal["hybrid", "vector", "keyword"]

Fusion = Literal["scores", "ranks"]
"""How the rankings by words and by vectors become one: their scores are added up, or the reciprocals of their ranks."""

Unit = Literal["document", "file", "chunk"]
"""The unit of a search: documents, that is files with their copies and versions beside them; files, each with its best
chunk; or single chunks."""

GroupKind = Literal["copy", "near_copy", "version"]
"""How two files are the same document: the same bytes, nearly the same text, or an earlier or later state of it."""

PeriodBy = Literal["stated", "dated", "any"]
"""The files that are of a period: `stated`, those whose own period overlaps it and is not much longer; `dated`, also
those that state none and were changed in it; `any`, also those of a period that overlaps it and
is longer, up to a month for a day."""

FacetName = Literal["folder", "name", "period", "type", "keyword", "owner", "editor", "drive"]
"""`name`: a part of the file name, as separators part it: a kind of document, a customer, a project."""


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Limits on which files may be found. Empty means no limit; several values of one kind are alternatives.

    `modified_after` is inclusive, `modified_before` exclusive; both look at the modification time alone. `period`
    accepts files by what they state of their own period (in name, text or folder) before their modification time,
    because 「令和6年9月の議事録」 means the month of the minutes, not of the last edit; `period_by` says how strictly.
    `folders` are prefixes of `FileRef.folder_path`, `editors` people who edited a file last. `keywords` must all be
    among the file's keywords, `names` among the parts of its name. What passes one of `but_not` does not pass.

    The last four are for contributions: `meetings` (SA1#111) and `contribution_numbers` (S1-254001r01) as they are
    written, `clauses` with everything below them (5.2 accepts 5.2.1), `changed` only what holds tracked changes.
    """

    modified_after: datetime | None = None
    modified_before: datetime | None = None
    period: Period | None = None
    period_by: PeriodBy = "any"
    mime_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    but_not: tuple[SearchFilters, ...] = ()
    file_ids: tuple[str, ...] = ()
    meetings: tuple[str, ...] = ()
    contribution_numbers: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One retrieved chunk of one file, shown and cited. The one result type of every system.

    `similarity` in [0, 1] is calibrated; `similarity_source` says whether by vectors or words. `cosine` is the raw
    value of the embedding model (-1 to 1; None in keyword mode). `score` is the sort key, higher is better, but for
    files that the owner's dictionary puts first or last. `highlights` are (start, end) offsets into `snippet`.
    `verified` is True when the source confirmed the file at query time, None when it could not be asked; `freshness`
    says it in one word: verified, changed, not_verified. `checked_at` is when the source confirmed it, `indexed_at`
    when the text that was searched was put into the index; both None where that is not known.
    `group` holds the other versions and copies of the same document that were found, which take no place of their own.
    `text_state` says that the text of the file is not all there, or looks garbled; `summary_state`, that the summary is
    an extract that stands in for what the model did not write. `document_date` is the day, month or year that the file
    states of itself (in name, title or folder), in ISO form; "" where it states none.

    Of a contribution, `contribution_number`, `meeting` and `source_file` say where the document comes from; `changes`
    are the tracked changes of the chunk, with offsets into `text`; an estimated page is that of some layout of the
    document, or of one of several places where the chunk may stand.
    """

    file_id: str
    file_name: str
    summary: str
    link: str
    mime_type: str
    modified_at: datetime
    similarity: float
    score: float
    cosine: float | None = None
    similarity_source: Literal["vector", "keyword"] = "vector"
    text: str = ""
    snippet: str = ""
    highlights: tuple[tuple[int, int], ...] = ()
    chunk_id: str | None = None
    heading_path: tuple[str, ...] = ()
    page_number: int | None = None
    clause_number: str | None = None
    keywords: tuple[str, ...] = ()
    folder_path: str = ""
    location: str = ""
    revision: str = ""
    size: int | None = None
    owner: str | None = None
    source: str = ""
    verified: bool | None = None
    freshness: Literal["verified", "changed", "not_verified"] = "not_verified"
    explain: Mapping[str, object] = field(default_factory=dict)
    group: tuple[GroupMember, ...] = ()
    contribution_number: str | None = None
    meeting: str | None = None
    source_file: str = ""
    page_is_estimated: bool = False
    changes: tuple[TrackedChange, ...] = ()
    text_state: TextState = "ok"
    summary_state: SummaryState = "ok"
    document_date: str = ""
    indexed_at: datetime | None = None
    checked_at: datetime | None = None

    @property
    def document_id(self) -> str:
        """The document it is cited from: that of the file."""
        return self.file_id


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A file folded under another one. `overlap` in [0, 1]: how much of the shorter text the longer one holds."""

    evidence: Evidence
    kind: GroupKind
    overlap: float


@dataclass(frozen=True, slots=True)
class FacetValue:
    """How many of the hits have one value. `value` is what the filter takes, `label` what a person reads."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """One way to split the hits: its values with exact counts, largest first. Files without a value are not counted."""

    name: FacetName
    values: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """Files that come `first`, else last, where a question says the phrase. `place` is the end of their paths, or ends
    in a slash and is a folder they lie in. Both as texts are compared."""

    phrase: str
    place: str
    first: bool

    def holds(self, path: str) -> bool:
        """Whether it speaks of the file with that path (as texts are compared, without a leading slash)."""
        within = f"/{path}"
        return f"/{self.place}" in within if self.place.endswith("/") else within.endswith(f"/{self.place}")


@dataclass(frozen=True, slots=True)
class Matching:
    """How a question is matched: rules switched off (names of `text.variants.rules.RULES`), and what the owner's
    dictionary says: groups of words that mean the same, words that are ignored, files that come first or last."""

    off: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, ...], ...] = ()
    ignored: tuple[str, ...] = ()
    placements: tuple[Placement, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """A part of a question, as `written`, that is also found as `others`, by one matching rule.

    `terms`: keyword terms that count as its own, one tuple for each other way to write it; empty where texts and
    questions are compared in one form anyway.
    """

    rule: str
    written: str
    others: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievalQuery:
    """A query to the index: its text, extra keywords, filters and the threshold that makes a file a hit.

    At a threshold of 0 whatever is found is a hit. Facets cost time and may be left out. Snippets mark the words of
    `also_marked`, too: those of a question that became filters. `fusion` None is that of the index. Whatever the unit,
    counts are those of documents; with the unit `document` the limit is, too. Chunks are ranked and not counted: the
    unit `chunk` has neither threshold nor facets.
    """

    query: str
    keywords: tuple[str, ...] = ()
    filters: SearchFilters = SearchFilters()
    threshold: float = 0.70
    limit: int = 80
    mode: RetrievalMode = "hybrid"
    with_facets: bool = True
    matching: Matching = Matching()
    also_marked: str = ""
    fusion: Fusion | None = None
    unit: Unit = "file"

    def __post_init__(self) -> None:
        if self.unit == "chunk" and (self.threshold > 0 or self.with_facets):
            raise ValueError("Chunks are not counted: they have neither threshold nor facets.")


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The answer to a `RetrievalQuery`.

    `evidence`: best chunk per file (or every chunk), best first, at most `limit` (or the files of so many documents),
    all hits. `hit_count` is the exact number of documents among the hits and knows no limit. `top_similarity` is the
    highest among the hits (None when there are none). `facets` count the documents of all hits. `variants` are the
    other ways to write parts of the question that counted as well. `telling` is how much of the question each of its
    terms makes up (all parts sum to 1), where words were asked. `absent` are names, foreign words and numbers of the
    question that no file holds. `respelled` are words as they are written in the question, each with one of the index
    that it may be a slip of; nothing was searched for these. `hits` are the ids of all files of the hits, where they
    are counted.
    """

    evidence: tuple[Evidence, ...]
    hit_count: int
    top_similarity: float | None
    facets: tuple[Facet, ...] = ()
    variants: tuple[Variant, ...] = ()
    telling: Mapping[str, float] = field(default_factory=dict, compare=False)
    absent: tuple[str, ...] = ()
    respelled: tuple[tuple[str, str], ...] = ()
    hits: tuple[str, ...] = field(default=(), repr=False, compare=False)
