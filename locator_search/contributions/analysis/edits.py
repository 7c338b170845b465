"""Tracked changes of a passage as whole sentences, before and after. Pure.

Word records a change per run and author, often inside a word. What a reader compares are sentences: those of the text
with everything that was deleted, against those of the text as it reads now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from locator_search.model import Evidence
from locator_search.model.texts import DELETED
from locator_search.ports.contributions.analyses import Edit
from locator_search.text.cutting import sentences
from locator_search.text.normalise import normalise

_MOST_JOINED = 3
"""Sentences that are told together, where the two sides do not match one by one."""


def edits_of(evidence: Evidence) -> list[Edit]:
    """The changed sentences of a passage in reading order."""
    return edits_between(sentences(before_changes(evidence)), sentences(now(evidence))) if evidence.changes else []


def edits_between(before: Sequence[str], after: Sequence[str]) -> list[Edit]:
    """The sentences that read otherwise, were added or were dropped, in their order."""
    old, new = ([normalise("".join(line.split())) for line in lines] for lines in (before, after))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        edit
        for what, old_from, old_to, new_from, new_to in matcher.get_opcodes()
        if what != "equal"
        for edit in _paired(before[old_from:old_to], after[new_from:new_to])
    ]


def now(evidence: Evidence) -> str:
    """The text of a passage as it reads now, "" where all of it was deleted."""
    return "" if evidence.text.startswith(f"{DELETED}\n") else evidence.text


def before_changes(evidence: Evidence) -> str:
    """The text of a passage without what was inserted and with what was deleted."""
    if not now(evidence):
        return evidence.text.removeprefix(f"{DELETED}\n")
    text = evidence.text
    for change in sorted(evidence.changes, key=lambda one: (one.offset, one.kind == "insert"), reverse=True):
        end = change.offset + (len(change.text) if change.kind == "insert" else 0)
        put_back = "" if change.kind == "insert" else _with_line_end(change.text, text, change.offset)
        text = text[: change.offset] + put_back + text[end:]
    return text


def _with_line_end(deleted: str, text: str, offset: int) -> str:
    """A deleted text with the line end that went with it, where it was a paragraph of its own."""
    begins_line = offset == 0 or text[offset - 1] == "\n"
    is_paragraph = begins_line and len(sentences(deleted)) > 0 and deleted.rstrip()[-1:] in ".。！？!?"
    return f"{deleted}\n" if is_paragraph and not deleted[-1:].isspace() else deleted


def _paired(before: Sequence[str], after: Sequence[str]) -> Iterator[Edit]:
    """One by one where both sides have as many sentences, else together."""
    if len(before) == len(after):
        yield from (Edit(_one_line(old), _one_line(new)) for old, new in zip(before, after, strict=True))
    elif max(len(before), len(after)) <= _MOST_JOINED:
        yield Edit(_one_line(" ".join(before)), _one_line(" ".join(after)))
    else:
        yield from (Edit(_one_line(old), "") for old in before)
        yield from (Edit("", _one_line(new)) for new in after)


def _one_line(text: str) -> str:
    return " ".join(text.split())
