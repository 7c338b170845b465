"""Charts as tables: of each category its values in every series; and what of it the cells around it do not say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from locator_search.adapters.extractors.cleaning import one_line
from locator_search.adapters.extractors.office.excel_values import number_text
from locator_search.adapters.extractors.office.ooxml import Element, children, local_name

_WORD = re.compile(r"\w+")
_MOST_SERIES = 255  # what Excel allows in a chart
_SENTENCE = 5  # different words, which a chart says together though cells may say each of them
_OTHER_BOOK = re.compile(r"\[(?!0\])")
_VALUES = ("val", "yVal")
_LITTLE = re.compile(r"[a-z]{1,2}|\d+")


def chart_titles(root: Element) -> Iterator[str]:
    """Titles of the chart and of its axes that are taken from cells, or of a chart since Excel 2016."""
    return (_text(title) for title in root.iter("{*}title"))


def chart_rows(root: Element, own: bool | None = None) -> Iterator[list[str]]:
    """For each set of categories a row with the names of its series, then a row per category with its values.

    `own`: only the series whose values stand in no cell of the workbook, or only the others.
    """
    groups: dict[tuple[tuple[int, str], ...], list[Element]] = defaultdict(list)
    for series in root.iter("{*}ser"):
        if own is not None and own != _has_own_values(series):
            continue
        groups[tuple(_points(series, "cat", "xVal").items())].append(series)
    for categories, series_of_group in groups.items():
        members = series_of_group[:_MOST_SERIES]
        yield ["", *(" ".join(map(_text, children(each, "tx"))) for each in members)]
        columns = [dict(categories), *(_values(each) for each in members)]
        for index in sorted(set(chain.from_iterable(columns))):
            yield [column.get(index, "") for column in columns]
    if own:
        return
    yield from ([_text(name)] for series in root.iter("{*}series") for name in children(series, "tx"))
    yield from ([point.text or "" for point in texts.iter("{*}pt")] for texts in root.iter("{*}strDim"))


def words_of(texts: Iterable[str]) -> set[str]:
    """All words of cells, as `new_lines` compares them."""
    return {word for text in texts for word in _WORD.findall(text.casefold())}


def names_of(rows: Iterable[list[str]]) -> Iterator[str]:
    """The names of series and categories in the rows of a chart."""
    return (cell for row in rows for cell in (row if row[0] == "" else row[:1]))


def new_lines(typed: Iterable[str], copied: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """The lines of a chart beyond known words: what was typed into it, then what it took from cells.

    Charts repeat the cells they are drawn from, and what comes twice buries what comes once. So a text comes whole
    when at least half of it is new, a typed one when a third is or when it is a sentence; of another come the new
    words. Numbers are those of cells.
    """
    said: set[str] = set()
    for text, is_typed in chain(
        ((one_line(text), True) for text in typed), ((one_line(text), False) for text in copied)
    ):
        words = [word for word in _WORD.findall(text) if not _LITTLE.fullmatch(word)]
        new = [word for word in words if word.casefold() not in known]
        is_sentence = is_typed and len(words_of(words)) >= _SENTENCE
        if text not in said and (new or is_sentence):
            yield text if is_sentence or (3 if is_typed else 2) * len(new) >= len(words) else " ".join(new)
        said.add(text)


def _has_own_values(series: Element) -> bool:
    """Whether its values are written in the chart itself, or stand in cells of another workbook or in none."""
    values = [part for part in series if local_name(part) in _VALUES]
    sources = [source.text or "" for part in values for source in part.iter("{*}f")]
    return any(next(part.iter("{*}numLit", "{*}strLit"), None) is not None for part in values) or any(
        "!" not in source or "#REF!" in source or _OTHER_BOOK.search(source) for source in sources
    )


def _values(series: Element) -> dict[int, str]:
    return {index: number_text(value) for index, value in _points(series, *_VALUES).items()}


def _points(series: Element, *names: str) -> dict[int, str]:
    """Texts or values by their index; of categories in levels the outer before the inner one."""
    found: dict[int, str] = {}
    for point in (point for part in series if local_name(part) in names for point in part.iter("{*}pt")):
        index = int(point.get("idx", "")) if point.get("idx", "").isdecimal() else len(found)
        found[index] = " ".join([_text(point), *([found[index]] if index in found else [])])
    return found


def _text(element: Element) -> str:
    return " ".join(node.text or "" for node in element.iter("{*}v"))
