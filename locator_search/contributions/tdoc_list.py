"""The TDoc list of a meeting: one row per contribution, with what the meeting says of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from locator_search.contributions.numbers import contribution_number
from locator_search.model import Document
from locator_search.ports import Contribution

_COLUMNS = {
    "title": "title",
    "source": "source",
    "agenda item": "agenda_item",
    "tdoc type": "kind",
    "type": "kind",
    "tdoc status": "status",
    "status": "status",
    "is revision of": "revision_of",
    "revised to": "revised_to",
}
_NUMBER_COLUMNS = ("tdoc", "tdoc number", "tdoc#", "number")
_LONGEST_DETAIL = 2_000


def listed_contributions(document: Document, meeting_id: str) -> dict[str, Contribution]:
    """The contributions of a workbook by number, the first row of each. Empty where it is no TDoc list."""
    found: dict[str, Contribution] = {}
    header: list[str] = []
    for kind, cells in _rows(document):
        if kind == "heading":  # another sheet
            header = []
            continue
        names = [cell.casefold() for cell in cells]
        if not header and "title" in names and any(name in _NUMBER_COLUMNS for name in names):
            header = cells
        elif header:
            contribution = _contribution(dict(zip(header, cells, strict=False)), meeting_id)
            if contribution is not None:
                found.setdefault(contribution.number, contribution)
    return found


def with_listing(contribution: Contribution, listed: Mapping[str, Contribution], base: str) -> Contribution:
    """A contribution of the archive with what the list says of it, or of the one it revises."""
    own = listed.get(contribution.number)
    if own is not None:
        return replace(own, revision_of=own.revision_of or contribution.revision_of)
    if base in listed:
        return replace(
            listed[base],
            contribution_id=contribution.contribution_id,
            number=contribution.number,
            revision_of=contribution.revision_of,
            revised_to=None,
        )
    return contribution


def _rows(document: Document) -> Iterator[tuple[str, list[str]]]:
    for block in document.blocks:
        for line in block.text.split("\n"):
            yield block.kind, [cell.strip() for cell in line.split("\t")]


def _contribution(row: Mapping[str, str], meeting_id: str) -> Contribution | None:
    values = {name.casefold(): value for name, value in row.items()}
    number = next((found for name in _NUMBER_COLUMNS if (found := contribution_number(values.get(name, "")))), None)
    if number is None:
        return None
    known = {
        _COLUMNS[name]: value[:_LONGEST_DETAIL]
        for name, value in reversed(values.items())
        if name in _COLUMNS and value
    }
    details = {
        name: value[:_LONGEST_DETAIL]
        for name, value in row.items()
        if name and value and name.casefold() not in (*_COLUMNS, *_NUMBER_COLUMNS)
    }
    return Contribution(
        contribution_id=f"{meeting_id}/{number}",
        meeting_id=meeting_id,
        number=str(number),
        title=known.get("title", ""),
        source=known.get("source", ""),
        agenda_item=known.get("agenda_item", ""),
        kind=known.get("kind", ""),
        status=known.get("status", ""),
        revision_of=_first_number(known.get("revision_of", "")),
        revised_to=_first_number(known.get("revised_to", "")),
        details=details,
    )


def _first_number(cell: str) -> str | None:
    number = contribution_number(cell)
    return str(number) if number else None
