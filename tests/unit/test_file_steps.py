"""The story of a file: every state says what happened and what comes next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from locator_search.health.stories import steps_of
from locator_search.model import FileState
from locator_search.ports import FileStory, KnownFile
from tests.builders.index import file_ref

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def told(
    state: FileState,
    reason: str = "",
    *,
    indexed: bool = False,
    by_model: bool = True,
    next_try: timedelta | None = None,
) -> list[tuple[str, str, str]]:
    known = KnownFile(
        file_ref(), state, reason, attempts=2, next_try_at=NOW + next_try if next_try is not None else None
    )
    story = FileStory(known, NOW, NOW, "key", NOW if indexed else None, 2, 900, by_model=by_model)
    return [(step.state, step.name, step.detail) for step in steps_of(story, "en", NOW, ZoneInfo("UTC"))]


def test_an_indexed_file_went_all_the_way() -> None:
    steps = told("indexed", indexed=True)
    assert [state for state, _, _ in steps[:4]] == ["real"] * 4
    assert steps[1][2] == "900 characters were read (chunks: 2)"
    assert told("indexed", indexed=True, by_model=False)[2][0] == "offline"


def test_a_waiting_file_waits() -> None:
    assert [detail for _, _, detail in told("pending")[1:]] == [
        "waits for its turn",
        "it is not found",
        "waits for its turn",
    ]


@pytest.mark.parametrize(
    ("next_try", "said"),
    [
        (None, "when the file changes"),
        (timedelta(0), "by the next crawl"),
        (timedelta(hours=1), "on 23 Nov 2026, 13:00 UTC"),
    ],
)
def test_a_damaged_file_says_why_and_when_it_is_tried_again(next_try: timedelta | None, said: str) -> None:
    steps = told("failed", "corrupt: a damaged ZIP", next_try=next_try)
    assert steps[1][::2] == ("failing", "damaged")
    assert steps[-1][2].startswith("Last on 23 Nov 2026, 12:00 UTC, failures: 2.")
    assert said in steps[-1][2]


def test_a_file_that_is_searched_by_an_earlier_text_says_so() -> None:
    step = told("failed", "corrupt", indexed=True)[3]
    assert step[0] == "offline"
    assert "its state now: damaged" in step[2]
