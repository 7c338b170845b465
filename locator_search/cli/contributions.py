"""`document-locator contributions`: 3GPP contributions, from the folder of a meeting to evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli import contributions_analysis
from locator_search.cli.output import JsonFlag, console, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.app import Locator
    from locator_search.cli.contribution_texts import ContributionTexts
    from locator_search.contributions.acquisition import SyncReport
    from locator_search.contributions.stages import ContributionResult, ContributionStage

app = typer.Typer(help="3GPP contributions: sync, normalise, index, analyse. / 3GPP 寄書", no_args_is_help=True)

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CONTRIBUTION]...", help="Numbers (S1-254001) or ids (SA1#111/S1-254001). Default: all due."
    ),
]
MeetingOption = Annotated[list[str] | None, typer.Option("--meeting", help="Only of this meeting: SA1#111 or SA1-111.")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Work on at most so many.")]
AgainFlag = Annotated[bool, typer.Option("--again", help="Also what is done already.")]

NEWEST = 3


@app.command()
@reports_errors
def sync(
    meetings: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MEETING]...", help="Meetings: SA1#111 or SA1-111. Default: the newest."),
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="Without names: so many of the newest meetings.")] = NEWEST,
    json_output: JsonFlag = False,
) -> None:
    """List meetings: their contributions, files and TDoc lists, no bodies. / 会合の寄書一覧を取得します。

    Example: document-locator contributions sync SA1-111
    """
    from locator_search.app import open_locator

    with open_locator() as locator:
        texts = _begin(locator)
        reports = _sync(locator, meetings or [], last)
        archive, sample = locator.contributions.archive.name, locator.contributions.uses_sample
    if json_output:
        emit_json({"archive": archive, "sample": sample, "meetings": [_sync_as_json(report) for report in reports]})
        return
    console.print(texts.archive.format(name=archive))
    for report in reports:
        _print_sync(report, texts)
    console.print(texts.next_step)


@app.command()
@reports_errors
def normalise(
    contributions: Names = None,
    meeting: MeetingOption = None,
    limit: LimitOption = None,
    again: AgainFlag = False,
    json_output: JsonFlag = False,
) -> None:
    """Fetch contributions and bring their documents into one form. / 寄書を取得し、docx に正規化します。

    A bad contribution is named and does not make the command fail: exit status 1 means that the archive or the
    database is out of reach; 2 that a setting or an argument is wrong.

    Example: document-locator contributions normalise S1-254001
    """
    _process(contributions or [], meeting or [], limit, again=again, until="normalized_docx", as_json=json_output)


@app.command()
@reports_errors
def index(
    contributions: Names = None,
    meeting: MeetingOption = None,
    limit: LimitOption = None,
    again: AgainFlag = False,
    json_output: JsonFlag = False,
) -> None:
    """Fetch, normalise, cut and index contributions, through the Dagster assets. / 寄書を索引に登録します。

    Lists the newest meetings first when none is known yet. Exit status as of `normalise`.

    Example: document-locator contributions index --meeting SA1-111
    """
    _process(contributions or [], meeting or [], limit, again=again, until="contribution_index", as_json=json_output)


def _begin(locator: Locator) -> ContributionTexts:
    """Say what stands behind the archive, on stderr, before anything is shown."""
    from locator_search.cli.contribution_texts import contribution_texts

    texts = contribution_texts(locator.settings.locator_language)
    if locator.contributions.uses_sample:
        error_console.print(texts.sample)
    return texts


def _sync(locator: Locator, wanted: Sequence[str], last: int) -> list[SyncReport]:
    from locator_search.contributions.acquisition import chosen_meetings, find_meetings

    chosen = chosen_meetings(find_meetings(locator.contributions.archive), wanted, last)
    return [locator.contributions.acquisition.sync(meeting) for meeting in chosen]


def _process(
    names: Sequence[str],
    meetings: Sequence[str],
    limit: int | None,
    *,
    again: bool,
    until: ContributionStage,
    as_json: bool,
) -> None:
    from locator_assets.contributions.command import process_contributions
    from locator_search.app import open_locator

    started = perf_counter()
    with open_locator() as locator:
        texts = _begin(locator)
        converter = locator.contributions.converter
        if not converter.available:
            error_console.print(texts.no_converter)
        ids, settled = _chosen(locator, names, meetings, limit, again=again)
        results = process_contributions(
            locator,
            ids,
            until=until,
            again=again,
            on_result=lambda result: None if as_json else _print_result(result, texts),
        )
        archive, sample = locator.contributions.archive.name, locator.contributions.uses_sample
    seconds = round(perf_counter() - started, 3)
    if as_json:
        emit_json(
            {
                "archive": archive,
                "sample": sample,
                "converter": converter.version,
                **_counts(results, settled),
                "contributions": [_result_as_json(result) for result in results],
                "seconds": seconds,
            }
        )
    else:
        done = texts.done.format(**_counts(results, settled), seconds=seconds)
        console.print(done if results else texts.nothing_due)


def _chosen(
    locator: Locator, names: Sequence[str], meetings: Sequence[str], limit: int | None, *, again: bool
) -> tuple[list[str], int]:
    """The ids of what is to be worked on, and how many there is nothing to do for. Meetings nobody has listed yet are
    listed."""
    from locator_search.contributions.numbers import meeting_id_of
    from locator_search.contributions.selection import due, named

    parts = locator.contributions
    wanted = {meeting_id_of(name).casefold() for name in meetings}
    listed = {meeting.meeting_id.casefold() for meeting in parts.store.meetings()}
    unlisted = [name for name in meetings if meeting_id_of(name).casefold() not in listed]
    if unlisted or not listed:
        _sync(locator, unlisted, NEWEST)
    known = parts.store.contributions()
    if meetings:
        known = [one for one in known if one.contribution.meeting_id.casefold() in wanted]
    settled = 0
    if names:
        chosen = named(known, names)[:limit]
    elif again:
        chosen = known[:limit]
    else:
        settled = sum(not parts.pipeline.is_due(one) for one in known)
        chosen = due(known, parts.pipeline.is_due, limit)
    return [one.contribution.contribution_id for one in chosen], settled


def _counts(results: Sequence[ContributionResult], settled: int) -> dict[str, int]:
    endings = Counter(result.ending for result in results)
    endings["unchanged"] += settled
    return {name: endings[name] for name in ("indexed", "stopped", "unchanged", "skipped", "failed")}


def _sync_as_json(report: SyncReport) -> dict[str, object]:
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


def _result_as_json(result: ContributionResult) -> dict[str, object]:
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


def _print_sync(report: SyncReport, texts: ContributionTexts) -> None:
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


def _print_result(result: ContributionResult, texts: ContributionTexts) -> None:
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


app.command()(contributions_analysis.analyse)
app.command()(contributions_analysis.export)
