"""Results, files, chips and tables, which several pages show, as HTML. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from zoneinfo import ZoneInfo

from markupsafe import Markup

from locator_search.model import Chunk, Evidence, FileRef, GroupMember, UnreadFile
from streamlit_app.shared.escaping import page_link
from streamlit_app.shared.ordering import RELEVANCE, Order
from streamlit_app.shared.reasons import explained, marks_of, reason_in_a_line, reasons
from streamlit_app.shared.templates import render
from streamlit_app.shared.texts import Texts

AddressOf = Callable[[Evidence | FileRef], str | None]
"""Where a file opens; None where it opens nowhere."""


def result_html(
    evidence: Evidence,
    rank: int,
    texts: Texts,
    zone: ZoneInfo,
    address_of: AddressOf = page_link,
    *,
    query: str = "",
    chosen: bool = False,
    order: Order = RELEVANCE,
) -> Markup:
    """One result in a list: rank, name, where and when, snippet or else summary, similarity, why it is there, and what
    the list is ordered by."""
    reason = reason_in_a_line(evidence, query, texts)
    return render("shared/result", "card", evidence, rank, reason, texts, zone, address_of, chosen, order)


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


def preview_html(chunks: Sequence[Chunk], hit: str, question: str, texts: Texts) -> Markup:
    """The text of a file with the places that match a question marked; the chunk with the text `hit` stands out."""
    shown = [(chunk, marks_of(chunk.text, question), bool(hit) and chunk.text == hit) for chunk in chunks]
    return render("shared/result", "preview", shown, texts)
