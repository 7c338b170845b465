"""Contributions and their analyses as HTML. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.analysis.review_sheet import reasons_of
from locator_search.locales.reasons import reason_text
from locator_search.model import Evidence, TrackedChange
from locator_search.ports import DocumentState, KnownContribution
from locator_search.ports.contributions.analyses import Analysis, AskedQuery, ChangedClause, Claim
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared.markup import table_html
from streamlit_app.shared.templates import render

_PAGE = "contributions/contributions"
_Piece = tuple[str, str, bool]
"""A piece of a passage, the tag of its change (ins, del or none), and whether it is quoted."""


def place(evidence: Evidence, texts: ContributionTexts) -> str:
    """Clause and page of a passage, as plain text."""
    clause = texts.clause.format(clause=evidence.clause_number) if evidence.clause_number else texts.no_clause
    if evidence.page_number is None:
        return clause
    form = texts.estimated_page if evidence.page_is_estimated else texts.page
    return f"{clause} · {form.format(page=evidence.page_number)}"


def details_html(known: KnownContribution, documents: Sequence[DocumentState], texts: ContributionTexts) -> Markup:
    """One contribution: its number and title, how its documents were read, and the fields of its cover page."""
    why = texts.why.format(reason=reason_text(known.reason, texts.language).words) if known.reason else ""
    names = Sentences.of(texts.language).cover
    fields = [(words, known.cover[name]) for name, words in names.items() if name in known.cover]
    read = [(document, _reading(document, texts)) for document in documents]
    return render(_PAGE, "details", known, f"{texts.stages[known.state]}{why}", read, fields, texts)


def _reading(document: DocumentState, texts: ContributionTexts) -> str:
    """How a document was read, and where its pages come from."""
    words = texts.readings.get(document.state) or reason_text(document.state, texts.language).words
    has_text = document.state in ("ok", "partial", "suspicious")
    return words + (texts.why.format(reason=texts.pages[document.pages]) if has_text else "")


def question_html(question: str, texts: ContributionTexts) -> Markup:
    """The person's own question, empty where there is none."""
    return render("shared/parts", "tag", "div", texts.answer.format(question=question) if question else "")


def claim_html(claim: Claim, texts: ContributionTexts) -> Markup:
    """One claim, marked where nothing supports it, and why."""
    return render(_PAGE, "claim", claim, reasons_of(claim, texts), texts)


def change_html(change: ChangedClause, texts: ContributionTexts) -> Markup:
    """The insertions and deletions of one clause."""
    clause = texts.clause.format(clause=change.clause_number) if change.clause_number else texts.no_clause
    return render(_PAGE, "change", change, clause, texts)


def passage_html(evidence: Evidence, quote: str, texts: ContributionTexts) -> Markup:
    """A passage with its clause and page, the quote marked, insertions and deletions shown as such."""
    pieces = list(_pieces(evidence.text, evidence.changes, _quoted_span(evidence, quote), quote))
    return render(_PAGE, "passage", evidence, place(evidence, texts), pieces, texts)


def queries_html(queries: Sequence[AskedQuery], texts: ContributionTexts) -> Markup:
    """Every search that was made."""
    return table_html(texts.search_columns, ((one.purpose, one.query, one.found) for one in queries))


def made_by_html(analysis: Analysis, texts: ContributionTexts) -> Markup:
    """The model that wrote the claims and the origin of the evidence; a stand-in is named as one."""
    facts = (texts.provider.format(provider=analysis.provider), texts.by_model.format(model=analysis.chat_model))
    return render(_PAGE, "made_by", facts, analysis.chat_model.startswith("offline-"), texts)


def _quoted_span(evidence: Evidence, quote: str) -> tuple[int, int]:
    """Where a quote stands in the text, whatever its white space; an empty span where it stands in a deletion."""
    words = [re.escape(word) for word in quote.split()]
    found = re.search(r"\s+".join(words), evidence.text, re.IGNORECASE) if words else None
    return found.span() if found else (0, 0)


def _pieces(text: str, changes: Sequence[TrackedChange], quoted: tuple[int, int], quote: str) -> Iterator[_Piece]:
    """The text cut wherever a mark begins or ends, with what was deleted in between."""
    inserted = [(one.offset, one.offset + len(one.text)) for one in changes if one.kind == "insert"]
    deleted = sorted((one for one in changes if one.kind == "delete"), key=lambda one: one.offset)
    ends = {end for span in (*inserted, quoted) for end in span}
    cuts = sorted({0, len(text), *ends, *(one.offset for one in deleted)})
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        for one in deleted:
            if one.offset == start:
                yield one.text, "del", _holds(one.text, quote)
        is_inserted = any(begin <= start < stop for begin, stop in inserted)
        yield text[start:end], "ins" if is_inserted else "", quoted[0] <= start < quoted[1]


def _holds(text: str, quote: str) -> bool:
    """Whether a quote stands in a text, whatever the case and the white space."""
    return bool(quote.strip()) and " ".join(quote.split()).casefold() in " ".join(text.split()).casefold()
