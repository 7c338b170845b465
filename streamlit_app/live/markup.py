"""The live search page as escaped HTML. Pure.

Titles, snippets and addresses come from services, the answer from a model: none of them is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from locator_search.live_search.outcome import INDEX, AskedQuery, LiveEvidence
from locator_search.text.markdown.as_html import as_html
from locator_search.text.markdown.inline import Sources
from locator_search.text.markdown.parsing import parsed
from streamlit_app.live.texts import LiveTexts
from streamlit_app.shared import escaping, markup


def answer_html(answer: str, evidence: Sequence[LiveEvidence]) -> str:
    """The answer as it was checked, each citation a link to its evidence. These links come from fields of the
    evidence; the answer itself can hold none, whatever Markdown it is."""
    links = {one.number: link for one in evidence if (link := escaping.web_link(one.uri))}
    blocks = parsed(answer, Sources({one.number: one.uri for one in evidence}))
    return f'<div class="dl-answer">{as_html(blocks, links)}</div>'


def evidence_html(one: LiveEvidence, texts: LiveTexts, zone: ZoneInfo) -> str:
    """One piece of evidence: number, title with its link, where it is, the snippet, what was read of it."""
    link, title = escaping.web_link(one.uri), escaping.escaped(one.title)
    shown = f'<a href="{escaping.escaped(link)}" target="_blank" rel="noopener">{title}</a>' if link else title
    facts = [
        f'<span class="dl-type">{escaping.escaped(one.label)}</span>',
        escaping.escaped(texts.kinds.get(one.kind, one.kind)),
        texts.evidence_read[one.read],
        f"<b>{texts.cited}</b>" if one.cited else "",
    ]
    rows = [
        f'<div class="dl-title"><span class="dl-rank">[{one.number}]</span>{shown}</div>',
        f'<div class="dl-meta">{markup.separated([fact for fact in facts if fact])}</div>',
        f'<div class="dl-snippet">{escaping.escaped(one.snippet)}</div>' if one.snippet else "",
        f'<div class="dl-meta">{escaping.escaped(one.uri)}</div>',
        _indexed(one, texts, zone),
    ]
    return f'<div class="dl-card dl-live">{"".join(rows)}</div>'


def queries_html(queries: Sequence[AskedQuery], texts: LiveTexts) -> str:
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
    if one.indexed is None:
        return ""
    form = texts.only_indexed if one.service == INDEX else texts.indexed
    day = f"{one.indexed.modified_at.astimezone(zone):%Y-%m-%d}"
    facts = [escaping.escaped(form.format(day=day, similarity=f"{one.indexed.similarity:.2f}"))]
    if one.service != INDEX and texts.ages[one.indexed.age]:
        facts.append(f"<b>{texts.ages[one.indexed.age]}</b>")
    return f'<div class="dl-meta">{markup.separated(facts)}</div>'
