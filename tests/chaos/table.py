"""The table at the end: one line per fault, one sentence per broken promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.chaos.scenario import Outcome

COLUMNS = (
    "fault", "seeds", "struck", "lost", "duplicated", "paid again", "in flight", "left behind", "broken", "seconds",
)  # fmt: skip


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Lines for a terminal; `seconds` are the most that any recovery took."""
    names = list(dict.fromkeys(outcome.fault for outcome in outcomes))
    rows = [_row(name, [outcome for outcome in outcomes if outcome.fault == name]) for name in names]
    rows.append(_row("all", outcomes))
    widths = [max(map(len, cells)) for cells in zip(COLUMNS, *rows, strict=True)]
    for row in (COLUMNS, *rows):
        yield "  ".join(
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    played = [outcome for outcome in outcomes if not outcome.skipped]
    figures = (
        sum(outcome.struck for outcome in played),
        sum(len(outcome.lost) for outcome in played),
        sum(len(outcome.duplicated) for outcome in played),
        sum(len(outcome.paid_again) for outcome in played),
        sum(outcome.in_flight for outcome in played),
        sum(len(outcome.left_behind) for outcome in played),
        sum(len(outcome.broken) for outcome in played),
    )
    seconds = f"{max((outcome.seconds for outcome in played), default=0):.1f}"
    return (name, str(len(played)), *map(str, figures), seconds)


def sentences(outcome: Outcome, most: int = 8) -> Iterator[str]:
    """The broken promises, in words."""
    for name, found in (
        ("lost", outcome.lost),
        ("duplicated", outcome.duplicated),
        ("paid again", outcome.paid_again),
        ("left behind", outcome.left_behind),
        ("broken", outcome.broken),
    ):
        yield from (f"{name}: {sentence}" for sentence in found[:most])
        if len(found) > most:
            yield f"{name}: and {len(found) - most} more"
