"""Which contributions a person means, and which have something to be done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from locator_search.contributions.numbers import contribution_number, meeting_id_of
from locator_search.core.errors import ConfigurationError
from locator_search.ports import Contribution, KnownContribution

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions on contributions. Empty means all; those that are given must all hold.

    `names` are ids (SA1#111/S1-254001) or numbers, in whichever meetings have them. `agenda_item` takes those below it
    along (6 means 6.1, too), `source` is part of who wrote it, `status` and `kind` are as the TDoc list has them;
    `specification` and `release` as its cover page has them, or else the list.
    """

    names: tuple[str, ...] = ()
    meetings: tuple[str, ...] = ()
    agenda_item: str | None = None
    source: str | None = None
    status: str | None = None
    kind: str | None = None
    specification: str | None = None
    release: str | None = None

    def of(self, known: Sequence[KnownContribution]) -> list[KnownContribution]:
        """The contributions that are meant. Raises ConfigurationError for names nobody has."""
        allowed = [one for one in known if self._holds_for(one.contribution) and self._holds_for_cover(one)]
        return _named(allowed, self.names) if self.names else allowed

    def _holds_for(self, contribution: Contribution) -> bool:
        meetings = {meeting_id_of(name).casefold() for name in self.meetings}
        return (
            (not meetings or contribution.meeting_id.casefold() in meetings)
            and (self.agenda_item is None or _lies_under(contribution.agenda_item, self.agenda_item.strip()))
            and (self.source is None or self.source.casefold() in contribution.source.casefold())
            and (self.status is None or self.status.casefold() == contribution.status.casefold())
            and (self.kind is None or self.kind.casefold() == contribution.kind.casefold())
        )

    def _holds_for_cover(self, known: KnownContribution) -> bool:
        return all(
            wanted is None or cover_field(known, name).casefold() == wanted.strip().casefold()
            for name, wanted in (("specification", self.specification), ("release", self.release))
        )


def due(
    known: Sequence[KnownContribution], is_due: Callable[[KnownContribution], bool], limit: int | None
) -> list[KnownContribution]:
    """The contributions that are due, at most `limit`."""
    return [one for one in known if is_due(one)][:limit]


_IN_THE_LIST = {"specification": "Spec", "cr": "CR", "release": "Release", "category": "CR category"}


def cover_field(known: KnownContribution, name: str) -> str:
    """A field of the cover page; before the document is here, what the TDoc list says of it. "" for neither."""
    return known.cover.get(name) or known.contribution.details.get(_IN_THE_LIST.get(name, ""), "")


def _named(known: Sequence[KnownContribution], names: Sequence[str]) -> list[KnownContribution]:
    found: dict[str, KnownContribution] = {}
    missing: list[str] = []
    for name in names:
        matching = [one for one in known if is_meant(one.contribution, name)]
        found.update((one.contribution.contribution_id, one) for one in matching)
        if not matching:
            missing.append(name)
    if missing:
        raise ConfigurationError(
            f"No contribution is called {', '.join(missing[:_NAMED])}.",
            hint="Sync its meeting first: document-locator contributions sync",
        )
    return list(found.values())


def is_meant(contribution: Contribution, name: str) -> bool:
    """Whether a person who says an id or a number means this contribution."""
    if name.casefold() == contribution.contribution_id.casefold():
        return True
    number = contribution_number(name) if "/" not in name else None
    return number is not None and contribution.number == str(number)


def _lies_under(item: str, wanted: str) -> bool:
    return item == wanted or item.startswith(f"{wanted}.")
