"""The nouns of the product, as frozen dataclasses. Pure: no I/O, no clock.

Times are timezone-aware (UTC in storage). Similarities are calibrated to [0, 1]; a cosine is the raw value of the
embedding model. Names are those of `docs/glossary.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from locator_search.errors import ServiceFailureReason
from locator_search.metering import NOTHING_USED, Usage
from locator_search.service_faults import ServiceFault

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Vector = NDArray[float32]

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

FOLDER_MIME_TYPE = "inode/directory"
"""The type of a listed entry that stands for a folder whose files could not be listed."""

FileState = Literal["pending", "indexed", "skipped", "failed", "out_of_scope", "no_access"]
"""What became of a listed file. `pending`: listed, and not yet looked at in any revision."""

ExtractionState = Literal[
    "ok", "partial", "suspicious", "empty", "encrypted", "unsupported", "corrupt", "too-large", "timeout", "killed"
]
"""`suspicious`: what there is of text looks garbled (a wrong character map); what was garbled through and through is
left out, so there may be none."""

TextState = Literal["ok", "partial", "suspicious"]
"""How well what is indexed was read."""
TEXT_STATE = "text_state"
"""Under this name the metadata of a file say so, where it is not `ok`."""

BlockKind = Literal["heading", "paragraph", "table", "caption", "note"]
Branch = Literal["relax", "show", "rerank", "refine", "narrow"]
OutcomeKind = Literal["found", "not_found", "too_many", "needs_answer"]
RetrievalMode = Literal["hybrid", "vector", "keyword"]
Fusion = Literal["scores", "ranks"]
"""How the rankings of both arms become one: their scores are added up, or the reciprocals of their ranks."""
GroupKind = Literal["copy", "near_copy", "version"]
"""How two files are the same document: the same bytes, nearly the same text, or an earlier or later state of it."""
FacetName = Literal["folder", "period", "type", "keyword", "owner"]


@dataclass(frozen=True, slots=True)
class FileRef:
    """Identity and metadata of one file at its source, without its content.

    `revision` is opaque and changes when the content, the name or the place may have changed; where it holds a `/`, the
    part before it changes with the content alone. `location` is what the source needs to read the file again (an
    absolute path for a local folder) and is never shown to other people. `folder_path` is readable, with `/` between
    names, and begins with the name of the crawled folder. `parent_ids` are the folders it lies in, where the source
    gives them ids.
    """

    file_id: str
    file_name: str
    source: str
    mime_type: str
    modified_at: datetime
    revision: str
    link: str
    folder_path: str = ""
    location: str = ""
    size: int | None = None
    owner: str | None = None
    parent_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrackedChange:
    """One change that Word recorded, at `offset` of the text it belongs to.

    An inserted text is part of that text and begins there; a deleted one is not, and stood there. Moved text is both.
    `author` and `changed_at` (ISO 8601) are as the file says, "" where it does not.
    """

    kind: Literal["insert", "delete"]
    text: str
    offset: int
    author: str = ""
    changed_at: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a document in reading order. `level` is 1-9 for headings, else 0. `page` counts from 1.

    `text` is as changed: with what was inserted and without what was deleted. A block of which everything was deleted
    has no text and says so in `changes`.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    changes: tuple[TrackedChange, ...] = ()

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Block:
        """A block out of what `dataclasses.astuple` and JSON made of one. Raises TypeError or ValueError."""
        kind, text, level, page, *rest = row
        return cls(kind, text, level, page, tuple(TrackedChange(*change) for change in (rest[0] if rest else ())))


@dataclass(frozen=True, slots=True)
class Document:
    """The text of one file. `page_count` is None where the format has no pages."""

    blocks: tuple[Block, ...]
    mime_type: str
    page_count: int | None = None

    @property
    def text(self) -> str:
        """All blocks, one per line; a form feed parts the pages."""
        lines: list[str] = []
        page = 1
        for block in self.blocks:
            if block.changes and not block.text:
                continue
            turned = (block.page or page) - page
            lines.append("\f" * turned + block.text)
            page = block.page or page
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor made of one file. `ok`, `partial` and mostly `suspicious` carry text that may be indexed."""

    state: ExtractionState
    document: Document
    reason: str = ""
    seconds: float = 0.0

    @property
    def readable(self) -> bool:
        """Whether there is text to index."""
        return self.state in ("ok", "partial") or (self.state == "suspicious" and bool(self.document.blocks))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of a document that is embedded, searched and cited.

    `start` and `end` are offsets into `Document.text`; `heading_path` goes from the outermost heading inwards. Offsets
    of `changes` are into `text`.
    """

    ordinal: int
    text: str
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    clause: str | None = None
    page: int | None = None
    changes: tuple[TrackedChange, ...] = ()


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What the model wrote about a file: a summary within the length asked for and one to five keywords."""

    summary: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Keyword terms of one text with their frequencies (at least 1), parallel and without repeats."""

    terms: tuple[str, ...]
    frequencies: tuple[int, ...]

    @property
    def length(self) -> int:
        """Number of term occurrences."""
        return sum(self.frequencies)


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk ready for the index: its keyword terms and its embedding (float32, unit length)."""

    chunk: Chunk
    terms: Terms
    embedding: Vector


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Everything the index keeps of one file; written in one transaction.

    `metadata` is what a program that fills the index of its own keeps beside a file, to filter and to find it again.
    """

    file: FileRef
    content_hash: str
    parser_version: str
    chunker_version: str
    summary: FileSummary
    embedding: Vector
    embedding_model: str
    chat_model: str
    chunks: tuple[IndexedChunk, ...]
    name_terms: Terms
    document_period: Period | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open span of days: `start` belongs to it, `end` does not. `label` is how a person would say it."""

    start: date
    end: date
    label: str = ""


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Limits on which files may be found. Empty means no limit; several values of one kind are alternatives.

    `modified_after` is inclusive, `modified_before` exclusive; both look at the modification time alone. `period`
    comes from the question and accepts a file whose own period (read from its name) overlaps it or whose
    modification time lies in it, because 「令和6年9月の議事録」 means the month of the minutes, not of the last edit.
    `folders` are prefixes of `FileRef.folder_path`. `keywords` must all be among the file's keywords.

    The last four are for contributions: `meetings` (SA1#111) and `contribution_numbers` (S1-254001r01) as they are
    written, `clauses` with everything below them (5.2 accepts 5.2.1), `changed` only what holds tracked changes.
    """

    modified_after: datetime | None = None
    modified_before: datetime | None = None
    period: Period | None = None
    mime_types: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    file_ids: tuple[str, ...] = ()
    meetings: tuple[str, ...] = ()
    contribution_numbers: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One retrieved chunk of one file, shown and cited. The one result type of every system.

    `similarity` in [0, 1] is calibrated; `similarity_source` says which arm it comes from. `cosine` is the raw value
    of the embedding model (-1 to 1; None in keyword mode). `score` is the sort key, higher is better. `highlights`
    are (start, end) offsets into `snippet`. `verified` is True when the source confirmed the file at query time,
    None when it could not be asked; `freshness` says it in one word: verified, changed, not_verified. `group` holds
    the other versions and copies of the same document that were found, which take no place of their own. `text_state`
    says that the text of the file is not all there, or looks garbled.

    Of a contribution, `contribution_number`, `meeting` and `source_file` say where the document comes from; `changes`
    are the tracked changes of the chunk, with offsets into `text`; an estimated page is that of some layout of the
    document, not of the file itself.
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
class Matching:
    """How a question is matched: rules switched off (names of `text.variants.rules.RULES`), and groups of words that
    mean the same."""

    off: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, ...], ...] = ()


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
    """What the index is asked: a query, extra keywords, filters and the threshold that makes a file a hit.

    At a threshold of 0 whatever is found is a hit. Facets cost time and may be left out. Snippets mark the words of
    `also_marked`, too: those of a question that became filters. `fusion` None is that of the index.
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


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The answer to a `RetrievalQuery`.

    `evidence`: best chunk per file, best first, at most `limit` files, all hits. `hit_count` is exact and knows no
    limit. `top_similarity` is the highest among the hits (None when there are none). `facets` count over all hits.
    `variants` are the other ways to write parts of the question that counted as well.
    """

    evidence: tuple[Evidence, ...]
    hit_count: int
    top_similarity: float | None
    facets: tuple[Facet, ...] = ()
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """One chunk that a search of one arm found. `metadata` is that of its file.

    `score`: the cosine (-1 to 1) or the BM25 score (above 0); higher is better. `matched_terms` are those of the text
    searched for that the chunk holds, without repeats; none where vectors were compared.
    """

    chunk_id: str
    file_id: str
    ordinal: int
    text: str
    metadata: Mapping[str, JsonValue]
    score: float
    matched_terms: tuple[str, ...] = ()
    page: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One button under a narrowing question: what it reads, how many hits remain, and the filter behind it."""

    label: str
    count: int
    facet: FacetName
    value: str


@dataclass(frozen=True, slots=True)
class Round:
    """One retrieval of a search and the branch it led to. `note` says in words what was changed for it."""

    round: int
    branch: Branch
    query: str
    keywords: tuple[str, ...]
    threshold: float
    hit_count: int
    top_similarity: float | None
    note: str = ""
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """How a search ended, with the whole decision path and what models took for it."""

    outcome: OutcomeKind
    message: str
    evidence: tuple[Evidence, ...] = ()
    rounds: tuple[Round, ...] = ()
    narrowing_question: str | None = None
    choices: tuple[Choice, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = NOTHING_USED


@dataclass(frozen=True, slots=True)
class CoverageCounts:
    """Listed files by state; the sums equal the listing."""

    listed: int
    by_state: Mapping[FileState, int]
    by_reason: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether every listed file is in exactly one state."""
        return sum(self.by_state.values()) == self.listed


@dataclass(frozen=True, slots=True)
class ServiceFailure:
    """Why a service, or one call of it, gave nothing: the sort of thing, and the thing itself, without secrets."""

    reason: ServiceFailureReason
    fault: ServiceFault


@dataclass(frozen=True, slots=True)
class ServiceSearch:
    """One kind of thing a service is searched for, e.g. file, message, issue, pull_request, code.

    `syntax` says how its queries are written, in the words of the live server where it has some. `understands_or` is
    whether alternatives may be joined with OR.
    """

    kind: str
    syntax: str
    understands_or: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """A live system behind an MCP server, as it stands now: it can be searched unless there is a `failure`.

    With `mock`, made-up data answer; `missing` names the settings for want of which they do (empty where they were
    asked for). `problems` is what of its configuration its server does not offer: those kinds are not among the
    `searches`, or have no bodies. `program` is what its server is started with, without arguments.
    """

    name: str
    label: str
    searches: tuple[ServiceSearch, ...]
    mock: bool = False
    missing: tuple[str, ...] = ()
    failure: ServiceFailure | None = None
    problems: tuple[ServiceFault, ...] = ()
    program: str = ""


@dataclass(frozen=True, slots=True)
class ServiceQuery:
    """What a service is asked for one kind of thing."""

    service: str
    kind: str
    query: str


@dataclass(frozen=True, slots=True)
class ServiceHit:
    """One thing a service found, from parsed fields of its answer only.

    `uri` is the link (http, https) or path a person opens. `fetch` is what the gateway needs to read the body.
    `modified` is when it was changed last, in ISO 8601, where the service says so.
    """

    service: str
    kind: str
    title: str
    snippet: str
    uri: str
    fetch: Mapping[str, Any] = field(default_factory=dict)
    modified: str = ""


@dataclass(frozen=True, slots=True)
class SearchReply:
    """What became of one query: hits in the order of the service, or a failure."""

    query: ServiceQuery
    hits: tuple[ServiceHit, ...] = ()
    failure: ServiceFailure | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FetchReply:
    """The body of one hit, empty where the service has none for its kind, or why it could not be read."""

    hit: ServiceHit
    text: str = ""
    failure: ServiceFailure | None = None
    seconds: float = 0.0
