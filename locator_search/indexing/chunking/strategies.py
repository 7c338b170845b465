"""Strategies that cut contributions into chunks. Another `version` means other chunks: everything is cut anew.

All three follow the headings: a chunk never reaches beyond its clause, so its clause number is right for all of it, and
no chunk has more than about MOST_TOKENS. What each adds:

    heading    the design's v1: cut at headings, then between paragraphs, sentences or rows
    overlap    the parts of one clause share some sentences, so that none is lost at a cut
    hierarchy  every chunk begins with the headings above it, and a clause with clauses below names them
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from locator_search.indexing.chunking.pieces import Piece, clause_of, pieces_of
from locator_search.model import Chunk, Document, TrackedChange
from locator_search.model.texts import DELETED
from locator_search.ports.contributions.chunking import ChunkingStrategy
from locator_search.ports.contributions.documents import NormalisedDocument
from locator_search.text.cutting import estimate_tokens, sentence_spans

MOST_TOKENS = 1000
OVERLAP_TOKENS = 150
MOST_CLAUSES_NAMED = 50

StrategyName = Literal["heading", "overlap", "hierarchy"]
Section = list[Piece]


@dataclass(frozen=True, slots=True)
class _Part:
    """The pieces of one chunk. `previous` is the part of the same section before it; `below` are the titles of the
    clauses directly below."""

    pieces: Section
    previous: Section
    below: tuple[str, ...]


class _ByHeading(ABC):
    """Common base of the strategies: sections by heading, parts of at most MOST_TOKENS, chunks with their changes."""

    joins_headings = True
    """Whether headings that follow each other without text between them begin one chunk."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Stored with every chunk."""

    def chunk(self, document: NormalisedDocument) -> list[Chunk]:
        """Chunks in reading order, with spans into `document.document.text`."""
        return self.cut(document.document)

    def cut(self, document: Document) -> list[Chunk]:
        """Chunks of a document, in reading order, with spans into its text."""
        text = document.text
        pieces = _with_notes_apart(list(pieces_of(document, text, MOST_TOKENS)))
        titles = _titles_below(pieces)
        sections = _sections(pieces, joins_headings=self.joins_headings)
        parts = (part for section in sections for part in _parts_of(section, titles))
        return [replace(self.written(part, text), ordinal=ordinal) for ordinal, part in enumerate(parts)]

    @abstractmethod
    def written(self, part: _Part, text: str) -> Chunk:
        """One chunk of a document whose text is `text`."""


class HeadingBasedChunking(_ByHeading):
    """The first strategy of the design."""

    version = "heading-based-v1"

    def written(self, part: _Part, text: str) -> Chunk:
        """The part as it is."""
        return _chunk(part.pieces, text)


class OverlapChunking(_ByHeading):
    """A later part of a clause begins with the last sentences of the part before it."""

    version = "overlap-v1"

    def written(self, part: _Part, text: str) -> Chunk:
        """The part with what it shares with the one before it."""
        start, page = part.pieces[0].start, part.pieces[0].page
        begin = part.previous[0].start if part.previous else start
        for first, _ in reversed(sentence_spans(text[begin:start])):
            if estimate_tokens(text[begin + first : part.pieces[0].start]) > OVERLAP_TOKENS:
                break
            start = begin + first
        chunk = _chunk(part.pieces, text, start=start)
        other = any(piece.end > start and piece.page != page for piece in part.previous)
        return replace(chunk, page_is_estimated=True) if other else chunk


class HierarchyChunking(_ByHeading):
    """A chunk says where in the document it stands, and what stands below it."""

    version = "hierarchy-v1"
    joins_headings = False

    def written(self, part: _Part, text: str) -> Chunk:
        """The part between the headings above it and the titles of the clauses below it."""
        path = part.pieces[0].path
        above = path if part.previous or not part.pieces[0].is_heading else path[:-1]
        return _chunk(part.pieces, text, above=above, below=part.below[:MOST_CLAUSES_NAMED])


STRATEGIES: Mapping[StrategyName, ChunkingStrategy] = {
    "heading": HeadingBasedChunking(),
    "overlap": OverlapChunking(),
    "hierarchy": HierarchyChunking(),
}


def _with_notes_apart(pieces: list[Piece]) -> list[Piece]:
    """Foot notes, comments, headers and footers come last and belong to no clause."""
    last = max((n for n, piece in enumerate(pieces) if piece.kind != "note"), default=-1)
    return [piece if n <= last else replace(piece, path=(), level=0) for n, piece in enumerate(pieces)]


def _sections(pieces: Iterable[Piece], *, joins_headings: bool) -> Iterator[Section]:
    """The pieces from one heading to the next."""
    section: Section = []
    for piece in pieces:
        if section and _begins_section(piece, section, joins_headings=joins_headings):
            yield section
            section = []
        section.append(piece)
    if section:
        yield section


def _begins_section(piece: Piece, section: Section, *, joins_headings: bool) -> bool:
    last = section[-1]
    if not piece.is_heading:
        return piece.path != last.path
    return not (
        joins_headings and last.is_heading and piece.level > last.level and piece.path[: len(last.path)] == last.path
    )


def _titles_below(pieces: Iterable[Piece]) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """The titles directly below each heading, by its path."""
    found: defaultdict[tuple[str, ...], tuple[str, ...]] = defaultdict(tuple)
    for piece in pieces:
        if piece.is_heading:
            found[piece.path[:-1]] += (piece.path[-1],)
    return found


def _parts_of(section: Section, titles: Mapping[tuple[str, ...], tuple[str, ...]]) -> Iterator[_Part]:
    previous: Section = []
    for pieces in _cut(section):
        below = titles.get(section[0].path, ()) if section[0].is_heading and not previous else ()
        yield _Part(pieces, previous, below)
        previous = pieces


def _cut(section: Section) -> list[Section]:
    """A section in parts of at most MOST_TOKENS, each from one page; a caption stays with the table below it."""
    parts: list[Section] = [[]]
    tokens = 0
    for number, piece in enumerate(section):
        last = section[number - 1] if number else None
        body = [one for one in parts[-1] if not one.is_heading]
        if body and (tokens + piece.tokens > MOST_TOKENS or piece.page not in (None, body[0].page)):
            caption = last if last is not None and last.kind == "caption" and piece.kind == "table" else None
            follows = [parts[-1].pop()] if caption is not None and len(parts[-1]) > 1 else []
            parts.append(follows)
            tokens = sum(one.tokens for one in follows)
        parts[-1].append(piece)
        tokens += piece.tokens
    return parts


def _chunk(
    part: Section, text: str, *, start: int | None = None, above: Sequence[str] = (), below: Sequence[str] = ()
) -> Chunk:
    start, end = part[0].start if start is None else start, part[-1].end
    first = next((piece for piece in part if not piece.is_heading), part[0])
    kept = text[start:end]
    before = list(above)
    if part[0].head and not kept.startswith(part[0].head):
        before.append(part[0].head)
    changes = tuple(change for piece in part for change in piece.changes)
    if kept.strip():
        written = "\n".join((*before, kept.strip(), *below))
        shift = sum(len(line) + 1 for line in before) - start - (len(kept) - len(kept.lstrip()))
    else:
        written = "\n".join((DELETED, *(change.text.lstrip("\n") for change in changes)))
        shift = -start
    return Chunk(
        ordinal=0,
        text=written,
        start=start,
        end=end,
        heading_path=part[-1].path,
        clause=clause_of(part[-1].path),
        page=first.page,
        changes=tuple(_moved(change, shift, len(written)) for change in changes),
        page_is_estimated=any(piece.page_is_estimated for piece in part),
    )


def _moved(change: TrackedChange, shift: int, length: int) -> TrackedChange:
    return replace(change, offset=min(max(0, change.offset + shift), length))
