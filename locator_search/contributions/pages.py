"""Finds the page of a PDF rendition on which each block of a document stands. Pure.

The rendition shows inserted and deleted text alike, so that is what is looked for, letters and digits only. Blocks that
are long enough are looked for everywhere; the longest chain of finds in the order of the document holds, so that a
title in the list of contents, or a text box that stands elsewhere, misleads nobody. Short blocks are looked for between
their neighbours. A block that is not found has no page, unless its neighbours stand on one page: positions are never
guessed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from unicodedata import normalize

from locator_search.model import Block, Document

_PROBES = (60, 30, 12)
"""Characters of a block's beginning, longest first: cells and line ends break the text of a PDF apart."""
_SHORTEST = 12
"""Shorter texts stand in too many places to lead the way."""
_MOST_PLACES = 30


def with_pages(document: Document, page_texts: Sequence[str]) -> Document:
    """The document with the page of every block that was found, and their number."""
    texts = [_letters(text) for text in page_texts]
    owners, blocks = zip(*_rows_apart(document.blocks), strict=True) if document.blocks else ((), ())
    starts = list(accumulate((len(text) for text in texts), initial=0))[:-1]
    wanted = ["" if block.kind == "note" else _letters(shown_text(block)) for block in blocks]
    places = _places("".join(texts), wanted)
    pages = _bridged([bisect_right(starts, place) if place is not None else None for place in places])
    paged = [replace(block, page=page) for block, page in zip(blocks, pages, strict=True)]
    return replace(document, blocks=tuple(_rows_joined(owners, paged)), page_count=len(page_texts))


def _rows_apart(blocks: Sequence[Block]) -> Iterator[tuple[int, Block]]:
    """The blocks with their places, every row of a table as a block: a long table stands on several pages."""
    for owner, block in enumerate(blocks):
        start, waiting = 0, list(block.changes)
        for row in block.text.split("\n") if block.kind == "table" else [block.text]:
            here = [change for change in waiting if change.offset <= start + len(row)]
            waiting = waiting[len(here) :]
            moved = tuple(replace(change, offset=max(0, change.offset - start)) for change in here)
            yield owner, replace(block, text=row, changes=moved)
            start += len(row) + 1


def _rows_joined(owners: Sequence[int], rows: Sequence[Block]) -> Iterator[Block]:
    """The rows of one table that stand on one page as one block again; a row without a page follows the one before."""
    last: Block | None = None
    owner = -1
    for number, row in zip(owners, rows, strict=True):
        if last is not None and number == owner and row.page in (None, last.page):
            shift = len(last.text) + 1
            moved = tuple(replace(change, offset=change.offset + shift) for change in row.changes)
            last = replace(last, text=f"{last.text}\n{row.text}", changes=(*last.changes, *moved))
            continue
        if last is not None:
            yield last
        last, owner = row, number
    if last is not None:
        yield last


def shown_text(block: Block) -> str:
    """The text of a block with what was deleted put back in its place."""
    pieces: list[str] = []
    end = len(block.text)
    for change in sorted(block.changes, key=lambda change: change.offset)[::-1]:
        if change.kind == "delete":
            pieces += [block.text[change.offset : end], change.text]
            end = change.offset
    pieces.append(block.text[:end])
    return "".join(reversed(pieces))


def _places(stream: str, wanted: Sequence[str]) -> list[int | None]:
    """Where each text begins in the stream, None where it is not found."""
    found = [_occurrences(stream, text) for text in wanted]
    places: list[int | None] = _longest_chain(found)
    after = _next_known(places, len(stream))
    position = 0
    for index, text in enumerate(wanted):
        if places[index] is None:
            at = stream.find(text[: _PROBES[0]], position, after[index]) if len(text) > 1 else -1
            alone = found[index][0] if len(found[index]) == 1 else None  # out of order, and nowhere else
            places[index] = at if at >= 0 else alone
            position = max(position, at)
        else:
            position = places[index] or 0
    return places


def _occurrences(stream: str, text: str) -> list[int]:
    """Every place of the longest beginning of a text that occurs at all; none for a text too short to lead the way."""
    for length in _PROBES:
        probe = text[:length]
        if len(probe) < _SHORTEST:
            break
        places: list[int] = []
        at = stream.find(probe)
        while at >= 0 and len(places) < _MOST_PLACES:
            places.append(at)
            at = stream.find(probe, at + 1)
        if places:
            return places
    return []


def _longest_chain(found: Sequence[Sequence[int]]) -> list[int | None]:
    """One place per text, or none, so that places rise with the texts and as many as possible have one."""
    ends: list[int] = []  # the smallest last place of a chain of each length
    chains: list[tuple[int, int, int]] = []  # text, place, the link before (-1: none)
    last_links: list[int] = []
    for index, places in enumerate(found):
        for place in reversed(places):  # from the right, so that one text never follows itself
            length = bisect_left(ends, place)
            chains.append((index, place, last_links[length - 1] if length else -1))
            if length == len(ends):
                ends.append(place)
                last_links.append(len(chains) - 1)
            else:
                ends[length], last_links[length] = place, len(chains) - 1
    chosen: list[int | None] = [None] * len(found)
    link = last_links[-1] if last_links else -1
    while link >= 0:
        index, place, link = chains[link]
        chosen[index] = place
    return chosen


def _next_known(places: Sequence[int | None], end: int) -> list[int]:
    """For each text the place of the next one that has a place."""
    following = []
    for place in reversed(places):
        following.append(end)
        end = place if place is not None else end
    return following[::-1]


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
