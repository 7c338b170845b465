"""`document-locator contributions analyse` and `export`: cited analyses, and review sheets to take away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from locator_search.cli.shared.files import write_whole
from locator_search.cli.shared.output import JsonFlag, emit_json, error_console, reports_errors
from locator_search.locales import Language, languages

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.ports.contributions.analyses import AnalysisKind, KeptAnalysis
    from locator_search.ports.sheets import Sheet

NOBODY = ""
"""The owner of what is analysed where nobody signs in."""


def _language(value: str) -> Language:
    if value not in languages():
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(map(repr, languages()))}.")
    return value


LanguageOption = Annotated[
    Language | None,
    typer.Option(
        parser=_language,
        metavar=f"[{'|'.join(languages())}]",
        help="Default: LOCATOR_LANGUAGE; of a sheet, that of its analysis.",
    ),
]


@reports_errors
def analyse(
    contributions: Annotated[
        list[str],
        typer.Argument(
            metavar="CONTRIBUTION", help="Numbers (S1-254001) or ids (SA1#111/S1-254001); several are compared."
        ),
    ],
    revisions: Annotated[
        bool, typer.Option("--revisions", help="Compare two revisions, the older one first, clause by clause.")
    ] = False,
    question: Annotated[
        str, typer.Option("--question", help="What you want to know besides; the name of a saved question will do.")
    ] = "",
    language: LanguageOption = None,
    json_output: JsonFlag = False,
) -> None:
    """Analyse a contribution, or compare several; every claim cites its evidence. / 寄書を分析・比較します。

    Contributions of which nothing is found are left out and named, with the reason.

    Example: document-locator contributions analyse S1-254001 --question "Does it affect roaming?" --json
    """
    from locator_search.app.locator import open_locator
    from locator_search.contributions.analysis.as_json import analysis_as_json
    from locator_search.core.errors import LocatorError

    with open_locator() as locator:
        parts = locator.contributions
        saved = {one.name: one.question for one in parts.questions.of(NOBODY)} if question else {}
        analysis = parts.agent.run(
            _kind(contributions, revisions=revisions),
            contributions,
            language,
            saved.get(question, question),
            None if json_output else _announce,
        )
        if not analysis.evidence:
            reasons = "; ".join(f"{one.contribution_id}: {one.reason}" for one in analysis.left_out)
            hint = "document-locator contributions index " + " ".join(contributions)
            raise LocatorError(f"{analysis.notes[-1]} {reasons}", hint=hint)
        analysis_id = parts.analyses.save(analysis, NOBODY)
        if json_output:
            emit_json({"analysis_id": analysis_id, **analysis_as_json(analysis)})
            return
        _show(_sheet(parts.analyses.get(analysis_id, NOBODY), locator, language))


@reports_errors
def export(
    analysis: Annotated[
        str | None,
        typer.Argument(metavar="ANALYSIS", help="The analysis_id that `analyse --json` prints. Default: the latest."),
    ] = None,
    sheet_format: Annotated[
        Literal["docx", "md", "xlsx"], typer.Option("--format", help="Word, Markdown or Excel.")
    ] = "docx",
    out: Annotated[Path | None, typer.Option(help="File to write. Default: under LOCATOR_HOME.")] = None,
    language: LanguageOption = None,
    json_output: JsonFlag = False,
) -> None:
    """Write an analysis as a review sheet. / 分析結果をレビューシートに書き出します。

    Example: document-locator contributions export --format docx --out review.docx
    """
    from locator_search.app.locator import open_locator
    from locator_search.app.sheets import sheet_as
    from locator_search.core.errors import LocatorError

    with open_locator() as locator:
        parts = locator.contributions
        latest = [parts.analyses.get(analysis, NOBODY)] if analysis else list(parts.analyses.latest(NOBODY, limit=1))
        if not latest:
            raise LocatorError("There is no analysis yet.", hint="document-locator contributions analyse S1-254001")
        kept = latest[0]
        path = out or parts.folder / "outputs" / f"{kept.analysis_id}.{sheet_format}"
        write_whole(path, sheet_as(_sheet(kept, locator, language), sheet_format))
    if json_output:
        emit_json({"analysis_id": kept.analysis_id, "path": str(path.absolute()), "format": sheet_format})
    else:
        from locator_search.cli.shared.lines import show_line

        show_line(str(path))


@reports_errors
def questions(
    save: Annotated[
        tuple[str, str] | None, typer.Option("--save", metavar="NAME QUESTION", help="Keep a question under a name.")
    ] = None,
    delete: Annotated[str | None, typer.Option("--delete", metavar="NAME", help="Forget a question.")] = None,
    json_output: JsonFlag = False,
) -> None:
    """Show, keep or forget questions to put to contributions. / 寄書への質問を保存・一覧・削除します。

    Example: document-locator contributions questions --save roaming "Does it affect roaming?"
    """
    from locator_search.app.locator import open_locator
    from locator_search.core.errors import ConfigurationError
    from locator_search.ports.contributions.questions import SavedQuestion

    with open_locator() as locator:
        kept = locator.contributions.questions
        if save is not None:
            name, question = (" ".join(part.split()) for part in save)
            if not name or not question:
                raise ConfigurationError("A saved question needs a name and a text.")
            kept.save(NOBODY, SavedQuestion(name, question))
        if delete is not None and not kept.delete(NOBODY, delete):
            raise ConfigurationError(f"No question is saved as {delete}.")
        saved = kept.of(NOBODY)
    if json_output:
        emit_json({"questions": [{"name": one.name, "question": one.question} for one in saved]})
        return
    from locator_search.cli.shared.lines import show_line

    for one in saved:
        show_line((f"{one.name}: ", "bold"), one.question)


def _kind(contributions: list[str], *, revisions: bool) -> AnalysisKind:
    if revisions:
        return "revisions"
    return "single" if len(contributions) == 1 else "comparison"


def _announce(line: str) -> None:
    error_console.print(line, style="dim")


def _sheet(kept: KeptAnalysis, locator: Locator, language: Language | None) -> Sheet:
    from zoneinfo import ZoneInfo

    from locator_search.contributions.analysis.review_sheet import review_sheet

    made = kept.created_at.astimezone(ZoneInfo(locator.settings.locator_time_zone))
    return review_sheet(kept.analysis, f"{made:%Y-%m-%d %H:%M %Z}", language)


def _show(sheet: Sheet) -> None:
    from locator_search.cli.shared.lines import show_line

    for name, value in sheet.facts:
        show_line((f"{name}: ", "dim"), value)
    for section in sheet.sections:
        show_line("")
        show_line((section.title, "bold"))
        for row in section.table.rows if section.table else ():
            for column, cell in zip(section.table.columns if section.table else (), row, strict=True):
                if cell:
                    show_line(f"  {column}: ", (" / ".join(cell.split("\n")), ""))
        for line in section.lines:
            style = "green" if line.inserted else "red" if line.deleted else "yellow" if line.marked else ""
            show_line("  ", (line.text, style))
            for source in line.sources:
                show_line("      ", (source, "dim"))
