"""Cuts documents into chunks of at most so many characters, between sentences, with an overlap of whole sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from locator_search.core.errors import ConfigurationError
from locator_search.model import Block, Chunk, Document
from locator_search.text.cutting import grapheme_boundary, sentence_spans

_ROW = regex.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, a heading or a row of a table; part of one where that is longer than a chunk."""

    start: int
    end: int
    headings: tuple[str, ...]
    page: int | None
    is_heading: bool


class SentenceSplitter:
    """A `Chunker` with the two sizes of FinderLedge, in characters (Japanese and English alike).

    Only a sentence that is longer than `chunk_size` is cut within, between graphemes. A chunk begins with the last
    sentences of the one before it, as far as `chunk_overlap` allows; a heading never ends one. Raises
    ConfigurationError for sizes that do not fit together.
    """

    def __init__(self, chunk_size: int, chunk_overlap: int) -> None:
        if chunk_size < 1:
            raise ConfigurationError(f"chunk_size is a number of characters above 0, not {chunk_size}.")
        if not 0 <= chunk_overlap < chunk_size:
            raise ConfigurationError(
                f"chunk_overlap must be at least 0 and below chunk_size ({chunk_size}), not {chunk_overlap}.",
                hint="A tenth of chunk_size is usual.",
            )
        self.version = f"sentences-1-{chunk_size}-{chunk_overlap}"
        self._size = chunk_size
        self._overlap = chunk_overlap

    def chunk(self, document: Document) -> list[Chunk]:
        """Chunks in reading order; `text` is `document.text[start:end]`."""
        text = document.text
        groups = self._grouped(self._pieces(document, text))
        return [_chunk(ordinal, group, text) for ordinal, group in enumerate(groups)]

    def _pieces(self, document: Document, text: str) -> Iterator[_Piece]:
        headings: list[tuple[int, str]] = []
        position = 0
        for block in document.blocks:
            start = text.index(block.text, position)
            position = start + len(block.text)
            if block.kind == "heading":
                level = block.level or 1
                headings = [(other, title) for other, title in headings if other < level]
                headings.append((level, " ".join(block.text.split())))
            titles = tuple(title for _, title in headings)
            for first, end in self._spans(block):
                yield _Piece(start + first, start + end, titles, block.page, block.kind == "heading")

    def _spans(self, block: Block) -> Iterator[tuple[int, int]]:
        rows = (match.span() for match in _ROW.finditer(block.text))
        for start, end in rows if block.kind == "table" else sentence_spans(block.text):
            while end - start > self._size:
                cut = start + (grapheme_boundary(block.text[start : start + 2 * self._size], self._size) or self._size)
                yield start, cut
                start = cut
            if block.text[start:end].strip():
                yield start, end

    def _grouped(self, pieces: Iterator[_Piece]) -> Iterator[Sequence[_Piece]]:
        group: list[_Piece] = []
        for piece in pieces:
            if group and piece.end - group[0].start > self._size:
                body = _without_last_headings(group)
                fits = [n for n in range(1, len(group)) if piece.end - group[n].start <= self._size]
                carried = [n for n in fits if n >= len(body) or group[-1].end - group[n].start <= self._overlap]
                # Headings that would not fit before the next piece stay where they are: no text is left out.
                yield body if body and len(body) in fits else group
                group = group[carried[0] :] if carried else []
            group.append(piece)
        if group:
            yield group


def _without_last_headings(group: Sequence[_Piece]) -> Sequence[_Piece]:
    end = len(group)
    while end and group[end - 1].is_heading:
        end -= 1
    return group[:end]


def _chunk(ordinal: int, group: Sequence[_Piece], text: str) -> Chunk:
    start, end = group[0].start, group[-1].end
    return Chunk(ordinal, text[start:end], start, end, heading_path=_shared(group), page=group[0].page)


def _shared(group: Sequence[_Piece]) -> tuple[str, ...]:
    """The headings that hold for all of a chunk."""
    shared = group[0].headings
    for piece in group[1:]:
        same = [one == other for one, other in zip(shared, piece.headings, strict=False)]
        shared = shared[: same.index(False) if False in same else len(same)]
    return shared


class WholeText:
    """A `Chunker` that cuts nothing: a document is one chunk."""

    version = "whole-1"

    def chunk(self, document: Document) -> list[Chunk]:
        """The one chunk, `document.text` itself."""
        text = document.text
        return [Chunk(0, text, 0, len(text))]
