"""`document-locator search`: the branching search, the same flow as on the page."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.search.filters import (
    AfterOption,
    AnyPeriodFlag,
    AnyTypeFlag,
    BeforeOption,
    DriveOption,
    EditorOption,
    FolderOption,
    MatchingOffOption,
    MimeOption,
    OwnerOption,
    also_in,
    filters_from,
)
from locator_search.cli.shared.output import ExplainFlag, JsonFlag, console, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locator_search.cli.shared.texts import Texts
    from locator_search.config.settings import Settings
    from locator_search.drive_search.searcher import SearchRun
    from locator_search.model import SearchOutcome
    from locator_search.ports import OnProgress

    Answering = Callable[[SearchOutcome], str | None]

MOST_RELATED = 3


@reports_errors
def search(
    question: Annotated[str, typer.Argument(help="What you are looking for, in your own words.")],
    after: AfterOption = None,
    before: BeforeOption = None,
    mime: MimeOption = None,
    folder: FolderOption = None,
    owner: OwnerOption = None,
    editor: EditorOption = None,
    drive: DriveOption = None,
    threshold: Annotated[float, typer.Option(help="Similarity from which a file is a hit, 0 to 1.")] = 0.70,
    limit: Annotated[int, typer.Option(help="Most files to return. Hit counts do not depend on it.")] = 80,
    answer: Annotated[
        list[str] | None,
        typer.Option(help="Answer to a narrowing question: a choice, its number, or words. Repeatable."),
    ] = None,
    any_period: AnyPeriodFlag = False,
    any_type: AnyTypeFlag = False,
    matching_off: MatchingOffOption = None,
    no_input: Annotated[bool, typer.Option("--no-input", help="Never ask; a narrowing question ends it.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show how it was decided.")] = False,
    explain: ExplainFlag = False,
    open_number: Annotated[int | None, typer.Option("--open", help="Open the result of this number.")] = None,
    choose: Annotated[bool, typer.Option("--choose", help="Choose with arrow keys which result to open.")] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the list of results to a file: .csv or .xlsx.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Find files by a question. Periods and file types in the question become filters.

    Example: document-locator search "先月の売上のPDF"
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.search.as_json import search_as_json
    from locator_search.cli.search.exporting import export_results, format_of
    from locator_search.cli.search.opening import chosen_result, open_result
    from locator_search.cli.search.own import owner_of
    from locator_search.cli.search.results import show_related
    from locator_search.cli.shared.texts import Texts
    from locator_search.config.settings import load_settings
    from locator_search.core.errors import ConfigurationError
    from locator_search.drive_search.questions import SearchOptions

    began = monotonic()
    settings = load_settings()
    export_format = format_of(export, settings) if export else None
    say = Texts.of(settings.locator_language)
    may_ask = not (no_input or json_output) and sys.stdin.isatty()
    if choose and not (may_ask and _draws()):
        raise ConfigurationError(say.choose_needs_terminal, hint=say.choose_hint)
    with open_locator(settings) as locator:
        limits = filters_from(after, before, mime, settings, locator.clock.now())
        run = locator.drive_search.start(
            question,
            filters=also_in(limits, folder, owner, editor, drive),
            options=SearchOptions(
                threshold=threshold,
                limit=limit,
                interactive=may_ask or bool(answer),
                surface="command",
                ignored=(*(("period",) if any_period else ()), *(("types",) if any_type else ())),
                matching_off=(*settings.locator_matching_off, *(matching_off or ())),
            ),
        )
        # The person waits from here on, so the time to open everything counts towards the deadline, too.
        left = settings.locator_search_seconds - (monotonic() - began)
        outcome = _carry_out(run, left, _answers(answer or (), may_ask, settings))
        if export and export_format:
            export_results(export, export_format, run, outcome, settings, locator.clock.now())
        shown = outcome.evidence or outcome.closest
        files = [item.file_id for item in outcome.evidence]
        related = locator.asked_questions.related(owner_of(settings), run.inputs.question, files, MOST_RELATED)
        if json_output:
            emit_json({**search_as_json(run.inputs.question, outcome, run.models), "related_questions": related})
        else:
            _show(outcome, run, settings, trace=trace, explain=explain or trace)
            show_related(related, say)
        if choose and shown:
            open_number = chosen_result(shown, say)
        if open_number is not None:
            open_result(shown, open_number, say)
            if locator.audit is not None:
                locator.audit.opened(shown[open_number - 1].file_id, "command")


def _carry_out(run: SearchRun, seconds: float, next_answer: Answering) -> SearchOutcome:
    """Run the search to its end, or to a narrowing question that nobody answers; `seconds` are left for the first
    step, each answer has a deadline of its own."""
    from locator_search.core.clock import deadline

    with deadline(seconds):
        outcome = _with_status(run.advance)
    while run.waiting:
        answer = next_answer(outcome)
        if answer is None:
            break
        outcome = _with_status(partial(run.answer, answer))
    return outcome


def _answers(given: Sequence[str], may_ask: bool, settings: Settings) -> Answering:
    """Answers given with `--answer` come first; then the person is asked, where there is one."""
    from locator_search.cli.shared.texts import Texts

    waiting = list(given)

    def next_answer(outcome: SearchOutcome) -> str | None:
        if waiting:
            return waiting.pop(0)
        return _ask(outcome, Texts.of(settings.locator_language)) if may_ask else None

    return next_answer


def _ask(outcome: SearchOutcome, say: Texts) -> str:
    from locator_search.cli.search.results import show_message, show_question

    show_message(outcome, say)
    question = outcome.narrowing_question or ""
    if _draws():
        from locator_search.cli.search.choosing import choose

        return choose(question, [f"{choice.label} ({choice.count})" for choice in outcome.choices], say.choose_by_key)
    show_question(question, outcome.choices)
    try:
        return input(say.choose)
    except EOFError:
        return ""


def _draws() -> bool:
    """Whether the screen is a terminal on which lines can be drawn anew."""
    return sys.stdout.isatty() and not console.is_dumb_terminal


def _with_status(step: Callable[[OnProgress | None], SearchOutcome]) -> SearchOutcome:
    """Show what is being done now, on a terminal only."""
    if not error_console.is_terminal:
        return step(None)
    with error_console.status("") as status:
        return step(status.update)


def _show(outcome: SearchOutcome, run: SearchRun, settings: Settings, *, trace: bool, explain: bool) -> None:
    from zoneinfo import ZoneInfo

    from locator_search.cli.search import results
    from locator_search.cli.shared.lines import show_line
    from locator_search.cli.shared.texts import Texts

    say = Texts.of(settings.locator_language)
    results.show_message(outcome, say)
    if outcome.narrowing_question:
        results.show_question(outcome.narrowing_question, outcome.choices)
    zone = ZoneInfo(settings.locator_time_zone)
    unread_first = outcome.outcome == "not_found" or any(file.named for file in outcome.unread)
    if unread_first:
        results.show_unread(outcome.unread, say)
    results.show_evidence(outcome.evidence, say, zone, explain=explain)
    if not unread_first:
        results.show_unread(outcome.unread, say)
    if outcome.closest:
        show_line((say.closest, "yellow"))
        results.show_evidence(outcome.closest, say, zone, explain=explain)
    for note in outcome.notes:
        if note not in outcome.message:
            show_line((note, "dim"))
    if trace:
        results.show_trace(outcome.rounds, say)
    results.show_stand_ins(run.models, say)
    results.show_usage(outcome.usage, say)
    results.show_coverage(outcome.coverage, say)
