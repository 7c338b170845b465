"""An analysis as a review sheet: the facts, what was found with its citations, the changes, the evidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from locator_search.contributions.analysis.comparison import comparison_table
from locator_search.contributions.analysis.messages import Sentences
from locator_search.contributions.analysis.prompts import ASPECTS
from locator_search.locales import Common, Language
from locator_search.model import Evidence
from locator_search.ports.contributions.analyses import Analysis, Aspect, ChangedClause, Claim, Edit
from locator_search.ports.sheets import Sheet, SheetLine, SheetSection

LONGEST_PASSAGE = 1_500
"""Characters of a passage in the list of evidence."""


def review_sheet(analysis: Analysis, made: str, language: Language | None = None) -> Sheet:
    """The sheet of an analysis; `made` is when it was made, as people write it. Claims stay in the language they were
    written in, whatever the language of the sheet."""
    say = Sentences.of(language or analysis.language)
    left_out = tuple(SheetLine(f"{one.contribution_id}: {one.reason}", marked=True) for one in analysis.left_out)
    sections = (
        SheetSection(say.left_out_title, left_out),
        *_findings(analysis, say),
        *_covers(analysis, say),
        SheetSection(say.comparison_title, table=comparison_table(analysis, say)),
        _changes(analysis, say),
        SheetSection(say.notes_title, tuple(SheetLine(note) for note in analysis.notes)),
        _evidence(analysis, say),
        _queries(analysis, say),
    )
    return Sheet(
        title=say.sheet_title.format(kind=say.kinds[analysis.kind]),
        facts=_facts(analysis, made, say),
        sections=tuple(section for section in sections if section.lines or section.table),
    )


def place_of(evidence: Evidence, say: Sentences) -> str:
    """Contribution, clause, page and file of a passage, on one line."""
    clause = say.clause.format(clause=evidence.clause_number) if evidence.clause_number else say.no_clause
    page_form = say.estimated_page if evidence.page_is_estimated else say.page
    page = page_form.format(page=evidence.page_number) if evidence.page_number else ""
    name = evidence.contribution_number or evidence.file_name
    flaw = "" if evidence.text_state == "ok" else say.flaws[evidence.text_state]
    return ", ".join(filter(None, (name, clause, page, evidence.source_file, flaw)))


def reasons_of(claim: Claim, say: Common) -> list[str]:
    """Why a claim is not supported, a sentence each."""
    reasons = [say.doubts[doubt] for doubt in claim.doubts]
    if claim.unverified:
        reasons.append(say.unverified_numbers.format(words=", ".join(claim.unverified)))
    if claim.refused:
        reasons.append(say.refused_citations.format(citations="; ".join(claim.refused)))
    return reasons


def _facts(analysis: Analysis, made: str, say: Sentences) -> tuple[tuple[str, str], ...]:
    stand_in = say.stand_in if analysis.chat_model.startswith("offline-") else ""
    return (
        (say.contributions, ", ".join(analysis.contribution_ids)),
        (say.fact_kind, say.kinds[analysis.kind]),
        *(((say.question_label, analysis.question),) if analysis.question else ()),
        (say.fact_provider, analysis.provider),
        (say.language_model, f"{analysis.chat_model}{stand_in}"),
        (say.fact_made, made),
    )


def _findings(analysis: Analysis, say: Sentences) -> list[SheetSection]:
    answer: Aspect = "answer"
    aspects = dict.fromkeys((answer, *ASPECTS[analysis.kind], *(claim.aspect for claim in analysis.claims)))
    return [
        SheetSection(
            say.aspects[aspect],
            tuple(_claim(claim, analysis, say) for claim in analysis.claims if claim.aspect == aspect),
        )
        for aspect in aspects
    ]


def _covers(analysis: Analysis, say: Sentences) -> list[SheetSection]:
    return [
        SheetSection(
            say.cover_title.format(contribution=number),
            tuple(SheetLine(f"{words}: {cover[name]}") for name, words in say.cover.items() if name in cover),
        )
        for number, cover in analysis.covers.items()
    ]


def _claim(claim: Claim, analysis: Analysis, say: Sentences) -> SheetLine:
    sources = [
        f"[{citation.evidence + 1}] {place_of(analysis.evidence[citation.evidence], say)}"
        + (f": {_one_line(citation.quote)}" if citation.quote else "")
        for citation in claim.citations
    ]
    sources += reasons_of(claim, say)
    if claim.nearest is not None:
        place = place_of(analysis.evidence[claim.nearest], say)
        sources.append(say.nearest_passage.format(number=claim.nearest + 1, place=place))
    text = claim.text if claim.supported else f"{say.marked_not_supported} {claim.text}"
    return SheetLine(text, tuple(sources), marked=not claim.supported)


def _changes(analysis: Analysis, say: Sentences) -> SheetSection:
    lines = [line for change in analysis.changes for line in _change(change, analysis.evidence, say)]
    return SheetSection(say.changed_places, tuple(lines))


def _change(change: ChangedClause, evidence: Sequence[Evidence], say: Sentences) -> list[SheetLine]:
    places = tuple(f"[{number + 1}] {place_of(evidence[number], say)}" for number in change.evidence)
    clause = say.clause.format(clause=change.clause_number) if change.clause_number else say.no_clause
    head = say.changes_of.format(contribution=change.contribution_number, clause=clause)
    return [SheetLine(head, places), *(line for edit in change.edits for line in _edit(edit, say))]


def _edit(edit: Edit, say: Sentences) -> list[SheetLine]:
    """The sentence before and after, or the one that is new or was deleted."""
    before, after = (say.before, say.after) if edit.before and edit.after else (say.deleted, say.inserted)
    lines = [SheetLine(f"{before}{edit.before}", deleted=True)] if edit.before else []
    return [*lines, SheetLine(f"{after}{edit.after}", inserted=True)] if edit.after else lines


def _evidence(analysis: Analysis, say: Sentences) -> SheetSection:
    lines = [
        SheetLine(f"[{number}] {place_of(item, say)}", (_one_line(item.text)[:LONGEST_PASSAGE],))
        for number, item in enumerate(analysis.evidence, start=1)
    ]
    return SheetSection(say.evidence, tuple(lines))


def _queries(analysis: Analysis, say: Sentences) -> SheetSection:
    asked = (
        SheetLine(f"{one.purpose}: {say.asked.format(query=one.query, found=one.found)}") for one in analysis.queries
    )
    return SheetSection(say.searches, tuple(asked))


def _one_line(text: str) -> str:
    return " ".join(text.split())
