"""What the filters of the page mean, and how an address carries them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from locator_search.drive_search.page_filters import PRESETS, PageFilters, filters_from_query
from locator_search.model import Period

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TOKYO = ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize("period", list(PRESETS))
def test_a_preset_reaches_back_from_now(period: str) -> None:
    limits = PageFilters(period=period).as_search_filters(NOW, TOKYO)
    assert limits.modified_after == NOW - PRESETS[period]
    assert limits.modified_before is None


def test_custom_days_are_days_of_the_persons_zone_and_both_included() -> None:
    chosen = PageFilters("custom", date(2026, 9, 1), date(2026, 9, 30))
    limits = chosen.as_search_filters(NOW, TOKYO)
    assert limits.modified_after == datetime(2026, 8, 31, 15, tzinfo=UTC)
    assert limits.modified_before == datetime(2026, 9, 30, 15, tzinfo=UTC)


def test_any_time_sets_no_limit() -> None:
    limits = PageFilters().as_search_filters(NOW, TOKYO)
    assert (limits.modified_after, limits.modified_before) == (None, None)


def test_an_address_carries_every_filter_there_and_back() -> None:
    chosen = PageFilters(
        "custom",
        date(2026, 9, 1),
        None,
        ("application/pdf", "text/csv"),
        ("samples/営業部",),
        month="2026-09",
        owners=("木下",),
        ignored=("period", "types"),
        matching_off=("kana", "era"),
    )
    assert filters_from_query(chosen.as_query()) == chosen


def test_what_an_address_says_wrongly_counts_as_not_set() -> None:
    query = {
        "period": ["forever"],
        "after": ["yesterday"],
        "before": ["9999-12-31"],
        "month": ["2026-13"],
        "without": ["everything"],
        "off": ["wareki"],
    }
    assert filters_from_query(query) == PageFilters()


def test_a_facet_adds_one_limit_and_leaves_the_others() -> None:
    chosen = PageFilters(mime_types=("application/pdf",))
    assert chosen.narrowed_to("folder", "会社/営業部") == replace(chosen, folders=("会社/営業部",))
    assert chosen.narrowed_to("owner", "木下").owners == ("木下",)
    assert chosen.narrowed_to("type", "text/csv").mime_types == ("text/csv",)
    limits = chosen.narrowed_to("period", "2026-09").as_search_filters(NOW, TOKYO)
    assert limits.period == Period(date(2026, 9, 1), date(2026, 10, 1), "2026-09")
    assert limits.mime_types == ("application/pdf",)


def test_a_period_that_ends_before_it_begins_is_noticed() -> None:
    day = date(2026, 9, 1)
    assert not PageFilters("custom", day, day - timedelta(days=1)).in_order
    assert PageFilters("custom", day, day).in_order
