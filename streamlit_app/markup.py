"""Escaped HTML of what the pages show. Pure.

File names, snippets and what a model wrote are not trusted: every string passes `escaped` (for HTML) or `label` (for
widgets that read Markdown), and nothing else writes into the page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from locator_search.drive_search.file_types import type_name
from locator_search.model import Evidence
from locator_search.ports import KnownFile, PartStatus
from streamlit_app.texts import Texts

# Controls and direction overrides: they can hide or reverse a part of a file name ("exe.fdp" for "pdf.exe").
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def visible(text: str) -> str:
    """The text without characters that a reader cannot see and that change how the others look."""
    return _INVISIBLE.sub("", text)


def escaped(text: str) -> str:
    """Text that an HTML page shows as it is."""
    return html.escape(visible(text), quote=True)


def label(text: str) -> str:
    """Text that a Streamlit label shows as it is: no Markdown, no formula, no emoji code.

    An invisible word joiner after a colon, a dash, `<` and the like keeps `:smile:`, `--` and `->` from being replaced,
    which a backslash does not: Streamlit replaces them after it has read the Markdown.
    """
    one_line = " ".join(visible(text).split())
    return re.sub(r"(\\[:<>=~-])", "\\1\u2060", _MARKDOWN.sub(r"\\\1", one_line))


def highlighted(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The escaped text with its spans in `<mark>`. Spans that overlap or lie outside are cut to fit."""
    pieces, position = [], 0
    for start, end in sorted(spans):
        start, end = max(start, position), min(end, len(text))
        if start < end:
            pieces += [escaped(text[position:start]), "<mark>", escaped(text[start:end]), "</mark>"]
            position = end
    return "".join([*pieces, escaped(text[position:])])


def web_link(link: str) -> str | None:
    """The link when it is an http(s) one, else None."""
    try:
        return link if urlsplit(link).scheme in ("http", "https") else None
    except ValueError:
        return None


def local_path(link: str) -> str | None:
    """The path a `file:` link names, else None."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    return visible(unquote(parts.path)) if parts.scheme == "file" else None


def result_html(evidence: Evidence, rank: int, texts: Texts, zone: ZoneInfo) -> str:
    """One result: rank, name, where and when, snippet, summary, keywords, similarity."""
    link = web_link(evidence.link)
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


def _facts(evidence: Evidence, texts: Texts, zone: ZoneInfo) -> list[str]:
    facts = [f'<span class="dl-type">{escaped(type_name(evidence.mime_type))}</span>']
    if evidence.folder_path:
        facts.append(f"<bdi>{escaped(evidence.folder_path)}</bdi>")
    facts.append(f"<span>{evidence.modified_at.astimezone(zone):%Y-%m-%d %H:%M}</span>")
    if evidence.size is not None:
        facts.append(file_size(evidence.size))
    if evidence.page_number is not None:
        facts.append(texts.page.format(number=evidence.page_number))
    if evidence.clause_number:
        facts.append(texts.clause.format(number=escaped(evidence.clause_number)))
    mark = {"verified": "✓", "changed": "↻", "not_verified": "?"}[evidence.freshness]
    facts.append(f'<span class="dl-{evidence.freshness}">{mark} {texts.freshness[evidence.freshness]}</span>')
    return facts


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


def explained(explain: Mapping[str, object], texts: Texts) -> list[tuple[str, str]]:
    """Why a result is one, as (factor, value) rows; what is nested gets a path of names."""
    rows: list[tuple[str, str]] = []
    for name, value in explain.items():
        words = texts.why_words.get(name, name)
        if isinstance(value, Mapping):
            rows += [(f"{words} / {inner}", shown) for inner, shown in explained(value, texts)]
        elif isinstance(value, str):
            rows.append((words, value))
        elif isinstance(value, Sequence):
            rows.append((words, "、".join(str(item) for item in value) or "–"))
        else:
            rows.append((words, "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)))
    return rows


def reason_words(reason: str, texts: Texts) -> str:
    """A reason as the registry keeps it, `code` or `code: what the parser said`, in words."""
    code, colon, detail = reason.partition(": ")
    return texts.reason_words.get(code, code) + (colon and f"{colon}{detail}")


def file_problem_html(known: KnownFile, texts: Texts, now: datetime) -> str:
    """A file that could not be read, why, how often it was tried, and whether it is about to be tried again."""
    due = known.next_try_at is not None and known.next_try_at <= now
    facts = [texts.states[known.state], texts.attempts.format(count=known.attempts), escaped(known.file.folder_path)]
    facts.append(f"<b>{texts.due}</b>" if due else "")
    reason = escaped(reason_words(known.reason, texts))
    return (
        f'<div class="dl-card"><b>{escaped(known.file.file_name)}</b><div>{reason}</div>'
        f'<div class="dl-muted">{separated([fact for fact in facts if fact])}</div></div>'
    )


def part_html(part: PartStatus, texts: Texts) -> str:
    """What stands behind one part, and what could be done about it."""
    name = texts.part_names.get(part.name, part.name)
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
