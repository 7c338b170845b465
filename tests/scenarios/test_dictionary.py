"""The owner's dictionary: words that questions ignore, and files that come first or last for a phrase."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.config.synonyms import matching_of
from locator_search.model import SearchFilters, SearchOutcome
from locator_search.retrieval.evidence import IndexEvidenceProvider
from locator_search.retrieval.grouping import tier_of
from tests.builders.report_folder import index_everything, write_files

RULES = {
    "規程/旅費規程.md": "# 旅費規程\n\n出張の旅費は実費を支払う。日当は役職による。\n",
    "規程/別表.md": "# 別表\n\n出張の旅費の上限を地域ごとに定める。\n",
    "旧規程/旅費規程_2019年.md": "# 旅費規程 2019年\n\n出張の旅費は一律に支払う。旅費、旅費、旅費。\n",
    "営業/出張報告.md": "# 出張報告\n\n北斗製鋼を訪ねた。旅費は精算した。\n",
    "総務/防災訓練.md": "# 防災訓練\n\n弊社の避難場所は北門である。弊社の点呼は総務が行う。\n",
}


@pytest.fixture
def locator(database_url: str, tmp_path: Path) -> Iterator[Locator]:
    folder = write_files(tmp_path / "会社", RULES)
    settings = load_settings(database_url=database_url, locator_folders=(str(folder),), locator_home=tmp_path)
    with open_locator(settings) as opened:
        index_everything(opened)
        yield opened


def owner_writes(locator: Locator, *lines: str) -> None:
    locator.settings.synonyms_file.write_text("\n".join(lines), "utf-8")


def search(locator: Locator, question: str) -> SearchOutcome:
    return locator.drive_search.start(question).advance()


def names(outcome: SearchOutcome) -> list[str]:
    return [item.file_name for item in outcome.evidence]


def test_for_a_phrase_one_file_comes_first_and_a_folder_last_after_a_model_ordered_them_too(locator: Locator) -> None:
    as_it_was = search(locator, "出張の旅費")
    assert len(names(as_it_was)) > 2
    lifted, lowered = names(as_it_was)[-1], names(as_it_was)[0]
    folder = as_it_was.evidence[0].folder_path.rpartition("/")[2]
    owner_writes(locator, f"first: 旅費 = {lifted}", f"last: 旅費 = {folder}/")
    placed = search(locator, "出張の旅費")
    assert (names(placed)[0], names(placed)[-1]) == (lifted, lowered)
    assert sorted(names(placed)) == sorted(names(as_it_was))
    assert placed.evidence[0].explain["placed_first"] == placed.evidence[-1].explain["placed_last"] == "旅費"
    assert [item.score for item in placed.evidence] != sorted((i.score for i in placed.evidence), reverse=True)


def test_without_the_phrase_nothing_moves(locator: Locator) -> None:
    as_it_was = search(locator, "出張の旅費")
    owner_writes(locator, f"first: 日当 = {names(as_it_was)[-1]}")
    assert names(search(locator, "出張の旅費")) == names(as_it_was)


def test_what_is_no_hit_is_not_made_one(locator: Locator) -> None:
    owner_writes(locator, "first: 社員食堂, 献立 = 旅費規程.md")
    asked = search(locator, "社員食堂の献立")
    assert (asked.outcome, asked.evidence) == ("not_found", ())
    owner_writes(locator, "first: 旅費 = 防災訓練.md")
    assert not any(map(tier_of, search(locator, "出張の旅費").evidence))


def test_a_lowered_file_that_is_the_only_answer_is_still_found(locator: Locator) -> None:
    owner_writes(locator, "last: 点呼 = 総務/")
    assert names(search(locator, "点呼は誰が行う")) == names(search(locator, "避難場所")) == ["防災訓練.md"]


def test_ignored_words_find_nothing_and_count_for_nothing(locator: Locator) -> None:
    provider = IndexEvidenceProvider(
        locator.index, locator.embedder, matching=lambda: matching_of(locator.settings), unit="document"
    )

    def nearest(question: str) -> dict[str, float]:
        return {one.file_name: one.similarity for one in provider.search(question, SearchFilters())}

    assert nearest("弊社の日当")["防災訓練.md"] > 0.3
    owner_writes(locator, "無視: 弊社")
    assert nearest("弊社の日当").get("防災訓練.md", 0.0) < 0.1
    assert nearest("弊社の日当") == pytest.approx(nearest("日当"), abs=1e-6)
    assert nearest("弊社")["防災訓練.md"] > 0.7, "a question of nothing else asks for it"


def test_chunks_of_a_file_come_first_with_it(locator: Locator) -> None:
    owner_writes(locator, "first: 旅費 = 営業/")
    [best, *_] = locator.chunk_evidence.search("出張の旅費", SearchFilters())
    assert (best.file_name, best.explain["placed_first"]) == ("出張報告.md", "旅費")
