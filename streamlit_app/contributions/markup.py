"""Analyses as HTML. Every string of a contribution or a model is escaped; nothing else writes into the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from locator_search.contributions.analysis.messages import Sentences
from locator_search.locales.reasons import reason_text
from locator_search.model import Evidence, TrackedChange
from locator_search.ports import DocumentState, KnownContribution
from locator_search.ports.contributions.analyses import Analysis, AskedQuery, ChangedClause, Claim
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared.escaping import escaped
from streamlit_app.shared.markup import separated, table_html


def place(evidence: Evidence, texts: ContributionTexts) -> str:
    """Clause and page of a passage, as plain text."""
    clause = texts.clause.format(clause=evidence.clause_number) if evidence.clause_number else texts.no_clause
    if evidence.page_number is None:
        return clause
    form = texts.estimated_page if evidence.page_is_estimated else texts.page
    return f"{clause} · {form.format(page=evidence.page_number)}"


def details_html(known: KnownContribution, documents: Sequence[DocumentState], texts: ContributionTexts) -> str:
    """One contribution: its number and title, how its documents were read, and the fields of its cover page."""
    one, cover = known.contribution, known.cover
    state = texts.stages[known.state]
    why = texts.why.format(reason=reason_text(known.reason, texts.language).words) if known.reason else ""
    read = "".join(f"<li>{_reading_html(document, texts)}</li>" for document in documents)
    fields = [(words, cover[name]) for name, words in Sentences.of(texts.language).cover.items() if name in cover]
    rows = "".join(f"<tr><th>{escaped(words)}</th><td>{escaped(value)}</td></tr>" for words, value in fields)
    table = f'<div class="dl-table"><table><tbody>{rows}</tbody></table></div>' if rows else ""
    return (
        f'<div class="dl-card"><b>{escaped(one.number)}</b> {escaped(one.title)}'
        f'<div class="dl-muted">{escaped(f"{state}{why}")}</div>'
        f'<ul class="dl-why">{read}</ul>{table}</div>'
    )


def _reading_html(document: DocumentState, texts: ContributionTexts) -> str:
    """How a document was read, where its pages come from, and what the program said where something is amiss."""
    words = texts.readings.get(document.state) or reason_text(document.state, texts.language).words
    has_text = document.state in ("ok", "partial", "suspicious")
    pages = texts.why.format(reason=texts.pages[document.pages]) if has_text else ""
    detail = f'<div class="dl-muted">{escaped(document.reason)}</div>' if document.reason else ""
    return f"{escaped(document.source_file)}: {escaped(f'{words}{pages}')}{detail}"


def question_html(question: str, texts: ContributionTexts) -> str:
    """The person's own question, empty where there is none."""
    return f"<div>{escaped(texts.answer.format(question=question))}</div>" if question else ""


def claim_html(claim: Claim, texts: ContributionTexts) -> str:
    """One claim, marked where nothing supports it, and why."""
    reasons = []
    if claim.unverified:
        reasons.append(texts.unverified_numbers.format(words=", ".join(claim.unverified)))
    if claim.refused:
        reasons.append(texts.refused_citations.format(citations="; ".join(claim.refused)))
    badge = "" if claim.supported else f'<span class="dl-unsupported">{escaped(texts.not_supported)}</span> '
    why = "".join(f'<div class="dl-muted">{escaped(reason)}</div>' for reason in reasons)
    return f'<div class="dl-claim">{badge}{escaped(claim.text)}{why}</div>'


def change_html(change: ChangedClause, texts: ContributionTexts) -> str:
    """The insertions and deletions of one clause."""
    clause = texts.clause.format(clause=change.clause_number) if change.clause_number else texts.no_clause
    rows = [(texts.inserted, "ins", text) for text in change.inserted]
    rows += [(texts.deleted, "del", text) for text in change.deleted]
    lines = "".join(
        f'<div class="dl-change"><small>{escaped(word)}</small><{tag}>{escaped(text)}</{tag}></div>'
        for word, tag, text in rows
    )
    return f'<div class="dl-claim"><b>{escaped(change.contribution_number)}</b> {escaped(clause)}{lines}</div>'


def passage_html(evidence: Evidence, quote: str, texts: ContributionTexts) -> str:
    """A passage with its clause and page, the quote marked, insertions and deletions shown as such."""
    facts = [escaped(place(evidence, texts)), escaped(evidence.source_file or evidence.file_name)]
    if evidence.text_state != "ok":
        facts.append(f'<b class="dl-changed">{reason_text(evidence.text_state, texts.language).words}</b>')
    path = " › ".join(evidence.heading_path)
    hint = f'<div class="dl-muted">{texts.estimated_hint}</div>' if evidence.page_is_estimated else ""
    text = _text_html(evidence.text, evidence.changes, _quoted_span(evidence, quote), quote)
    return (
        f'<div class="dl-card dl-passage"><div class="dl-meta">{separated(facts)}</div>'
        f'<div class="dl-muted">{escaped(path)}</div>'
        f'<div class="dl-text">{text}</div>'
        f"{hint}</div>"
    )


def queries_html(queries: Sequence[AskedQuery], texts: ContributionTexts) -> str:
    """Every search that was made."""
    return table_html(texts.search_columns, ((one.purpose, one.query, one.found) for one in queries))


def made_by_html(analysis: Analysis, texts: ContributionTexts) -> str:
    """The model that wrote the claims and the origin of the evidence; a stand-in is named as one."""
    facts = [texts.provider.format(provider=analysis.provider), texts.by_model.format(model=analysis.chat_model)]
    words = separated([escaped(fact) for fact in facts])
    if not analysis.chat_model.startswith("offline-"):
        return f'<div class="dl-muted">{words}</div>'
    return (
        f'<div class="dl-stand-in">{texts.stand_in}</div><div class="dl-muted">{texts.stand_in_hint}<br>{words}</div>'
    )


def _quoted_span(evidence: Evidence, quote: str) -> tuple[int, int]:
    """Where a quote stands in the text, whatever its white space; an empty span where it stands in a deletion."""
    words = [re.escape(word) for word in quote.split()]
    found = re.search(r"\s+".join(words), evidence.text, re.IGNORECASE) if words else None
    return found.span() if found else (0, 0)


def _text_html(text: str, changes: Sequence[TrackedChange], quoted: tuple[int, int], quote: str) -> str:
    """The text cut wherever a mark begins or ends, each piece in the tags that hold for it."""
    inserted = [(one.offset, one.offset + len(one.text)) for one in changes if one.kind == "insert"]
    deleted = sorted((one for one in changes if one.kind == "delete"), key=lambda one: one.offset)
    ends = {end for span in (*inserted, quoted) for end in span}
    cuts = sorted({0, len(text), *ends, *(one.offset for one in deleted)})
    pieces: list[str] = []
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        pieces += [_deleted_html(one.text, quote) for one in deleted if one.offset == start]
        piece = escaped(text[start:end])
        if any(begin <= start < stop for begin, stop in inserted):
            piece = f"<ins>{piece}</ins>"
        if quoted[0] <= start < quoted[1]:
            piece = f"<mark>{piece}</mark>"
        pieces.append(piece)
    return "".join(pieces)


def _deleted_html(text: str, quote: str) -> str:
    is_quoted = bool(quote.strip()) and " ".join(quote.split()).casefold() in " ".join(text.split()).casefold()
    gone = f"<del>{escaped(text)}</del>"
    return f"<mark>{gone}</mark>" if is_quoted else gone
