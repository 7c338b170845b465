"""What a crawl would read, counted within a time and told as it is counted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.indexing.cost import ModelPrices, estimate_cost
from locator_search.indexing.preview import STEP, previews

PRICES = ModelPrices(1.0, 2.0, 3.0)
FILES = 3 * STEP + 7


@pytest.fixture
def source(tmp_path: Path) -> LocalFolderSource:
    for number in range(FILES):
        (tmp_path / f"{number:04}.txt").write_text("x" * number, "utf-8")
    return LocalFolderSource([tmp_path])


def test_counts_grow_until_all_is_counted_and_the_cost_is_that_of_the_crawl(source: LocalFolderSource) -> None:
    told = list(previews(source, PRICES, 1 << 20, lambda: False))
    assert [one.files for one in told] == [STEP, 2 * STEP, 3 * STEP, FILES]
    assert [one.ended for one in told] == [False, False, False, True]
    whole = estimate_cost(source.list_files(), PRICES)
    assert (told[-1].cost.files, told[-1].cost.tokens) == (whole.files, whole.tokens)
    assert told[-1].cost.cost_usd == pytest.approx(whole.cost_usd)
    assert told[-1].bytes == sum(range(FILES))


def test_a_count_that_takes_too_long_ends_with_what_it_has(source: LocalFolderSource) -> None:
    [only] = previews(source, None, 1 << 20, lambda: True)
    assert (only.files, only.ended) == (STEP, False)


def test_what_is_too_large_is_left_out_and_a_price_that_is_not_known_stays_so(source: LocalFolderSource) -> None:
    *_, last = previews(source, ModelPrices(None, None, 1.0), 200, lambda: False)
    assert (last.files, last.skipped) == (201, {"too-large": FILES - 201})
    assert last.cost.cost_usd is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_that_may_not_be_looked_into_is_told(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0)
    *_, last = previews(LocalFolderSource([tmp_path]), None, 1 << 20, lambda: False)
    assert last.problems


def test_a_source_that_is_gone_is_told_instead_of_counted(tmp_path: Path) -> None:
    *_, last = previews(LocalFolderSource([tmp_path / "gone"]), None, 1 << 20, lambda: False)
    assert last.files == 0
    assert last.problems
