"""Who may read an item of Drive, by several permissions that name the same person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from locator_search.adapters.google_drive.readers import readers_of
from locator_search.core.reader import name_and_end, names_at, until

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
AKI = "user:aki@example.com"
SOON, LATER = NOW + timedelta(hours=1), NOW + timedelta(hours=2)


@pytest.mark.parametrize(
    ("ends", "readers"),
    [
        ([SOON.isoformat(), LATER.isoformat()], (until(AKI, LATER),)),
        ([SOON.isoformat(), None], (AKI,)),
        ([None, SOON.isoformat()], (AKI,)),
        ([NOW.isoformat(), SOON.isoformat()], (until(AKI, SOON),)),
        ([NOW.isoformat()], ()),
        (["soon"], ()),
        (["9999-12-31T23:59:59-12:00"], (AKI,)),
    ],
)
def test_the_permission_that_lasts_longest_counts(ends: list[str | None], readers: tuple[str, ...]) -> None:
    own = {"type": "user", "emailAddress": "Aki@example.com"}
    permissions = [own if end is None else own | {"expirationTime": end} for end in ends]
    assert readers_of(permissions, NOW) == readers


def test_a_name_that_reads_like_a_time_is_nobody() -> None:
    written = f"aki@example.com until {LATER.isoformat()}"
    assert readers_of([{"type": "user", "emailAddress": written}], NOW) == ()


@pytest.mark.parametrize("written", [f"{AKI} until soon", f"{AKI} until 2026-12-01", f"{AKI} until "])
def test_an_end_that_cannot_be_read_lets_nobody_in(written: str) -> None:
    assert name_and_end(written) == (written, None)
    assert AKI not in names_at([written], NOW)


def test_a_reader_is_one_until_the_end() -> None:
    assert names_at([until(AKI, SOON), "anyone"], NOW) == {AKI, "anyone"}
    assert names_at([until(AKI, SOON), "anyone"], SOON) == {"anyone"}
