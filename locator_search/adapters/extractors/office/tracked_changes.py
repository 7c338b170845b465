"""Tracked changes inside a text: marked while the text is gathered, read off when it is whole.

The walk over a Word document puts marks around what was inserted and deleted, joins and trims strings as it likes, and
at the end `resolved` takes the marks out of every block again: what was deleted goes, what was inserted stays, and both
become `TrackedChange`s at their place. A row of a table that was deleted begins with a line end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from locator_search.model import Block, TrackedChange

Kind = Literal["insert", "delete"]

# Characters that Unicode promises never to assign; those of a file are removed before ours come in.
_BEGIN, _HEAD_END, _END, _FIELD_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
_MARKS = re.compile(f"[{_BEGIN}{_HEAD_END}{_END}{_FIELD_END}]")
_TOKEN = re.compile(f"{_BEGIN}([^{_HEAD_END}]*){_HEAD_END}|{_END}")

_LONGEST_FIELD = 100


class _Head(NamedTuple):
    kind: Kind
    author: str
    changed_at: str


def without_marks(text: str) -> str:
    """Text of a file, which could hold characters that look like our marks."""
    return _MARKS.sub("", text)


def marked(kind: Kind, text: str, author: str = "", changed_at: str = "") -> str:
    """A changed text between marks. Changes do not nest: marks inside the text are taken out."""
    head = _FIELD_END.join((kind, *(without_marks(field)[:_LONGEST_FIELD] for field in (author, changed_at))))
    return f"{_BEGIN}{head}{_HEAD_END}{whole_text(text)}{_END}" if text else ""


def whole_text(marked_text: str) -> str:
    """The text with what was inserted and what was deleted, without marks."""
    return "".join(text for _, text in _spans(marked_text))


def kept_text(marked_text: str) -> str:
    """The text as changed."""
    return "".join(text for head, text in _spans(marked_text) if head is None or head.kind == "insert")


def resolved(block: Block) -> Block:
    """A block without marks, with its changes. White space is put in order as the walk left it before the marks went:
    none at the ends, and in headings and table cells one space at most between words."""
    if _BEGIN not in block.text:
        return block
    draft = _Draft(single_spaces=block.kind in ("heading", "table"))
    lines = block.text.split("\n") if block.kind == "table" else [block.text]
    for line in lines:
        if block.kind == "table" and not kept_text(line).strip():
            draft.drop_row(line)
        else:
            draft.add_line(line)
    return replace(block, text=draft.text, changes=tuple(draft.changes))


@dataclass(slots=True)
class _Draft:
    single_spaces: bool
    text: str = ""
    changes: list[TrackedChange] = field(default_factory=list)

    def add_line(self, line: str) -> None:
        """One row of a table, or a whole other block."""
        if self.text:
            self.text += "\n"
        line_start = len(self.text)
        found: list[TrackedChange] = []
        for head, piece in _spans(line):
            if head is None:
                self._keep(piece, line_start)
            elif head.kind == "insert":
                begin = len(self.text)
                self._keep(piece, line_start)
                if kept := self.text[begin:]:
                    found.append(TrackedChange("insert", kept, begin, head.author, head.changed_at))
            else:
                found.append(TrackedChange("delete", piece, len(self.text), head.author, head.changed_at))
        self.text = self.text[:line_start] + self.text[line_start:].rstrip()
        self.changes += _joined(found, self.text)

    def drop_row(self, line: str) -> None:
        """A row of a table of which nothing is left, with its cells apart."""
        heads = [head for head, piece in _spans(line) if head is not None and piece.strip()]
        text = f"\n{whole_text(line).strip()}"
        for head in heads[:1]:
            self.changes.append(TrackedChange("delete", text, len(self.text), head.author, head.changed_at))

    def _keep(self, piece: str, line_start: int) -> None:
        if len(self.text) == line_start:
            piece = piece.lstrip()
        if self.single_spaces and piece[:1] == " " and self.text[-1:] == " ":
            piece = piece.lstrip(" ")
        self.text += piece


def _joined(changes: list[TrackedChange], text: str) -> list[TrackedChange]:
    """Word records one change per run: those of one kind and author that touch are one. White space belongs to the
    change it touches, whoever made it, or words would run together without it; alone it is none. Nothing reaches
    beyond the text, whose last spaces may be gone."""
    joined: list[TrackedChange] = []
    for change in changes:
        last = joined[-1] if joined else None
        if last is not None and _touches(last, change):
            told = last if last.text.strip() else change
            joined[-1] = replace(told, text=last.text + change.text, offset=last.offset)
        else:
            joined.append(change)
    return [_within(change, text) for change in joined if change.text.strip()]


def _touches(last: TrackedChange, change: TrackedChange) -> bool:
    blank = not (last.text.strip() and change.text.strip())
    if last.kind != change.kind or (last.author != change.author and not blank):
        return False
    length = len(last.text) if last.kind == "insert" else 0
    return last.offset + length == change.offset


def _within(change: TrackedChange, text: str) -> TrackedChange:
    if change.kind == "delete":
        return replace(change, offset=min(change.offset, len(text)))
    return replace(change, text=text[change.offset : change.offset + len(change.text)])


def _spans(line: str) -> list[tuple[_Head | None, str]]:
    """The pieces of a text with marks, in order, each with the head of its mark; None for what is not changed."""
    spans: list[tuple[_Head | None, str]] = []
    head: _Head | None = None
    position = 0
    for token in _TOKEN.finditer(line):
        spans.append((head, line[position : token.start()]))
        head = _read_head(token[1]) if token[1] is not None else None
        position = token.end()
    spans.append((head, line[position:]))
    return [(head, text) for head, text in spans if text]


def _read_head(written: str) -> _Head:
    kind, author, changed_at = written.split(_FIELD_END)
    return _Head("insert" if kind == "insert" else "delete", author, changed_at)
