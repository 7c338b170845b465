"""What the `contributions` commands show of meetings and contributions: for people, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locator_search.cli.output import console

if TYPE_CHECKING:
    from locator_search.cli.contribution_texts import ContributionTexts
    from locator_search.contributions.acquisition import SyncReport
    from locator_search.contributions.stages import ContributionResult
    from locator_search.ports import KnownContribution


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
    """What is known of a contribution."""
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
        "chunks": facts.get("chunks"),
        "pages_from": facts.get("pages_from"),
        "tracked_changes": facts.get("tracked_changes"),
        "problems": facts.get("problems", ""),
        "seconds": round(sum(report.seconds for report in result.stages), 3),
    }


def print_sync(report: SyncReport, texts: ContributionTexts) -> None:
    """One meeting brought up to date, in two lines."""
    console.print(
        texts.synced.format(
            meeting=report.meeting.meeting_id,
            contributions=report.contributions,
            files=report.files,
            changed=len(report.changed),
        )
    )
    if report.tdoc_list:
        console.print(texts.tdoc_list.format(name=report.tdoc_list))
    else:
        console.print(texts.no_tdoc_list.format(problem=report.problem))


def print_known(known: KnownContribution, texts: ContributionTexts) -> None:
    """A contribution in one line: what the meeting says of it, and how far it has come."""
    contribution = known.contribution
    listed = (contribution.title, contribution.source, contribution.agenda_item, contribution.kind, contribution.status)
    told = [contribution.contribution_id, texts.states[known.state], *(part for part in listed if part)]
    console.print("  ".join(told), soft_wrap=True)


def print_result(result: ContributionResult, texts: ContributionTexts) -> None:
    """One pass over a contribution in one line."""
    facts = {name: fact for report in result.stages for name, fact in report.facts.items()}
    told = [f"{result.key}  {texts.endings[result.ending]}"]
    if "documents" in facts:
        told.append(texts.documents.format(count=facts["documents"]))
    if facts.get("chunks"):
        told.append(texts.chunks.format(count=facts["chunks"]))
    if facts.get("tracked_changes"):
        told.append(texts.changes.format(count=facts["tracked_changes"]))
    told += [texts.pages[name] for name in str(facts.get("pages_from", "")).split(", ") if name]
    told += [str(facts["problems"])] if facts.get("problems") else []
    if result.ending in ("skipped", "failed"):
        told.append(result.reason)
    console.print("  ".join(told), soft_wrap=True)
