"""The text of a file: blocks, chunks, terms, and the state in which it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

ExtractionState = Literal[
    "ok", "partial", "suspicious", "empty", "encrypted", "unsupported", "corrupt", "too-large", "timeout", "killed"
]
"""`suspicious`: what there is of text looks garbled (a wrong character map); what was garbled through and through is
left out, so there may be none."""

TextState = Literal["ok", "partial", "suspicious"]
"""How well what is indexed was read."""

TEXT_STATE = "text_state"
"""Under this name the metadata of a file say so, where it is not `ok`."""

SummaryState = Literal["ok", "stand-in"]
"""Who wrote the summary of a file: the chosen model, or an extract stands in for what that model did not write."""

SUMMARY_STATE = "summary_state"
"""Under this name the metadata of a file say so, where it is not `ok`."""

ANCHORS = "anchors"
"""Under this name the metadata of a Google Doc have the ids of its headings by their texts."""

DELETED = "[deleted]"
"""The first line of a chunk of which nothing is left in the document as changed; the deleted text follows."""

BlockKind = Literal["heading", "paragraph", "table", "caption", "note", "picture"]
"""A `picture` is what a picture or shape says of itself, which no page shows."""


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
    """One piece of a document in reading order. `level` is 1-9 for headings, else 0. `page` counts from 1; an estimated
    one may be another.

    `text` is as changed: with what was inserted and without what was deleted. A block of which everything was deleted
    has no text and says so in `changes`. `anchor` is the id of a heading in Google Docs, where the document tells it.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    changes: tuple[TrackedChange, ...] = ()
    page_is_estimated: bool = False
    anchor: str = ""

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Block:
        """A block out of what `dataclasses.astuple` and JSON made of one. Raises TypeError or ValueError."""
        kind, text, level, page, *rest = row
        changes = tuple(TrackedChange(*change) for change in (rest[0] if rest else ()))
        return cls(kind, text, level, page, changes, *rest[1:])


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
    """The result of reading one file. `ok`, `partial` and mostly `suspicious` carry text that may be indexed."""

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
    of `changes` are into `text`. The page is estimated where some of the text may stand on another one.
    """

    ordinal: int
    text: str
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    clause: str | None = None
    page: int | None = None
    changes: tuple[TrackedChange, ...] = ()
    page_is_estimated: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """Keyword terms of one text with their frequencies (at least 1), parallel and without repeats."""

    terms: tuple[str, ...]
    frequencies: tuple[int, ...]

    @property
    def length(self) -> int:
        """Number of term occurrences."""
        return sum(self.frequencies)
