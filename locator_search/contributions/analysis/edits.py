"""Tracked changes of a passage as whole sentences, before and after. Pure.

Word records a change per run and author, often inside a word. What a reader compares are sentences: those of the text
with everything that was deleted, against those of the text as it reads now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import product

from locator_search.model import Evidence
from locator_search.model.texts import DELETED
from locator_search.ports.contributions.analyses import Edit
from locator_search.text.cutting import sentence_spans
from locator_search.text.normalise import normalise

Runs = frozenset[str]
_LABEL = re.compile(r"\d{1,3}[a-z]?\.")
"""The number of a step, which a full stop ends as if it were a sentence."""
_MOST_JOINED = 3
"""Sentences of a side that are told together, where one became several or several became one."""
_ALIKE = 0.4
"""The share of three-letter runs, 0 to 1, from which two sentences are one that was reworded."""
_MOST_COMPARED = 10_000
"""Pairs of sentences that are compared; of more, all of them are dropped and added."""


def edits_of(evidence: Evidence) -> list[Edit]:
    """The changed sentences of a passage in reading order."""
    return edits_between(_labelled(before_changes(evidence)), _labelled(now(evidence))) if evidence.changes else []


def _labelled(text: str) -> list[str]:
    """The sentences of a text, the number of a step with the first sentence of the step."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        begins, label_ends = spans[-1] if spans else (start, start)
        if _LABEL.fullmatch(text, begins, label_ends) and "\n" not in text[label_ends:start]:
            spans[-1] = begins, end
        else:
            spans.append((start, end))
    return [text[start:end] for start, end in spans]


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
    for change in sorted(evidence.changes, key=lambda one: (one.offset, one.kind == "insert"))[::-1]:
        end = change.offset + (len(change.text) if change.kind == "insert" else 0)
        put_back = "" if change.kind == "insert" else _put_back(change.text, text, change.offset)
        text = text[: change.offset] + put_back + text[end:]
    return text


def _put_back(deleted: str, text: str, offset: int) -> str:
    """A deleted line has its line end before it; where a line begins anyway, behind it."""
    begins_line = offset == 0 or text[offset - 1] == "\n"
    return f"{deleted[1:]}\n" if begins_line and deleted.startswith("\n") else deleted


def _paired(before: Sequence[str], after: Sequence[str]) -> Iterator[Edit]:
    """Sentences that are alike beside each other, in order; the others are dropped or added."""
    sides = " ".join(before), " ".join(after)
    old, new = ([_runs(sentence) for sentence in side] for side in (before, after))
    if len(before) != len(after) and max(len(before), len(after)) <= _MOST_JOINED:
        joined = _alike(*map(_runs, sides))
        if joined > max((_alike(*pair) for pair in product(old, new)), default=0.0):  # else one was put beside them
            yield Edit(*map(_one_line, sides))
            return
    yield from _between(before, after, old, new)


def _between(before: Sequence[str], after: Sequence[str], old: Sequence[Runs], new: Sequence[Runs]) -> Iterator[Edit]:
    """Parted at the two that are most alike, as long as two are."""
    compared = product(range(len(old)), range(len(new))) if len(old) * len(new) <= _MOST_COMPARED else ()
    first, second = max(compared, key=lambda at: _alike(old[at[0]], new[at[1]]), default=(0, 0))
    if not old or not new or not _alike(old[first], new[second]):
        yield from (Edit(_one_line(sentence), "") for sentence in before)
        yield from (Edit("", _one_line(sentence)) for sentence in after)
        return
    yield from _between(before[:first], after[:second], old[:first], new[:second])
    yield Edit(_one_line(before[first]), _one_line(after[second]))
    yield from _between(before[first + 1 :], after[second + 1 :], old[first + 1 :], new[second + 1 :])


def _runs(text: str) -> Runs:
    letters = normalise("".join(text.split()))
    return frozenset(letters[at : at + 3] for at in range(max(1, len(letters) - 2)))


def _alike(one: Runs, other: Runs) -> float:
    """The share of runs that both have, 0 where it is below `_ALIKE`."""
    share = 2 * len(one & other) / (len(one) + len(other))
    return share if share >= _ALIKE else 0.0


def _one_line(text: str) -> str:
    return " ".join(text.split())
