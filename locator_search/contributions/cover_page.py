"""The cover page of a change request as fields. Pure.

The form is a table of labels and values that every 3GPP group shares (3GPP TR 21.900, 4.6; the form itself is CR-Form).
It is read from text alone, one row per line with tabs between the cells, so that a document and a piece of evidence are
read alike. What is no change request has no fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from locator_search.text.clauses import clause_number

CoverPage = Mapping[str, str]
"""Fields by name, those of `FIELDS` that are filled in; empty for what is no change request."""

_LABELS = {
    "specification": "specification",
    "spec": "specification",
    "cr": "cr",
    "rev": "revision",
    "current version": "current_version",
    "title": "title",
    "source to wg": "source_to_wg",
    "source": "source_to_wg",
    "source to tsg": "source_to_tsg",
    "work item code": "work_item",
    "date": "date",
    "category": "category",
    "release": "release",
    "reason for change": "reason_for_change",
    "summary of change": "summary_of_change",
    "consequences if not approved": "consequences",
    "clauses affected": "clauses_affected",
    "other comments": "other_comments",
    "this cr's revision history": "revision_history",
}
FIELDS = tuple(dict.fromkeys(_LABELS.values()))
_OF_THE_FORM_ALONE = frozenset({"summary_of_change", "consequences", "clauses_affected"})
_ENOUGH = 2
"""Of a form in several pieces, that with its name may not be among the evidence."""
_HELP = "⌘"
"""What older forms have between a label and its value: the sign of their help."""
_FORM = re.compile(r"\bchange\s+request\b", re.IGNORECASE)
_SPECIFICATION = re.compile(r"\d{2}\.\d{3}(?:-\d+)*")
_BETWEEN_CLAUSES = re.compile(r"[,;、&/§]|\s(?=\d)|\band\b|及び|および", re.IGNORECASE)
_RANGE = re.compile(
    r"(?<![\w.-])(?P<above>(?:\w{1,4}\.)+)(?P<first>\d{1,3})\s*(?:-|–|—|~|〜|～|から|\bto\b)\s*(?P=above)(?P<last>\d{1,3})(?![\w.-])",
    re.IGNORECASE,
)
"""Several clauses of one level, 5.2.1 to 5.2.4."""
_LONGEST_RANGE = 50
"""Clauses; what spans more is rather two clauses than all between them."""
_EMPTY = frozenset({"-", "–", "—", "n/a"})
_LONGEST_VALUE = 2_000
_MOST_LINES = 400
"""A form has some sixty rows; what follows is the document."""


def cover_page(texts: Iterable[str]) -> CoverPage:
    """The fields of the form, the first value of each; empty where no text says that this is a change request."""
    lines = list(_lines(texts))
    found: dict[str, str] = {}
    for line in lines:
        for name, value in _fields_of(line):
            found.setdefault(name, value[:_LONGEST_VALUE])
    if len(_OF_THE_FORM_ALONE & found.keys()) < _ENOUGH and not any(_FORM.search(line) for line in lines):
        return {}
    return {name: found[name] for name in FIELDS if name in found}


def affected_clauses(page: CoverPage) -> tuple[str, ...]:
    """The clauses that the form says are affected, in its order."""
    listed = _BETWEEN_CLAUSES.split(_RANGE.sub(_each_of, page.get("clauses_affected", "")))
    return tuple(dict.fromkeys(clause for one in listed if (clause := clause_number(one))))


def _each_of(span: re.Match[str]) -> str:
    """A range as a list of its clauses."""
    first, last = int(span["first"]), int(span["last"])
    if not first < last < first + _LONGEST_RANGE:
        return f"{span['above']}{first}, {span['above']}{last}"
    return ", ".join(f"{span['above']}{number}" for number in range(first, last + 1))


def without_label(row: str) -> str:
    """A row of the form without the label it begins with, any other text as it is."""
    label, _, value = row.partition("\t")
    return value.lstrip(f"{_HELP} \t") if _label(label) else row


def _lines(texts: Iterable[str]) -> Iterator[str]:
    left = _MOST_LINES
    for text in texts:
        for line in text.split("\n")[:left]:
            yield line
            left -= 1
        if left <= 0:
            return


def _fields_of(line: str) -> Iterator[tuple[str, str]]:
    """The labels of one row, each with the first cell that is filled in before the next label."""
    cells = [" ".join(cell.replace(_HELP, " ").split()) for cell in line.split("\t")]
    names = [_label(cell) for cell in cells]
    if "cr" in names and "specification" not in names:  # the form gives no label to the number of the specification
        before = [cell for cell in cells[: names.index("cr")] if _SPECIFICATION.fullmatch(cell)]
        yield from (("specification", cell) for cell in before[:1])
    for place, name in enumerate(names):
        if name is None:
            continue
        end = next((after for after in range(place + 1, len(cells)) if names[after]), len(cells))
        value = next((cell for cell in cells[place + 1 : end] if cell), "")
        if value and value.casefold() not in _EMPTY:
            yield name, value


def _label(cell: str) -> str | None:
    return _LABELS.get(cell.strip(f": {_HELP}").replace("’", "'").casefold())
