"""`document-locator contributions`: 3GPP contributions, from the folder of a meeting to evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, cast

import typer

from locator_search.cli.contributions import analysis as contributions_analysis
from locator_search.cli.contributions.results import (
    document_as_json,
    known_as_json,
    print_details,
    print_known,
    print_result,
    print_sync,
    result_as_json,
    sync_as_json,
)
from locator_search.cli.shared.output import JsonFlag, console, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.contributions.texts import ContributionTexts
    from locator_search.contributions.acquisition import SyncReport
    from locator_search.contributions.selection import Selection
    from locator_search.contributions.stages import ContributionResult, ContributionStage
    from locator_search.ports import DocumentState, KnownContribution

app = typer.Typer(help="3GPP contributions: sync, normalise, index, analyse. / 3GPP 寄書", no_args_is_help=True)

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CONTRIBUTION]...", help="Numbers (S1-254001) or ids (SA1#111/S1-254001). Default: all due."
    ),
]
MeetingOption = Annotated[list[str] | None, typer.Option("--meeting", help="Only of this meeting: SA1#111 or SA1-111.")]
AgendaOption = Annotated[str | None, typer.Option("--agenda", help="Only of this agenda item and those below it.")]
SourceOption = Annotated[str | None, typer.Option("--source", help="Only from whom; a part of the name will do.")]
StatusOption = Annotated[str | None, typer.Option("--status", help="Only with this status in the TDoc list.")]
KindOption = Annotated[str | None, typer.Option("--type", help="Only of this type in the TDoc list, such as CR.")]
SpecOption = Annotated[str | None, typer.Option("--spec", help="Only for this specification, such as 22.261.")]
ReleaseOption = Annotated[str | None, typer.Option("--release", help="Only for this release, such as Rel-20.")]
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
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        texts = _begin(locator)
        reports = _sync(locator, meetings or [], last)
        archive, sample = locator.contributions.archive.name, locator.contributions.uses_sample
    if json_output:
        emit_json({"archive": archive, "sample": sample, "meetings": [sync_as_json(report) for report in reports]})
        return
    console.print(texts.archive.format(name=archive))
    for report in reports:
        print_sync(report, texts)
    console.print(texts.next_step)


@app.command(name="list")
@reports_errors
def list_known(
    contributions: Names = None,
    meeting: MeetingOption = None,
    agenda: AgendaOption = None,
    source: SourceOption = None,
    status: StatusOption = None,
    kind: KindOption = None,
    spec: SpecOption = None,
    release: ReleaseOption = None,
    json_output: JsonFlag = False,
) -> None:
    """Show what is known of contributions: title, source, agenda item, status. / 寄書の一覧を表示します。

    Example: document-locator contributions list --meeting SA1-111 --status agreed
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        texts = _begin(locator)
        known = _known(locator, _selection(contributions, meeting, agenda, source, status, kind, spec, release))
    if json_output:
        emit_json({"contributions": [known_as_json(one) for one in known]})
        return
    for one in known:
        print_known(one, texts)


@app.command()
@reports_errors
def meeting(
    name: Annotated[str, typer.Argument(metavar="MEETING", help="SA1#111 or SA1-111.")],
    agenda: AgendaOption = None,
    source: SourceOption = None,
    status: StatusOption = None,
    kind: KindOption = None,
    out: Annotated[Path | None, typer.Option(help="Write the table to a file: .xlsx, .docx or .md.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show a meeting by agenda item: source, status, revisions, decision. / 会合を議題順の一覧表で表示します。

    Example: document-locator contributions meeting SA1-111 --agenda 6 --out meeting.xlsx
    """
    from locator_search.app.locator import open_locator
    from locator_search.contributions.meeting_view import meeting_rows, meeting_table
    from locator_search.core.errors import ConfigurationError

    suffix = out.suffix.lower().lstrip(".") if out else "md"
    if suffix not in ("docx", "md", "xlsx"):
        raise ConfigurationError(f"{out} ends with none of .xlsx, .docx and .md.")
    with open_locator() as locator:
        texts = _begin(locator)
        shown = _known(locator, _selection(None, [name], agenda, source, status, kind, None, None))
        ids = {one.contribution.meeting_id for one in shown}
        rows = [
            row for one in sorted(ids) for row in meeting_rows(shown, locator.contributions.store.contributions(one))
        ]
    table = meeting_table(rows, texts.language)
    if out:
        from locator_search.app.sheets import sheet_as
        from locator_search.cli.shared.files import write_whole
        from locator_search.ports.sheets import Sheet, SheetFormat, SheetSection

        section = SheetSection(texts.contributions, table=table)
        sheet = Sheet(name, (), (section,))
        write_whole(out, sheet_as(sheet, cast("SheetFormat", suffix)))
    if json_output:
        emit_json({"meeting": name, "rows": [asdict(row) for row in rows]})
        return
    from locator_search.cli.shared.lines import show_line

    for row in table.rows:
        told = (f"{column} {cell}" for column, cell in zip(table.columns[4:], row[4:], strict=True) if cell)
        show_line((f"{row[0] or '-'}  {row[1]}  ", "bold"), "  ".join((row[2], row[3])))
        show_line("    ", ("  ".join(told), "dim"))


@app.command()
@reports_errors
def show(
    contributions: Annotated[
        list[str], typer.Argument(metavar="CONTRIBUTION...", help="Numbers (S1-254001) or ids (SA1#111/S1-254001).")
    ],
    json_output: JsonFlag = False,
) -> None:
    """Show all that is known of contributions: TDoc list, cover page, documents. / 寄書の詳細を表示します。

    Example: document-locator contributions show S1-254001
    """
    from locator_search.app.locator import open_locator
    from locator_search.contributions.selection import Selection

    with open_locator() as locator:
        texts = _begin(locator)
        known = _known(locator, Selection(tuple(contributions)))
        documents = locator.contributions.store.document_states(one.contribution.contribution_id for one in known)
    of: dict[str, list[DocumentState]] = {one.contribution.contribution_id: [] for one in known}
    for document in documents:
        of[document.contribution_id].append(document)
    if json_output:
        described = [
            {
                **known_as_json(one),
                "documents": [document_as_json(each) for each in of[one.contribution.contribution_id]],
            }
            for one in known
        ]
        emit_json({"contributions": described})
        return
    for one in known:
        print_details(one, of[one.contribution.contribution_id], texts)


@app.command()
@reports_errors
def normalise(
    contributions: Names = None,
    meeting: MeetingOption = None,
    agenda: AgendaOption = None,
    source: SourceOption = None,
    status: StatusOption = None,
    kind: KindOption = None,
    spec: SpecOption = None,
    release: ReleaseOption = None,
    limit: LimitOption = None,
    again: AgainFlag = False,
    json_output: JsonFlag = False,
) -> None:
    """Fetch contributions and bring their documents into one form. / 寄書を取得し、docx に正規化します。

    A bad contribution is named and does not make the command fail: exit status 1 means that the archive or the
    database is out of reach; 2 that a setting or an argument is wrong.

    Example: document-locator contributions normalise S1-254001
    """
    _process(
        _selection(contributions, meeting, agenda, source, status, kind, spec, release),
        limit,
        again=again,
        until="normalized_docx",
        as_json=json_output,
    )


@app.command()
@reports_errors
def index(
    contributions: Names = None,
    meeting: MeetingOption = None,
    agenda: AgendaOption = None,
    source: SourceOption = None,
    status: StatusOption = None,
    kind: KindOption = None,
    spec: SpecOption = None,
    release: ReleaseOption = None,
    limit: LimitOption = None,
    again: AgainFlag = False,
    json_output: JsonFlag = False,
) -> None:
    """Fetch, normalise, cut and index contributions, through the Dagster assets. / 寄書を索引に登録します。

    Lists the newest meetings first when none is known yet. Exit status as of `normalise`.

    Example: document-locator contributions index --meeting SA1-111
    """
    _process(
        _selection(contributions, meeting, agenda, source, status, kind, spec, release),
        limit,
        again=again,
        until="contribution_index",
        as_json=json_output,
    )


def _begin(locator: Locator) -> ContributionTexts:
    """Say what stands behind the archive, on stderr, before anything is shown."""
    from locator_search.cli.contributions.texts import ContributionTexts

    texts = ContributionTexts.of(locator.settings.locator_language)
    if locator.contributions.uses_sample:
        error_console.print(texts.sample)
    return texts


def _sync(locator: Locator, wanted: Sequence[str], last: int) -> list[SyncReport]:
    from locator_search.contributions.acquisition import chosen_meetings, find_meetings

    chosen = chosen_meetings(find_meetings(locator.contributions.archive), wanted, last)
    return [locator.contributions.acquisition.sync(meeting) for meeting in chosen]


def _process(
    selection: Selection,
    limit: int | None,
    *,
    again: bool,
    until: ContributionStage,
    as_json: bool,
) -> None:
    from locator_assets.commands.contributions import process_contributions
    from locator_search.app.locator import open_locator

    started = perf_counter()
    with open_locator() as locator:
        texts = _begin(locator)
        converter = locator.contributions.converter
        if not converter.available:
            error_console.print(texts.no_converter)
        ids, settled = _chosen(locator, selection, limit, again=again)
        results = process_contributions(
            locator,
            ids,
            until=until,
            again=again,
            on_result=lambda result: None if as_json else print_result(result, texts),
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
                "contributions": [result_as_json(result) for result in results],
                "seconds": seconds,
            }
        )
    else:
        done = texts.done.format(**_counts(results, settled), seconds=seconds)
        console.print(done if results else texts.nothing_due)


def _selection(
    names: list[str] | None,
    meetings: list[str] | None,
    agenda_item: str | None,
    source: str | None,
    status: str | None,
    kind: str | None,
    specification: str | None,
    release: str | None,
) -> Selection:
    from locator_search.contributions.selection import Selection

    return Selection(
        tuple(names or ()), tuple(meetings or ()), agenda_item, source, status, kind, specification, release
    )


def _known(locator: Locator, selection: Selection) -> list[KnownContribution]:
    """The contributions that a selection means. Meetings nobody has listed yet are listed."""
    from locator_search.contributions.numbers import meeting_id_of

    parts = locator.contributions
    listed = {meeting.meeting_id.casefold() for meeting in parts.store.meetings()}
    unlisted = [name for name in selection.meetings if meeting_id_of(name).casefold() not in listed]
    if unlisted or not listed:
        _sync(locator, unlisted, NEWEST)
    return selection.of(parts.store.contributions())


def _chosen(locator: Locator, selection: Selection, limit: int | None, *, again: bool) -> tuple[list[str], int]:
    """The ids of what is to be worked on, and how many there is nothing to do for."""
    from locator_search.contributions.selection import due

    known, is_due = _known(locator, selection), locator.contributions.pipeline.is_due
    settled = 0
    chosen = known[:limit]
    if not selection.names and not again:
        settled = sum(not is_due(one) for one in known)
        chosen = due(known, is_due, limit)
    return [one.contribution.contribution_id for one in chosen], settled


def _counts(results: Sequence[ContributionResult], settled: int) -> dict[str, int]:
    endings = Counter(result.ending for result in results)
    endings["unchanged"] += settled
    return {name: endings[name] for name in ("indexed", "stopped", "unchanged", "skipped", "failed")}


app.command()(contributions_analysis.analyse)
app.command()(contributions_analysis.export)
app.command()(contributions_analysis.questions)
