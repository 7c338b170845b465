"""Charts as tables: of each category its values in every series; and what of it the cells around it do not say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from locator_search.adapters.extractors.cleaning import one_line
from locator_search.adapters.extractors.office.ooxml import Element, children, local_name

_WORD = re.compile(r"\w+")
_MOST_SERIES = 255  # what Excel allows in a chart
_LITTLE = re.compile(r"[a-z]{1,2}|\d+")


def chart_titles(root: Element) -> Iterator[str]:
    """Titles of the chart and of its axes that are taken from cells, or of a chart since Excel 2016."""
    return (_text(title) for title in root.iter("{*}title"))


def chart_rows(root: Element) -> Iterator[list[str]]:
    """For each set of categories a row with the names of its series, then a row per category with its values."""
    groups: dict[tuple[tuple[int, str], ...], list[Element]] = defaultdict(list)
    for series in root.iter("{*}ser"):
        groups[tuple(_points(series, "cat", "xVal").items())].append(series)
    for categories, series_of_group in groups.items():
        members = series_of_group[:_MOST_SERIES]
        yield ["", *(" ".join(map(_text, children(each, "tx"))) for each in members)]
        columns = [dict(categories), *(_points(each, "val", "yVal") for each in members)]
        for index in sorted(set(chain.from_iterable(columns))):
            yield [column.get(index, "") for column in columns]
    yield from ([_text(name)] for series in root.iter("{*}series") for name in children(series, "tx"))
    yield from ([point.text or "" for point in texts.iter("{*}pt")] for texts in root.iter("{*}strDim"))


def words_of(texts: Iterable[str]) -> set[str]:
    """All words of cells, as `new_lines` compares them."""
    return {word for text in texts for word in _WORD.findall(text.casefold())}


def new_lines(texts: Iterable[str], rows: Iterable[list[str]], known: Collection[str]) -> Iterator[str]:
    """The lines of a chart beyond known words: its titles and the names of its series and categories.

    A text of which at least half is new comes whole, of another the new words: charts repeat the cells they are drawn
    from, and what comes twice buries what comes once. Numbers are those of cells.
    """
    names = (cell for row in rows for cell in (row if row[0] == "" else row[:1]))
    for text in dict.fromkeys(map(one_line, chain(texts, names))):
        words = [word for word in _WORD.findall(text) if not _LITTLE.fullmatch(word)]
        new = [word for word in words if word.casefold() not in known]
        if new:
            yield text if 2 * len(new) >= len(words) else " ".join(new)


def _points(series: Element, *names: str) -> dict[int, str]:
    """Texts or values by their index; of categories in levels the outer before the inner one."""
    found: dict[int, str] = {}
    for point in (point for part in series if local_name(part) in names for point in part.iter("{*}pt")):
        index = int(point.get("idx", "")) if point.get("idx", "").isdecimal() else len(found)
        found[index] = " ".join([_text(point), *([found[index]] if index in found else [])])
    return found


def _text(element: Element) -> str:
    return " ".join(node.text or "" for node in element.iter("{*}v"))
