"""`document-locator status`: the index in figures."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.operating.roots import root_as_json, show_warnings
from locator_search.cli.shared.lines import show_line
from locator_search.cli.shared.output import JsonFlag, console, emit_json, reports_errors
from locator_search.locales import Language
from locator_search.model import FileState

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from zoneinfo import ZoneInfo

    from locator_search.app.locator import Locator
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.ports import CrawlProgress, CrawlRun, IndexStatus, KnownFile

UNREAD: tuple[FileState, ...] = ("failed", "no_access", "skipped", "pending")
"""Of files in these states, nothing is searched, or an earlier text."""

UNREAD_SHOWN = 20


@reports_errors
def status(
    words: Annotated[
        str, typer.Argument(metavar="NAME", help="Part of a file's name or folder: why it is found, or is not.")
    ] = "",
    json_output: JsonFlag = False,
) -> None:
    """Show how many files are in which state, the last crawl, how fresh the index is, and what it cost so far.

    With NAME, tell of each file of that name how far it came: listed, read, summarised, searchable, and its next try.

    Example: document-locator status --json
    """
    from zoneinfo import ZoneInfo

    from locator_search.app.locator import open_locator
    from locator_search.cli.operating.stories import file_as_json
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.cli.operating.watching import progress_line
    from locator_search.health.alarms import alarms
    from locator_search.health.root_texts import notice

    with open_locator() as locator:
        if words.strip():
            _show_stories(locator, words, as_json=json_output)
            return
        figures, now = locator.status_reader.status(), locator.clock.now()
        settings, own = locator.settings, locator.root_ids
        texts = OperatingTexts.of(settings.locator_language)
        warnings = [notice(warning, settings.locator_language) for warning in locator.root_warnings()]
        unread = locator.status_reader.files_in(UNREAD)
        runs, progress = locator.status_reader.runs(), locator.status_reader.progress()
        to_look_at = alarms(figures, runs, locator.budget.ceiling_usd, now, settings.locator_language)
    if json_output:
        told = {"alarms": to_look_at, "progress": _progress_as_json(progress), "runs": list(map(_run_as_json, runs))}
        unread_told = {"unread": list(map(file_as_json, unread)), "warnings": warnings}
        emit_json(as_json(figures, now, own) | unread_told | told)
    else:
        for alarm in to_look_at:
            show_line((alarm.message, "bold yellow"))
        if progress.waiting and (line := progress_line(texts, progress, figures.coverage.listed - progress.in_batches)):
            show_line(line)
        _show(figures, settings.locator_language, now, ZoneInfo(settings.locator_time_zone), own)
        _show_unread(unread, settings.locator_language)
        show_warnings(warnings)


def _show_stories(locator: Locator, words: str, *, as_json: bool) -> None:
    from zoneinfo import ZoneInfo

    from locator_search.cli.operating.stories import show_stories, story_as_json
    from locator_search.health.stories import SHOWN

    found, settings = locator.status_reader.stories(words, limit=SHOWN + 1), locator.settings
    if as_json:
        emit_json({"files": list(map(story_as_json, found[:SHOWN])), "more": len(found) > SHOWN})
    else:
        zone = ZoneInfo(settings.locator_time_zone)
        show_stories(found, settings.locator_language, locator.clock.now(), zone)


def as_json(figures: IndexStatus, now: datetime, own: Collection[str]) -> dict[str, object]:
    """The figures as one JSON object. `age_seconds` is the time since the last completed crawl, None before one. `own`
    are the ids of the roots that are crawled here."""
    sync = figures.last_sync
    return {
        "listed": figures.coverage.listed,
        "complete": figures.coverage.complete,
        "states": dict(figures.coverage.by_state),
        "reasons": dict(figures.coverage.by_reason),
        "chunks": figures.chunks,
        "last_sync": sync,
        "age_seconds": round((now - sync.finished_at).total_seconds(), 1) if sync else None,
        "newest_indexed_at": figures.newest_indexed_at,
        "embedding_model": figures.embedding_model,
        "calibration": figures.calibration,
        "model_calls": figures.model_calls,
        "tokens": figures.tokens,
        "cost_usd": figures.cost_usd,
        "batches": figures.batches,
        "roots": [root_as_json(state, own) for state in figures.roots],
        "stand_in_summaries": figures.stand_in_summaries,
        "without_embeddings": figures.without_embeddings,
    }


def _progress_as_json(progress: CrawlProgress) -> dict[str, object]:
    """How far a crawl has come."""
    return {
        "waiting": progress.waiting,
        "in_batches": progress.in_batches,
        "files_per_minute": progress.files_per_minute,
        "seconds_left": progress.seconds_left,
        "latest": progress.latest,
    }


def _run_as_json(run: CrawlRun) -> dict[str, object]:
    return {one.name: getattr(run, one.name) for one in fields(run)} | {"seconds": round(run.seconds, 3)}


def _show_unread(unread: Sequence[KnownFile], language: Language) -> None:
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.health.stories import why_of

    if not unread:
        return
    texts = OperatingTexts.of(language)
    show_line((texts.unread, "bold"))
    for known in unread[:UNREAD_SHOWN]:
        place = f"{known.file.folder_path}/{known.file.file_name}".lstrip("/")
        show_line("  ", place, (f"  {why_of(known, language)}", "dim"))
    if len(unread) > UNREAD_SHOWN:
        show_line((texts.more_unread, "dim"))


def _show(figures: IndexStatus, language: Language, now: datetime, zone: ZoneInfo, own: Collection[str]) -> None:
    from rich.padding import Padding
    from rich.table import Table

    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.locales.reasons import Reasons, counted

    texts = OperatingTexts.of(language)

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row(texts.listed, f"{figures.coverage.listed:,}")
    for state, count in _largest_first(figures.coverage.by_state):
        table.add_row(f"  {Reasons.of(language).states[state]}", f"{count:,}")
    if reasons := counted(figures.coverage.by_reason, language):
        table.add_row(f"  {texts.by_reason}", "")  # else they look like those of the last state
    for words, count in reasons:
        table.add_row(Padding(words, (0, 0, 0, 4)), f"{count:,}")
    elsewhere = [state for state in figures.roots if state.root.root_id not in own and state.files]
    if elsewhere:
        value = texts.elsewhere_value.format(files=sum(state.files for state in elsewhere), roots=len(elsewhere))
        table.add_row(texts.elsewhere, value)
    owed = {texts.stand_ins: figures.stand_in_summaries, texts.without_embeddings: figures.without_embeddings}
    for label, count in owed.items():
        if count:
            table.add_row(label, f"{count:,}")
    for batch in figures.batches:
        value = texts.batch_value.format(
            id=batch.batch_id or "...",
            files=batch.files,
            submitted=batch.submitted_at.astimezone(zone),
            cost=batch.estimated_usd,
        )
        table.add_row(texts.batch, value)
    table.add_row(texts.chunks, f"{figures.chunks:,}")
    table.add_row(texts.embedding_model, figures.embedding_model or texts.none_yet)
    table.add_row(texts.calibration, _calibration(figures, texts, zone))
    table.add_row(texts.last_crawl, _last_crawl(figures, texts, now, zone))
    cost = texts.model_calls_value.format(calls=figures.model_calls, tokens=figures.tokens, cost=figures.cost_usd)
    table.add_row(texts.model_calls, cost)
    console.print(table)
    if not figures.coverage.complete:
        console.print(texts.incomplete)
    if figures.calibration_is_old:
        console.print(texts.calibrate_again)


def _largest_first(counts: Mapping[FileState, int]) -> list[tuple[FileState, int]]:
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def _calibration(figures: IndexStatus, texts: OperatingTexts, zone: ZoneInfo) -> str:
    from locator_search.retrieval.calibration import has_profile

    measured = figures.calibration
    if measured is None:
        return texts.calibration_shipped if has_profile(figures.embedding_model) else texts.calibration_sampled
    return texts.calibration_measured.format(measured=measured.measured_at.astimezone(zone), files=measured.files)


def _last_crawl(figures: IndexStatus, texts: OperatingTexts, now: datetime, zone: ZoneInfo) -> str:
    sync = figures.last_sync
    if sync is None:  # of a first crawl that handed over a batch, or was broken off, files are there already
        return texts.none_ended_yet if figures.coverage.listed else texts.none_yet
    return texts.last_crawl_value.format(
        finished=sync.finished_at.astimezone(zone),
        minutes=(now - sync.finished_at).total_seconds() / 60,
        mode=sync.mode,
        listed=sync.listed,
    )
