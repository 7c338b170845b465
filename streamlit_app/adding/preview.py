"""The preview of a crawl, counted before the eyes of the person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import streamlit as st
from markupsafe import Markup

from locator_search.drive_search.file_types import is_named, type_name
from locator_search.indexing.preview import Preview
from locator_search.locales import Plural
from locator_search.locales.reasons import counted
from locator_search.locales.said import told
from streamlit_app.adding.texts import AddingTexts
from streamlit_app.shared import markup, session
from streamlit_app.shared.templates import file_size, line_html
from streamlit_app.shared.texts import Texts

SECONDS = 20.0
"""The longest count."""


def preview(say: AddingTexts, texts: Texts, place: Path | str) -> Preview:
    """Count before the eyes of the person, once for each place; the last count."""
    box, known = st.empty(), st.session_state.get("preview")
    if known and known[0] == place:
        found: Preview = known[1]
    else:
        found, ends_at = Preview(), monotonic() + SECONDS
        for found in session.locator().previews(place, lambda: monotonic() > ends_at):
            box.html(_drawn(say, texts, found, say.counting))
        st.session_state["preview"] = place, found
    box.html(_drawn(say, texts, found, say.counted if found.ended else say.at_least))
    return found


def _drawn(say: AddingTexts, texts: Texts, found: Preview, headline: Plural) -> Markup:
    figures = (
        headline.format(found.files, size=file_size(found.bytes)) if found.files or not found.ended else say.nothing
    )
    return Markup().join(
        (line_html(figures, style="outcome"), line_html(*_notes(say, texts, found)), _tables(say, texts, found))
    )


def _notes(say: AddingTexts, texts: Texts, found: Preview) -> Iterator[str]:
    locator = session.locator()
    if locator.model_prices is None:
        yield say.free
    elif found.cost.cost_usd is None:
        yield say.cost_unknown.format(tokens=f"{found.cost.tokens:,}")
    else:
        yield say.cost.format(cost=found.cost.cost_usd, tokens=f"{found.cost.tokens:,}")
    if locator.budget.ceiling_usd is not None:
        yield say.ceiling.format(ceiling=locator.budget.ceiling_usd, spent=locator.budget.spent_usd)
    if found.names:
        yield say.names.format(names=texts.comma.join(found.names))
    yield from (told(problem, texts.language) for problem in found.problems)


def _tables(say: AddingTexts, texts: Texts, found: Preview) -> Markup:
    """Files by kind, then those that are left out with their reasons."""
    kinds: dict[str, tuple[int, int]] = {}
    for mime_type, (files, size) in found.kinds.items():
        name = type_name(mime_type, texts.language) if is_named(mime_type, texts.language) else say.other_kinds
        before = kinds.get(name, (0, 0))
        kinds[name] = before[0] + files, before[1] + size
    tables = Markup()
    if kinds:
        tables += markup.table_html(say.kinds, [(name, f"{n:,}", file_size(size)) for name, (n, size) in kinds.items()])
    if found.skipped:
        reasons = [(words, f"{count:,}") for words, count in counted(found.skipped, texts.language)]
        tables += markup.table_html(say.skipped, reasons)
    return tables + line_html(say.left_out)
