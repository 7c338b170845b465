"""Escaped HTML of what the pages show. Pure.

File names, snippets and what a model wrote are not trusted: every string passes `escaping.escaped` (for HTML) or
`escaping.label` (for widgets that read Markdown), and nothing else writes into the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from locator_search.drive_search.file_types import type_name
from locator_search.locales.reasons import reason_text
from locator_search.model import Chunk, Evidence, GroupMember
from locator_search.ports import KnownFile, PartStatus
from locator_search.text.matching import find_marks
from streamlit_app.shared.escaping import escaped, highlighted, page_link
from streamlit_app.shared.texts import Texts


def result_html(evidence: Evidence, rank: int, texts: Texts, zone: ZoneInfo) -> str:
    """One result: rank, name, where and when, snippet, summary, keywords, similarity."""
    link = page_link(evidence)
    name = escaped(evidence.file_name)
    title = f'<a href="{escaped(link)}" target="_blank">{name}</a>' if link else name
    rows = [
        f'<div class="dl-title" role="heading" aria-level="2"><span class="dl-rank">{rank}</span>{title}</div>',
        f'<div class="dl-meta">{separated(_facts(evidence, texts, zone))}</div>',
        f'<div class="dl-snippet">{highlighted(evidence.snippet, evidence.highlights)}</div>'
        if evidence.snippet
        else "",
        f'<div class="dl-summary"><b>{texts.summary}</b>{escaped(evidence.summary)}</div>' if evidence.summary else "",
        f'<div class="dl-foot">{_similarity(evidence, texts)}{chips(evidence.keywords)}</div>',
    ]
    return f'<div class="dl-card">{"".join(rows)}</div>'


def group_html(members: Sequence[GroupMember], texts: Texts, zone: ZoneInfo) -> str:
    """The files folded under a result: name, what makes them the same document, when and where."""
    return f'<div class="dl-card dl-group">{"".join(_member_html(member, texts, zone) for member in members)}</div>'


def _member_html(member: GroupMember, texts: Texts, zone: ZoneInfo) -> str:
    file = member.evidence
    link, name = page_link(file), escaped(file.file_name)
    title = f'<a href="{escaped(link)}" target="_blank">{name}</a>' if link else name
    facts = [f'<span class="dl-type">{texts.group_kinds[member.kind]}</span>']
    if member.kind != "copy":
        facts.append(f"<span>{texts.overlap.format(share=f'{member.overlap:.0%}')}</span>")
    facts.append(f"<span>{file.modified_at.astimezone(zone):%Y-%m-%d %H:%M}</span>")
    facts += [f"<bdi>{escaped(file.folder_path)}</bdi>", _freshness(file, texts)]
    return f'<div><b>{title}</b><div class="dl-meta">{separated(facts)}</div></div>'


def _facts(evidence: Evidence, texts: Texts, zone: ZoneInfo) -> list[str]:
    facts = [f'<span class="dl-type">{escaped(type_name(evidence.mime_type))}</span>']
    if evidence.folder_path:
        facts.append(f"<bdi>{escaped(evidence.folder_path)}</bdi>")
    facts.append(f"<span>{evidence.modified_at.astimezone(zone):%Y-%m-%d %H:%M}</span>")
    if evidence.size is not None:
        facts.append(file_size(evidence.size))
    if evidence.page_number is not None:
        facts.append(texts.page.format(page=evidence.page_number))
    if evidence.clause_number:
        facts.append(texts.clause.format(clause=escaped(evidence.clause_number)))
    if evidence.text_state != "ok":
        facts.append(f'<b class="dl-changed">{reason_text(evidence.text_state, texts.language).words}</b>')
    if evidence.summary_state != "ok":
        facts.append(f'<b class="dl-changed">{reason_text(evidence.summary_state, texts.language).words}</b>')
    facts.append(_freshness(evidence, texts))
    return facts


def _freshness(evidence: Evidence, texts: Texts) -> str:
    mark = {"verified": "✓", "changed": "↻", "not_verified": "?"}[evidence.freshness]
    return f'<span class="dl-{evidence.freshness}">{mark} {texts.freshness[evidence.freshness]}</span>'


def _similarity(evidence: Evidence, texts: Texts) -> str:
    details = [texts.arms[evidence.similarity_source]]
    if evidence.cosine is not None:
        details.append(texts.cosine.format(value=f"{evidence.cosine:.2f}"))
    width = round(100 * min(max(evidence.similarity, 0.0), 1.0))
    return (
        f'<span class="dl-similarity">{texts.similarity} <b>{evidence.similarity:.2f}</b>'
        f'<span class="dl-bar"><span style="width:{width}%"></span></span>'
        f"<small>{separated(details)}</small></span>"
    )


def chips(words: Sequence[str]) -> str:
    """Short words side by side."""
    return (
        f'<span class="dl-chips">{"".join(f"<span>{escaped(word)}</span>" for word in words)}</span>' if words else ""
    )


def why_html(evidence: Evidence, texts: Texts) -> str:
    """Why a result is one, in plain sentences, with every figure behind them."""
    sentences = "".join(f"<li>{escaped(sentence)}</li>" for sentence in reasons(evidence, texts))
    table = table_html((texts.why_factor, texts.why_value), explained(evidence.explain, texts))
    return (
        f'<ul class="dl-why">{sentences}</ul><details class="dl-more"><summary>{texts.why_figures}</summary>'
        f"{table}</details>"
    )


def reasons(evidence: Evidence, texts: Texts) -> list[str]:
    """The explanation of a result as sentences; a ranking that did not find it adds none."""
    explain = evidence.explain
    vector, keyword = _mapping(explain.get("vector")), _mapping(explain.get("keyword"))
    found: list[str] = []
    if keyword:
        words = texts.comma.join(str(term) for term in _sequence(explain.get("matched_terms")))
        share = f"{min(1.0, float(keyword.get('share') or 0)):.0%}"
        found.append(texts.why_terms.format(share=share, words=words or "–", rank=keyword.get("rank")))
        if keyword.get("name_idf"):
            found.append(texts.why_name)
    if vector:
        found.append(texts.why_near.format(rank=vector.get("rank")))
    arm = texts.arms[evidence.similarity_source]
    found.append(texts.why_similarity.format(similarity=f"{evidence.similarity:.2f}", arm=arm))
    weight = explain.get("keyword_weight")
    if isinstance(weight, float) and vector and keyword:
        found.append(texts.why_mixed.format(keyword=f"{weight:.0%}", vector=f"{1 - weight:.0%}"))
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def explained(explain: Mapping[str, object], texts: Texts) -> list[tuple[str, str]]:
    """Why a result is one, as (factor, value) rows; what is nested gets a path of names."""
    rows: list[tuple[str, str]] = []
    for name, value in explain.items():
        words = texts.why_words.get(name, name)
        if isinstance(value, Mapping):
            rows += [(f"{words} / {inner}", shown) for inner, shown in explained(value, texts)]
        elif isinstance(value, str):
            rows.append((words, texts.why_words.get(value, value)))
        elif isinstance(value, Sequence):
            rows.append((words, "、".join(str(item) for item in value) or "–"))
        else:
            rows.append((words, "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)))
    return rows


def preview_html(chunks: Sequence[Chunk], hit: str, question: str, texts: Texts) -> str:
    """The text of a file with the places that match a question marked; the chunk with the text `hit` stands out."""
    return (
        f'<div class="dl-card dl-preview">{"".join(_chunk_html(chunk, hit, question, texts) for chunk in chunks)}</div>'
    )


def _chunk_html(chunk: Chunk, hit: str, question: str, texts: Texts) -> str:
    place = [escaped(" › ".join(chunk.heading_path))] if chunk.heading_path else []
    if chunk.page is not None:
        place.append(texts.page.format(page=chunk.page))
    is_hit = bool(hit) and chunk.text == hit
    if is_hit:
        place.append(f"<b>{texts.preview_hit}</b>")
    marks = [(mark.start, mark.end) for mark in find_marks(chunk.text, question)] if question else []
    marks = [(start, end) for start, end in marks if end - start > 1]  # one letter alone marks half a page
    return (
        f'<div class="{"dl-hit" if is_hit else "dl-chunk"}"><div class="dl-meta">{separated(place)}</div>'
        f'<div class="dl-text">{highlighted(chunk.text, marks)}</div></div>'
    )


def file_problem_html(known: KnownFile, texts: Texts, now: datetime) -> str:
    """A file that could not be read, why, how often it was tried, and whether it is about to be tried again."""
    due = known.next_try_at is not None and known.next_try_at <= now
    facts = [texts.states[known.state], texts.attempts.format(count=known.attempts), escaped(known.file.folder_path)]
    facts.append(f"<b>{texts.due}</b>" if due else "")
    words, detail = reason_text(known.reason, texts.language)
    more = f'<details class="dl-more"><summary>{texts.detail}</summary>{escaped(detail)}</details>' if detail else ""
    return (
        f'<div class="dl-card"><b>{escaped(known.file.file_name)}</b><div>{escaped(words)}</div>'
        f'<div class="dl-muted">{separated([fact for fact in facts if fact])}</div>{more}</div>'
    )


def part_html(part: PartStatus, texts: Texts) -> str:
    """The state of one part of the product, and what could be done about it."""
    name = texts.part_names.get(part.name) or part.label or part.name
    return (
        f'<div class="dl-part"><span class="dl-state dl-{part.state}">{texts.part_states[part.state]}</span>'
        f"<div><b>{escaped(name)}</b> {escaped(part.detail)}"
        f'<div class="dl-muted">{escaped(part.hint)}</div></div></div>'
    )


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table that scrolls sideways where it does not fit."""
    head = "".join(f"<th>{escaped(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escaped(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="dl-table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def file_size(size: int) -> str:
    """Bytes as people say them: 0 B, 12 KB, 3.4 MB."""
    if size < 1024:
        return f"{size} B"
    amount = size / 1024
    for unit in ("KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"


def separated(parts: Sequence[str]) -> str:
    """Pieces of HTML on one line with dots between. A line breaks after a dot, never before: hence the word joiner."""
    return '<span class="dl-dot">&#8288;·</span> '.join(parts)
