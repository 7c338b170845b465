"""Meetings and contributions as the `contributions` commands print them, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locator_search.cli.shared.lines import show_line
from locator_search.locales.reasons import reason_text
from locator_search.locales.said import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locator_search.cli.contributions.texts import ContributionTexts
    from locator_search.contributions.acquisition import SyncReport
    from locator_search.contributions.stages import ContributionResult
    from locator_search.ports import DocumentState, KnownContribution


def sync_as_json(report: SyncReport) -> dict[str, object]:
    """One meeting brought up to date."""
    return {
        "meeting_id": report.meeting.meeting_id,
        "group": report.meeting.group,
        "folder": report.meeting.folder,
        "contributions": report.contributions,
        "files": report.files,
        "changed": list(report.changed),
        "others": report.others,
        "tdoc_list": report.tdoc_list,
        "problem": report.problem,
    }


def known_as_json(known: KnownContribution) -> dict[str, object]:
    """A contribution and its state as JSON."""
    contribution = known.contribution
    return {
        "contribution_id": contribution.contribution_id,
        "number": contribution.number,
        "meeting": contribution.meeting_id,
        "title": contribution.title,
        "source": contribution.source,
        "agenda_item": contribution.agenda_item,
        "type": contribution.kind,
        "status": contribution.status,
        "revision_of": contribution.revision_of,
        "revised_to": contribution.revised_to,
        "details": dict(contribution.details),
        "cover": dict(known.cover),
        "state": known.state,
        "reason": known.reason,
        "chunks": known.chunk_count,
    }


def result_as_json(result: ContributionResult) -> dict[str, object]:
    """One pass over a contribution."""
    facts = {name: fact for report in result.stages for name, fact in report.facts.items()}
    return {
        "contribution_id": result.key,
        "number": result.name,
        "meeting": result.contribution.meeting_id,
        "title": result.contribution.title,
        "ending": result.ending,
        "reason": result.reason,
        "failed_stage": result.failed_stage,
        "documents": facts.get("documents"),
        "readings": [document_as_json(one) for one in result.documents],
        "chunks": facts.get("chunks"),
        "pages_from": facts.get("pages_from"),
        "tracked_changes": facts.get("tracked_changes"),
        "problems": facts.get("problems", ""),
        "seconds": round(sum(report.seconds for report in result.stages), 3),
    }


def document_as_json(document: DocumentState) -> dict[str, object]:
    """How one document was read."""
    return {
        "source_file": document.source_file,
        "state": document.state,
        "reason": document.reason,
        "pages": document.pages,
        "converted": document.converted,
    }


def print_sync(report: SyncReport, texts: ContributionTexts) -> None:
    """One meeting brought up to date, in two lines."""
    show_line(
        texts.synced.format(
            meeting=report.meeting.meeting_id,
            contributions=report.contributions,
            files=report.files,
            changed=len(report.changed),
        )
    )
    if report.tdoc_list:
        show_line(texts.tdoc_list.format(name=report.tdoc_list))
    else:
        show_line(texts.no_tdoc_list.format(problem=told(report.problem, texts.language)))


def print_known(known: KnownContribution, texts: ContributionTexts) -> None:
    """A contribution in one line: what the meeting says of it, and how far it has come."""
    contribution = known.contribution
    listed = (contribution.title, contribution.source, contribution.agenda_item, contribution.kind, contribution.status)
    told = [contribution.contribution_id, _state(known, texts), *(part for part in listed if part)]
    show_line("  ".join(told))


def print_details(known: KnownContribution, documents: Sequence[DocumentState], texts: ContributionTexts) -> None:
    """Everything known of a contribution: what the meeting says, what its cover page says, how it was read."""
    from locator_search.contributions.analysis.messages import Sentences

    contribution, say = known.contribution, texts.fields
    show_line((contribution.contribution_id, "bold"))
    for name in ("title", "source", "agenda_item", "kind", "status", "revision_of", "revised_to"):
        if value := getattr(contribution, name):
            show_line(f"  {say[name]}: ", value)
    for name, value in contribution.details.items():
        show_line(f"  {name}: ", value)
    show_line(f"  {say['state']}: ", _state(known, texts))
    if documents:
        show_line(f"  {say['documents']}:")
    for document in documents:
        _print_document(document, texts)
    if known.cover:
        show_line(f"  {say['cover']}:")
    for name, words in Sentences.of(texts.language).cover.items():
        if name in known.cover:
            show_line(f"    {words}: ", known.cover[name])


def print_result(result: ContributionResult, texts: ContributionTexts) -> None:
    """One pass over a contribution in one line, and one more for each document with a flaw."""
    facts = {name: fact for report in result.stages for name, fact in report.facts.items()}
    told = [f"{result.key}  {texts.endings[result.ending]}"]
    if result.ending in ("skipped", "failed"):
        told[0] += texts.details.format(detail=reason_text(result.reason, texts.language).words)
    if "documents" in facts:
        told.append(texts.documents.format(count=facts["documents"]))
    if facts.get("chunks"):
        told.append(texts.chunks.format(count=facts["chunks"]))
    if facts.get("tracked_changes"):
        told.append(texts.changes.format(count=facts["tracked_changes"]))
    told += [texts.pages[name] for name in str(facts.get("pages_from", "")).split(", ") if name]
    show_line("  ".join(told))
    for document in result.documents:
        if document.reason or document.state != "ok":
            _print_document(document, texts)
    if result.ending == "failed":
        _print_recorded(reason_text(result.reason, texts.language).detail, texts)


def _print_document(document: DocumentState, texts: ContributionTexts) -> None:
    show_line(f"    {document.source_file}: {_reading(document, texts)}")
    _print_recorded(document.reason, texts)


def _print_recorded(detail: str, texts: ContributionTexts) -> None:
    """The sentences of the program."""
    if detail:
        show_line((f"      {texts.recorded}: {told(detail, texts.language)}", "dim"))


def _state(known: KnownContribution, texts: ContributionTexts) -> str:
    state = texts.states[known.state]
    return (
        state + texts.details.format(detail=reason_text(known.reason, texts.language).words) if known.reason else state
    )


def _reading(document: DocumentState, texts: ContributionTexts) -> str:
    """How a document was read, and where its page numbers come from."""
    words = texts.document_read if document.state == "ok" else reason_text(document.state, texts.language).words
    pages = texts.details.format(detail=texts.pages[document.pages])
    return words + pages if document.state in ("ok", "partial", "suspicious") else words
