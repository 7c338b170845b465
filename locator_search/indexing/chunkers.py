"""Cuts documents into chunks: at headings, then at blocks, sentences or table rows, near a target size.

- Sizes are estimated tokens, so that a chunk is about 500 Japanese characters or 2,000 English ones.
- A section shorter than `SMALLEST` joins the next one; its chunk then names only the headings and the clause that
  hold for all of it. Numbered clauses are what people cite: they stay apart from `SMALLEST_CLAUSE` on. A heading
  never ends a chunk.
- No overlap: a cut lies between sections or sentences, and every chunk names its headings.
- A document of many rows (100,000 in a CSV) gets larger chunks instead of more: about `MOST_CHUNKS`, until
  `LARGEST_TARGET` is reached. Nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

import regex

from locator_search.indexing.headings import clause_number, inferred_level
from locator_search.model import Block, Chunk, Document
from locator_search.text.sentences import sentence_spans
from locator_search.text.tokens import estimate_tokens
from locator_search.text.truncate import grapheme_boundary

TARGET = 600
SMALLEST = 140
SMALLEST_CLAUSE = 40
MOST_CHUNKS = 2_000
LARGEST_TARGET = 3_000
_LONGEST_PIECE = 500
"""Characters of one piece of a sentence or row that is too long to stay whole."""

_ROW = regex.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is never cut further: a block, or a sentence, row or part of one."""

    start: int
    end: int
    tokens: int
    path: tuple[str, ...]
    page: int | None
    is_heading: bool


@dataclass(slots=True)
class _Draft:
    pieces: list[_Piece] = field(default_factory=list)
    tokens: int = 0

    def add(self, piece: _Piece) -> None:
        self.pieces.append(piece)
        self.tokens += piece.tokens

    @property
    def has_body(self) -> bool:
        return any(not piece.is_heading for piece in self.pieces)


class HeadingChunker:
    """A `Chunker` that follows the headings of a document, or numbered lines where nothing is marked as heading."""

    version = "headings-1"

    def chunk(self, document: Document) -> list[Chunk]:
        """Chunks in reading order. `text` is `document.text[start:end]` without the white space around it."""
        text = document.text
        target = max(TARGET, min(LARGEST_TARGET, estimate_tokens(text) // MOST_CHUNKS))
        drafts = _grouped(_pieces(document, text, target), target)
        return [_chunk(ordinal, draft, text) for ordinal, draft in enumerate(drafts)]


def _pieces(document: Document, text: str, target: int) -> Iterator[_Piece]:
    infer = not any(block.kind == "heading" for block in document.blocks)
    headings: list[tuple[int, str]] = []
    position = 0
    for block in document.blocks:
        start = text.index(block.text, position)
        position = start + len(block.text)
        if not block.text.strip():
            continue
        level = block.level or 1 if block.kind == "heading" else inferred_level(block.text) if infer else 0
        if level:
            headings = [(other, title) for other, title in headings if other < level]
            headings.append((level, _title(block.text)))
        path = tuple(title for _, title in headings)
        tokens = estimate_tokens(block.text)
        if tokens <= target:
            yield _Piece(start, position, tokens, path, block.page, is_heading=bool(level))
            continue
        for first, end in _parts(block):
            size = estimate_tokens(block.text[first:end])
            yield _Piece(start + first, start + end, size, path, block.page, is_heading=False)


def _title(heading: str) -> str:
    return " ".join(heading.split())[:120]


def _parts(block: Block) -> Iterator[tuple[int, int]]:
    """Rows of a table or sentences of a paragraph; one that is too long is cut between graphemes."""
    spans = (
        [match.span() for match in _ROW.finditer(block.text)] if block.kind == "table" else sentence_spans(block.text)
    )
    for start, end in spans:
        while end - start > 2 * _LONGEST_PIECE:
            cut = start + (
                grapheme_boundary(block.text[start : start + 2 * _LONGEST_PIECE], _LONGEST_PIECE) or _LONGEST_PIECE
            )
            yield start, cut
            start = cut
        yield start, end


def _grouped(pieces: Iterator[_Piece], target: int) -> Iterator[_Draft]:
    draft = _Draft()
    for piece in pieces:
        if _closes(draft, piece, target):
            following = _take_last_headings(draft) if draft.has_body else _Draft()
            yield draft
            draft = following
        draft.add(piece)
    if draft.pieces:
        yield draft


def _closes(draft: _Draft, piece: _Piece, target: int) -> bool:
    if not draft.has_body:
        return draft.tokens > target // 2  # a table of contents; other headings wait for their text
    if draft.tokens + piece.tokens > target:
        return True
    if piece.is_heading:
        is_clause = _clause(piece.path) or _clause(draft.pieces[-1].path)
        return draft.tokens >= (SMALLEST_CLAUSE if is_clause else SMALLEST)
    return piece.page != draft.pieces[-1].page and draft.tokens >= target // 2


def _take_last_headings(draft: _Draft) -> _Draft:
    """Takes the headings at the end out of a draft; they begin the next one."""
    following = _Draft()
    while draft.pieces[-1].is_heading:
        heading = draft.pieces.pop()
        draft.tokens -= heading.tokens
        following.pieces.insert(0, heading)
        following.tokens += heading.tokens
    return following


def _chunk(ordinal: int, draft: _Draft, text: str) -> Chunk:
    body = [piece for piece in draft.pieces if not piece.is_heading] or draft.pieces
    path = _shared(piece.path for piece in body)
    start, end = draft.pieces[0].start, draft.pieces[-1].end
    return Chunk(
        ordinal=ordinal,
        text=text[start:end].strip(),
        start=start,
        end=end,
        heading_path=path,
        clause=_clause(path),
        page=body[0].page,
    )


def _clause(path: tuple[str, ...]) -> str | None:
    return next((clause for title in reversed(path) if (clause := clause_number(title))), None)


def _shared(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that hold for a whole chunk. Text before a first subheading (a title, a date) does not count."""
    *others, longest = sorted(set(paths), key=len)
    if all(longest[: len(path)] == path for path in others):
        return longest
    levels = takewhile(lambda titles: len(set(titles)) == 1, zip(*others, longest, strict=False))
    return tuple(titles[0] for titles in levels)
