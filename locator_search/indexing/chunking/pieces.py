"""A document as pieces that are never cut further, each with the headings it stands under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import regex

from locator_search.model import Block, BlockKind, Document, TrackedChange
from locator_search.text.clauses import clause_number, inferred_level
from locator_search.text.cutting import estimate_tokens, grapheme_boundary, sentence_spans

LONGEST_PIECE = 500
"""Characters of one piece of a sentence or row that is too long to stay whole."""

_ROW = regex.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A block, or a sentence, row or part of one. `start` and `end` are offsets into `Document.text`.

    `path` goes from the outermost heading inwards; `level` is that of a heading, else 0. `head` is the first row of the
    table that a row was cut from, "" for anything else. Offsets of `changes` are into `Document.text`, too. A piece of
    which everything was deleted is empty, and stands under the deleted headings before it.
    """

    start: int
    end: int
    tokens: int
    path: tuple[str, ...]
    page: int | None
    level: int
    kind: BlockKind
    head: str = ""
    changes: tuple[TrackedChange, ...] = ()
    page_is_estimated: bool = False

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return self.level > 0


def pieces_of(document: Document, text: str, longest: int) -> Iterator[Piece]:
    """The pieces of a document in reading order; blocks of more than `longest` tokens are cut. `text` is
    `document.text`. Where no block is marked as a heading, numbered lines are taken for headings."""
    infer = not any(block.kind == "heading" for block in document.blocks)
    headings: list[_Heading] = []
    deleted: list[_Heading] = []
    position = 0
    for block in document.blocks:
        start = text.index(block.text, position)
        position = start + len(block.text)
        if not block.text.strip():
            if block.changes:
                deleted = _below(deleted or headings, block.level, block.changes[0].text)
                changes = _as_line(_placed(block, start))
                unsure = block.page_is_estimated
                yield Piece(start, start, 0, _path(deleted), block.page, block.level, block.kind, "", changes, unsure)
            continue
        deleted = []
        may_be_heading = infer and block.kind != "picture"
        level = block.level or 1 if block.kind == "heading" else inferred_level(block.text) if may_be_heading else 0
        headings = _below(headings, level, block.text)
        path = _path(headings)
        tokens = estimate_tokens(block.text)
        if tokens <= longest:
            changes, unsure = _placed(block, start), block.page_is_estimated
            yield Piece(start, position, tokens, path, block.page, level, block.kind, "", changes, unsure)
            continue
        yield from _cut(block, start, path)


_Heading = tuple[int, str]


def _below(headings: list[_Heading], level: int, text: str) -> list[_Heading]:
    """The headings that hold from here on: a new one ends those of its level and below."""
    return [*(above for above in headings if above[0] < level), (level, title_of(text))] if level else headings


def _path(headings: list[_Heading]) -> tuple[str, ...]:
    return tuple(title for _, title in headings)


def _cut(block: Block, start: int, path: tuple[str, ...]) -> Iterator[Piece]:
    head = block.text.partition("\n")[0] if block.kind == "table" else ""
    waiting = list(_placed(block, start))
    for first, end in _parts(block):
        size = estimate_tokens(block.text[first:end])
        here = [change for change in waiting if change.offset <= start + end]
        waiting = waiting[len(here) :]
        changes, unsure = tuple(here), block.page_is_estimated
        yield Piece(start + first, start + end, size, path, block.page, 0, block.kind, head, changes, unsure)


def _placed(block: Block, start: int) -> tuple[TrackedChange, ...]:
    return tuple(replace(change, offset=start + change.offset) for change in block.changes)


def _as_line(changes: tuple[TrackedChange, ...]) -> tuple[TrackedChange, ...]:
    """Deletions that are a line of their own begin with its end, so that they do not run into the line before."""
    return (replace(changes[0], text="\n" + changes[0].text.lstrip("\n")), *changes[1:])


def title_of(heading: str) -> str:
    """A heading on one line, as paths hold it."""
    return " ".join(heading.split())[:120]


def clause_of(path: tuple[str, ...]) -> str | None:
    """The number of the nearest heading that has one."""
    return next((clause for title in reversed(path) if (clause := clause_number(title))), None)


def _parts(block: Block) -> Iterator[tuple[int, int]]:
    """Rows of a table or sentences of a paragraph; one that is too long is cut between graphemes."""
    spans = (
        [match.span() for match in _ROW.finditer(block.text)] if block.kind == "table" else sentence_spans(block.text)
    )
    for start, end in spans:
        while end - start > 2 * LONGEST_PIECE:
            cut = start + (
                grapheme_boundary(block.text[start : start + 2 * LONGEST_PIECE], LONGEST_PIECE) or LONGEST_PIECE
            )
            yield start, cut
            start = cut
        yield start, end
