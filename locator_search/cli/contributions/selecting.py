"""Which contributions a command means: its options, and the contributions that they select."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.output import error_console

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.contributions.texts import ContributionTexts
    from locator_search.contributions.acquisition import SyncReport
    from locator_search.contributions.selection import Selection
    from locator_search.ports import KnownContribution

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="CONTRIBUTION", help="Numbers (S1-254001) or ids (SA1#111/S1-254001). Default: all due."),
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


def begin(locator: Locator) -> ContributionTexts:
    """Say what stands behind the archive, on stderr, before anything is shown."""
    from locator_search.cli.contributions.texts import ContributionTexts

    texts = ContributionTexts.of(locator.settings.locator_language)
    if locator.contributions.uses_sample:
        error_console.print(texts.sample)
    return texts


def sync_meetings(locator: Locator, wanted: Sequence[str], last: int) -> list[SyncReport]:
    """Bring meetings up to date: those that are wanted, or so many of the newest."""
    from locator_search.contributions.acquisition import chosen_meetings, find_meetings

    chosen = chosen_meetings(find_meetings(locator.contributions.archive), wanted, last)
    return [locator.contributions.acquisition.sync(meeting) for meeting in chosen]


def selection_of(
    names: list[str] | None,
    meetings: list[str] | None,
    agenda_item: str | None,
    source: str | None,
    status: str | None,
    kind: str | None,
    specification: str | None,
    release: str | None,
) -> Selection:
    """The options of a command as one selection."""
    from locator_search.contributions.selection import Selection

    return Selection(
        tuple(names or ()), tuple(meetings or ()), agenda_item, source, status, kind, specification, release
    )


def known_contributions(locator: Locator, selection: Selection) -> list[KnownContribution]:
    """The contributions that a selection means. Meetings nobody has listed yet are listed."""
    from locator_search.contributions.numbers import meeting_id_of

    parts = locator.contributions
    listed = {meeting.meeting_id.casefold() for meeting in parts.store.meetings()}
    unlisted = [name for name in selection.meetings if meeting_id_of(name).casefold() not in listed]
    if unlisted or not listed:
        sync_meetings(locator, unlisted, NEWEST)
    return selection.of(parts.store.contributions())
