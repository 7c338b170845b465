"""`document-locator contributions`: 3GPP contributions, from the folder of a meeting to evidence."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from locator_search.cli.contributions import analysis as contributions_analysis
from locator_search.cli.contributions import processing
from locator_search.cli.contributions.results import (
    document_as_json,
    known_as_json,
    print_details,
    print_known,
    print_sync,
    sync_as_json,
)
from locator_search.cli.contributions.selecting import (
    NEWEST,
    AgendaOption,
    KindOption,
    MeetingOption,
    Names,
    ReleaseOption,
    SourceOption,
    SpecOption,
    StatusOption,
    begin,
    known_contributions,
    selection_of,
    sync_meetings,
)
from locator_search.cli.shared.output import JsonFlag, console, emit_json, reports_errors

if TYPE_CHECKING:
    from locator_search.ports import DocumentState

app = typer.Typer(help="3GPP contributions: sync, normalise, index, analyse. / 3GPP 寄書", no_args_is_help=True)


@app.command()
@reports_errors
def sync(
    meetings: Annotated[
        list[str] | None,
        typer.Argument(metavar="MEETING", help="Meetings: SA1#111 or SA1-111. Default: the newest."),
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="Without names: so many of the newest meetings.")] = NEWEST,
    json_output: JsonFlag = False,
) -> None:
    """List meetings: their contributions, files and TDoc lists, no bodies. / 会合の寄書一覧を取得します。

    Example: document-locator contributions sync SA1-111
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        texts = begin(locator)
        reports = sync_meetings(locator, meetings or [], last)
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
        texts = begin(locator)
        selection = selection_of(contributions, meeting, agenda, source, status, kind, spec, release)
        known = known_contributions(locator, selection)
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
        texts = begin(locator)
        shown = known_contributions(locator, selection_of(None, [name], agenda, source, status, kind, None, None))
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
        list[str], typer.Argument(metavar="CONTRIBUTION", help="Numbers (S1-254001) or ids (SA1#111/S1-254001).")
    ],
    json_output: JsonFlag = False,
) -> None:
    """Show all that is known of contributions: TDoc list, cover page, documents. / 寄書の詳細を表示します。

    Example: document-locator contributions show S1-254001
    """
    from locator_search.app.locator import open_locator
    from locator_search.contributions.selection import Selection

    with open_locator() as locator:
        texts = begin(locator)
        known = known_contributions(locator, Selection(tuple(contributions)))
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


app.command("normalise", help=processing.NORMALISE)(processing.working("normalized_docx"))
app.command("index", help=processing.INDEX)(processing.working("contribution_index"))
app.command()(contributions_analysis.analyse)
app.command()(contributions_analysis.export)
app.command()(contributions_analysis.questions)
