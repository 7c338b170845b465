"""Commands that work on contributions: they are fetched, brought into one form, and indexed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from locator_search.cli.contributions.results import print_result, result_as_json
from locator_search.cli.contributions.selecting import (
    AgainFlag,
    AgendaOption,
    KindOption,
    LimitOption,
    MeetingOption,
    Names,
    ReleaseOption,
    SourceOption,
    SpecOption,
    StatusOption,
    begin,
    known_contributions,
    selection_of,
)
from locator_search.cli.shared.output import JsonFlag, console, emit_json, error_console, reports_errors

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.contributions.selection import Selection
    from locator_search.contributions.stages import ContributionResult, ContributionStage


NORMALISE = """Fetch contributions and bring their documents into one form. / 寄書を取得し、docx に正規化します。

A bad contribution is named and does not make the command fail: exit status 1 means that the archive or the
database is out of reach; 2 that a setting or an argument is wrong.

Example: document-locator contributions normalise S1-254001
"""

INDEX = """Fetch, normalise, cut and index contributions, through the Dagster assets. / 寄書を索引に登録します。

Lists the newest meetings first when none is known yet. Exit status as of `normalise`.

Example: document-locator contributions index --meeting SA1-111
"""


def working(until: ContributionStage) -> Callable[..., None]:
    """The command that works on contributions as far as one stage."""

    @reports_errors
    def work(
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
        selection = selection_of(contributions, meeting, agenda, source, status, kind, spec, release)
        _process(selection, limit, again=again, until=until, as_json=json_output)

    return work


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
        texts = begin(locator)
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


def _chosen(locator: Locator, selection: Selection, limit: int | None, *, again: bool) -> tuple[list[str], int]:
    """The ids of what is to be worked on, and how many there is nothing to do for."""
    from locator_search.contributions.selection import due

    known, is_due = known_contributions(locator, selection), locator.contributions.pipeline.is_due
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
