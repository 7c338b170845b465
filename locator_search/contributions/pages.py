"""Finds the page of a PDF rendition on which each passage of a document stands. Pure.

The rendition shows inserted and deleted text alike, so that is what is looked for, letters and digits only. Every
sentence of a paragraph and every row of a table is a passage. Those that are long enough are looked for everywhere; the
longest chain of finds in the order of the document holds, so that a title in the list of contents, or a text box that
stands elsewhere, misleads nobody. Short ones are looked for between their neighbours.

The page of a passage is known where it stands in one place only, or where all places it can have, between passages
before and after it that stand in one place, are on one page. Else it is estimated. What is not found between two pages
has none: positions are never guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from unicodedata import normalize

from locator_search.model import Block, Document
from locator_search.text.cutting import sentence_spans

_PROBES = (60, 30, 12)
"""Characters of a passage's beginning, longest first: cells and line ends break the text of a PDF apart."""
_LEADING = 30
"""Characters of a beginning that leads the way, where the passage is not shorter and stands in one place."""
_SHORTEST = 12
"""Shorter texts stand in too many places to lead the way."""
_MOST_PLACES = 30


@dataclass(frozen=True, slots=True)
class _Passage:
    """A sentence or row of the block with that number: its span, and its letters in the rendition, cell by cell."""

    owner: int
    start: int
    end: int
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its letters, as the rendition shows them."""
        return "".join(self.cells)


_Sighting = tuple[int | None, bool]
"""The page of a passage, and whether it is estimated."""


def with_pages(document: Document, page_texts: Sequence[str]) -> Document:
    """The document with the pages of all that was found, and their number; a block that goes on on another page is cut
    at the sentence or row that begins there."""
    texts = [_letters(text) for text in page_texts]
    passages = [passage for number, block in enumerate(document.blocks) for passage in _passages(number, block)]
    seen = zip(passages, _sightings(passages, texts), strict=True)
    blocks = tuple(
        part
        for number, here in groupby(seen, key=lambda one: one[0].owner)
        for part in _cut(document.blocks[number], list(here))
    )
    return replace(document, blocks=blocks, page_count=len(page_texts))


def _passages(number: int, block: Block) -> Iterator[_Passage]:
    """Spans from the beginning of a sentence or row to that of the next one."""
    if block.kind == "table":
        begins = [0, *(match.end() for match in re.finditer("\n", block.text))]
    else:
        begins = [0, *(start for start, _ in sentence_spans(block.text)[1:])] if block.kind == "paragraph" else [0]
    for start, end in pairwise([*begins, len(block.text)]):
        cells = re.split(r"[\t\n]", shown_text(_part(block, start, end))) if block.kind != "note" else ()
        yield _Passage(number, start, end, tuple(filter(None, map(_letters, cells))))


def _cut(block: Block, seen: Sequence[tuple[_Passage, _Sighting]]) -> Iterator[Block]:
    """The block, in a part for each page; a passage without a page follows the one before."""
    start, page, estimated = 0, seen[0][1][0], False
    for passage, (found, unsure) in seen:
        if found not in (None, page):
            yield replace(_part(block, start, passage.start), page=page, page_is_estimated=estimated)
            start, page, estimated = passage.start, found, False
        estimated = estimated or unsure
    yield replace(_part(block, start, len(block.text)), page=page, page_is_estimated=estimated)


def _part(block: Block, start: int, end: int) -> Block:
    """A span of a block without the white space after it, with the changes that lie there."""
    if end - start == len(block.text):
        return block
    text = block.text[start:end].rstrip()
    changes = []
    for change in block.changes:
        begin, length = change.offset, len(change.text) if change.kind == "insert" else 0
        first, after = max(begin, start), min(begin + length, end)
        if first < after:  # of an insertion, what lies here
            moved = replace(change, text=change.text[first - begin : after - begin], offset=first - start)
            changes.append(moved)
        elif not length and (start <= begin < end or begin == end == len(block.text)):
            changes.append(replace(change, offset=min(begin - start, len(text))))
    return replace(block, text=text, changes=tuple(changes))


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


def _sightings(passages: Sequence[_Passage], texts: Sequence[str]) -> Iterator[_Sighting]:
    """On which page each passage begins."""
    stream, ends = "".join(texts), list(accumulate(map(len, texts)))
    found = [_occurrences(stream, passage.text) for passage in passages]
    leading = [
        place if len(places) == 1 and stream.startswith(passage.text[:_LEADING], place) else None
        for passage, places, place in zip(passages, found, _longest_chain(found), strict=True)
    ]
    low = -1  # before all that leads the way
    for passage, places, lead, high in zip(passages, found, leading, _next_known(leading, len(stream)), strict=True):
        low = low if lead is None else lead
        within = [lead] if lead is not None else _occurrences(stream, passage.text, max(low, 0), high)
        pages = {bisect_right(ends, place) + 1 for place in within}
        first, last = (bisect_right(ends, place) + 1 for place in (max(low, 0), high))
        if not within and len(places) == 1:  # out of order, and nowhere else
            yield bisect_right(ends, places[0]) + 1, True
        elif first == last and low >= 0:
            yield first, False
        elif within:
            page = min(pages)
            goes_on = len(passage.cells) > 1 and not all(cell[-_SHORTEST:] in texts[page - 1] for cell in passage.cells)
            yield page, goes_on or len(pages) > 1
        else:
            yield None, bool(passage.cells)


def _occurrences(stream: str, text: str, low: int = 0, high: int | None = None) -> list[int]:
    """Every place of the longest beginning of a text that occurs at all; of a short text, only between two places."""
    for length in _PROBES:
        probe = text[:length]
        if len(probe) < (_SHORTEST if high is None else 2):
            break
        places: list[int] = []
        at = stream.find(probe, low, high)
        while at >= 0 and len(places) < _MOST_PLACES:
            places.append(at)
            at = stream.find(probe, at + 1, high)
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


def _letters(text: str) -> str:
    """Letters and digits alone: spaces, hyphens at line ends and tabs differ between a document and its PDF."""
    return "".join(character for character in normalize("NFKC", text).casefold() if character.isalnum())
