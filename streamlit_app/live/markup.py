"""The live search page as escaped HTML. Pure.

Titles, snippets and addresses come from services, the answer from a model: none of them is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from markupsafe import Markup

from locator_search.live_search.outcome import INDEX, AskedQuery, LiveEvidence
from locator_search.locales.times import day as day_of
from locator_search.text.markdown.as_html import as_html
from locator_search.text.markdown.inline import Sources
from locator_search.text.markdown.parsing import parsed
from streamlit_app.live.texts import LiveTexts
from streamlit_app.shared import markup
from streamlit_app.shared.escaping import web_link
from streamlit_app.shared.templates import render


def answer_html(answer: str, evidence: Sequence[LiveEvidence]) -> Markup:
    """The answer as it was checked, each citation a link to its evidence. These links come from fields of the
    evidence; the answer itself can hold none, whatever Markdown it is."""
    links = {one.number: link for one in evidence if (link := web_link(one.uri))}
    blocks = parsed(answer, Sources({one.number: one.uri for one in evidence}))
    return Markup('<div class="dl-answer">{}</div>').format(Markup(as_html(blocks, links)))  # noqa: S704 - escaped there


def evidence_html(one: LiveEvidence, texts: LiveTexts, zone: ZoneInfo) -> Markup:
    """One piece of evidence: number, title with its link, where it is, the snippet, what was read of it."""
    return render("live/live", "evidence", one, _indexed(one, texts, zone), texts)


def queries_html(queries: Sequence[AskedQuery], texts: LiveTexts) -> Markup:
    """Which service was asked what, and what came of it."""
    return markup.table_html(
        texts.query_columns,
        (
            (
                one.label,
                texts.kinds.get(one.kind, one.kind),
                one.query,
                texts.failed if one.found is None else one.found,
                f"{one.seconds:.1f}",
            )
            for one in queries
        ),
    )


def _indexed(one: LiveEvidence, texts: LiveTexts, zone: ZoneInfo) -> str:
    """The state of it in the index, "" for nothing."""
    if one.indexed is None:
        return ""
    form = texts.only_indexed if one.service == INDEX else texts.indexed
    day = day_of(one.indexed.modified_at, zone, texts.language)
    return form.format(day=day, similarity=f"{one.indexed.similarity:.2f}")
