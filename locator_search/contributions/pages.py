"""On which page of a PDF rendition each block of a document stands. Pure.

Blocks are looked for in order, each from where the last one was found. The rendition shows inserted and deleted text
alike, so that is what is looked for. A block that is not found has no page, unless its neighbours stand on one page:
positions are never guessed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from unicodedata import normalize

from locator_search.model import Block, Document

_PROBES = (60, 30, 12)
"""Characters of a block's beginning, longest first: cells and line ends break the text of a PDF apart."""
_NEAR = 6_000
"""Characters a short probe may lie ahead; beyond that only a long one is believed."""
_BELIEVED_FAR = 30


def with_pages(document: Document, page_texts: Sequence[str]) -> Document:
    """The document with the page of every block that was found, and their number."""
    blocks = list(document.blocks)
    pages = _bridged(_found(blocks, page_texts))
    paged = [replace(block, page=page) for block, page in zip(blocks, pages, strict=True)]
    return replace(document, blocks=tuple(paged), page_count=len(page_texts))


def shown_text(block: Block) -> str:
    """The text of a block with what was deleted put back in its place."""
    pieces: list[str] = []
    end = len(block.text)
    for change in sorted(block.changes, key=lambda change: change.offset, reverse=True):
        if change.kind == "delete":
            pieces += [block.text[change.offset : end], change.text]
            end = change.offset
    pieces.append(block.text[:end])
    return "".join(reversed(pieces))


def _found(blocks: Iterable[Block], page_texts: Sequence[str]) -> list[int | None]:
    texts = [_letters(text) for text in page_texts]
    stream = "".join(texts)
    starts = list(accumulate((len(text) for text in texts), initial=0))[:-1]
    position = 0
    pages: list[int | None] = []
    for block in blocks:
        at = None if block.kind == "note" else _find(stream, _letters(shown_text(block)), position)
        pages.append(bisect_right(starts, at) if at is not None else None)
        position = at + 1 if at is not None else position
    return pages


def _find(stream: str, wanted: str, position: int) -> int | None:
    for length in _PROBES:
        probe = wanted[:length]
        if len(probe) < min(length, 3) or (length < _PROBES[0] and len(wanted) < length):
            continue
        far = len(probe) >= _BELIEVED_FAR
        at = stream.find(probe, position, len(stream) if far else position + _NEAR)
        if at >= 0:
            return at
    return None


def _bridged(pages: list[int | None]) -> list[int | None]:
    """Blocks between two that stand on one page stand on it, too."""
    bridged = list(pages)
    last: int | None = None
    for index, page in enumerate(pages):
        if page is None:
            continue
        if last is not None and pages[last] == page:
            bridged[last + 1 : index] = [page] * (index - last - 1)
        last = index
    return bridged


def _letters(text: str) -> str:
    """Letters and digits alone: spaces, hyphens at line ends and tabs differ between a document and its PDF."""
    return "".join(character for character in normalize("NFKC", text).casefold() if character.isalnum())
