"""Which contributions a person means, and which have something to be done. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from locator_search.contributions.numbers import contribution_number
from locator_search.errors import ConfigurationError
from locator_search.ports import KnownContribution

_NAMED = 5


def named(known: Sequence[KnownContribution], names: Sequence[str]) -> list[KnownContribution]:
    """The contributions behind names: an id (SA1#111/S1-254001), or a number, in whichever meetings have it.

    Raises ConfigurationError for names nobody has.
    """
    found: dict[str, KnownContribution] = {}
    missing: list[str] = []
    for name in names:
        matching = [one for one in known if _is_meant(one, name)]
        found.update((one.contribution.contribution_id, one) for one in matching)
        if not matching:
            missing.append(name)
    if missing:
        raise ConfigurationError(
            f"No contribution is called {', '.join(missing[:_NAMED])}.",
            hint="Sync its meeting first: document-locator contributions sync",
        )
    return list(found.values())


def due(
    known: Sequence[KnownContribution], is_due: Callable[[KnownContribution], bool], limit: int | None
) -> list[KnownContribution]:
    """Those with something to be done, at most `limit`."""
    return [one for one in known if is_due(one)][:limit]


def _is_meant(known: KnownContribution, name: str) -> bool:
    contribution = known.contribution
    if name.casefold() == contribution.contribution_id.casefold():
        return True
    number = contribution_number(name) if "/" not in name else None
    return number is not None and contribution.number == str(number)
