"""Results, files, chips and tables, which several pages show, as HTML. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from locator_search.model import Chunk, Evidence, FileRef, GroupMember, UnreadFile
from locator_search.retrieval.grouping import placed_for
from locator_search.text.matching import find_marks
from streamlit_app.shared.escaping import page_link
from streamlit_app.shared.templates import render
from streamlit_app.shared.texts import Texts

AddressOf = Callable[[Evidence | FileRef], str | None]
"""Where a file opens; None where it opens nowhere."""


def result_html(
    evidence: Evidence, rank: int, texts: Texts, zone: ZoneInfo, address_of: AddressOf = page_link, chosen: bool = False
) -> Markup:
    """One result in a list: rank, name, where and when, snippet or else summary, similarity."""
    return render("shared/result", "card", evidence, rank, texts, zone, address_of, chosen)


def details_html(
    evidence: Evidence, texts: Texts, zone: ZoneInfo, address_of: AddressOf = page_link, opened: bool = False
) -> Markup:
    """All that is known of a result, its text apart."""
    return render("shared/result", "details", evidence, texts, zone, address_of, opened)


def group_html(
    members: Sequence[GroupMember], texts: Texts, zone: ZoneInfo, address_of: AddressOf = page_link
) -> Markup:
    """The files folded under a result: name, what makes them the same document, when and where."""
    return render("shared/result", "folded", members, texts, zone, address_of)


def unread_html(files: Sequence[UnreadFile], texts: Texts, address_of: AddressOf = page_link) -> Markup:
    """The files that fit by their names and could not be read: where they lie, why, and what comes next."""
    return render("shared/result", "unread", files, texts, address_of)


def chips(words: Sequence[str]) -> Markup:
    """Short words side by side."""
    return render("shared/parts", "chips", words)


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """A table that scrolls sideways where it does not fit."""
    return render("shared/parts", "table", columns, rows)


def why_html(evidence: Evidence, texts: Texts) -> Markup:
    """Why a result is one, in plain sentences, with every figure behind them."""
    return render("shared/result", "why", reasons(evidence, texts), explained(evidence.explain, texts), texts)


def reasons(evidence: Evidence, texts: Texts) -> list[str]:
    """The explanation of a result as sentences; a ranking that did not find it adds none."""
    explain = evidence.explain
    vector, keyword = _mapping(explain.get("vector")), _mapping(explain.get("keyword"))
    found = [texts.why_placed[way].format(phrase=phrase) for way, phrase in placed_for(evidence)]
    if keyword:
        words = texts.comma.join(str(term) for term in _sequence(explain.get("matched_terms")))
        share = f"{min(1.0, float(keyword.get('share') or 0)):.0%}"
        found.append(texts.why_terms.format(share=share, words=words or "–", rank=keyword.get("rank")))
        if keyword.get("name_idf"):
            found.append(texts.why_name)
    if vector:
        found.append(texts.why_near.format(rank=vector.get("rank")))
    source = texts.similarity_sources[evidence.similarity_source]
    found.append(texts.why_similarity.format(similarity=f"{evidence.similarity:.2f}", source=source))
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


def preview_html(chunks: Sequence[Chunk], hit: str, question: str, texts: Texts) -> Markup:
    """The text of a file with the places that match a question marked; the chunk with the text `hit` stands out."""
    shown = [(chunk, _marks(chunk.text, question), bool(hit) and chunk.text == hit) for chunk in chunks]
    return render("shared/result", "preview", shown, texts)


def _marks(text: str, question: str) -> list[tuple[int, int]]:
    """The places that match; one letter alone would mark half a page."""
    marks = find_marks(text, question) if question else ()
    return [(mark.start, mark.end) for mark in marks if mark.end - mark.start > 1]
