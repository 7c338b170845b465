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

from locator_search.indexing.chunking.pieces import Piece, clause_of, pieces_of
from locator_search.model import Chunk, Document
from locator_search.text.cutting import estimate_tokens

TARGET = 600
SMALLEST = 140
SMALLEST_CLAUSE = 40
MOST_CHUNKS = 2_000
LARGEST_TARGET = 3_000


@dataclass(slots=True)
class _Draft:
    pieces: list[Piece] = field(default_factory=list)
    tokens: int = 0

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.tokens += piece.tokens

    @property
    def has_body(self) -> bool:
        return any(not piece.is_heading for piece in self.pieces)


class HeadingChunker:
    """A `Chunker` that follows the headings of a document, or numbered lines where nothing is marked as heading."""

    version = "headings-3"

    def chunk(self, document: Document) -> list[Chunk]:
        """Chunks in reading order. `text` is `document.text[start:end]` without the white space around it."""
        text = document.text
        target = max(TARGET, min(LARGEST_TARGET, estimate_tokens(text) // MOST_CHUNKS))
        pieces = (piece for piece in pieces_of(document, text, target) if piece.end > piece.start)
        drafts = _grouped(pieces, target)
        return [_chunk(ordinal, draft, text) for ordinal, draft in enumerate(drafts)]


def _grouped(pieces: Iterator[Piece], target: int) -> Iterator[_Draft]:
    draft = _Draft()
    for piece in pieces:
        if _closes(draft, piece, target):
            following = _take_last_headings(draft) if draft.has_body else _Draft()
            yield draft
            draft = following
        draft.add(piece)
    if draft.pieces:
        yield draft


def _closes(draft: _Draft, piece: Piece, target: int) -> bool:
    if not draft.has_body:
        return draft.tokens > target // 2  # a table of contents; other headings wait for their text
    if draft.tokens + piece.tokens > target:
        return True
    if piece.is_heading:
        is_clause = clause_of(piece.path) or clause_of(draft.pieces[-1].path)
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
        clause=clause_of(path),
        page=body[0].page,
    )


def _shared(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that hold for a whole chunk. Text before a first subheading (a title, a date) does not count."""
    *others, longest = sorted(set(paths), key=len)
    if all(longest[: len(path)] == path for path in others):
        return longest
    levels = takewhile(lambda titles: len(set(titles)) == 1, zip(*others, longest, strict=False))
    return tuple(titles[0] for titles in levels)
