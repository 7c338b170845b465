from pathlib import Path

import pytest

from locator_search.config.bundled import bundled
from locator_search.config.folders import folder_to_add, folders_to_crawl, remember_folders
from locator_search.config.settings import Settings, load_settings


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LOCATOR_FOLDERS", raising=False)
    return tmp_path


def settings(home: Path, **others: object) -> Settings:
    return load_settings(locator_home=home / "home", **others)


def test_without_a_word_the_bundled_samples_are_crawled(elsewhere: Path) -> None:
    assert folders_to_crawl(settings(elsewhere)) == (bundled("samples"),)


def test_samples_in_the_current_folder_come_before_the_bundled_ones(elsewhere: Path) -> None:
    (elsewhere / "samples").mkdir()
    assert folders_to_crawl(settings(elsewhere)) == (Path("samples"),)


def test_folders_named_by_hand_are_remembered(elsewhere: Path) -> None:
    remember_folders(settings(elsewhere), [Path("/documents/a, b"), Path("/documents/c")])
    assert folders_to_crawl(settings(elsewhere)) == (Path("/documents/a, b"), Path("/documents/c"))


def test_a_folder_inside_a_crawled_one_is_known_and_one_around_it_is_not(elsewhere: Path) -> None:
    (elsewhere / "papers" / "old").mkdir(parents=True)
    remember_folders(settings(elsewhere), [elsewhere / "papers"])
    assert folder_to_add(str(elsewhere / "papers" / "old"), settings(elsewhere)) == "known"
    assert folder_to_add(f"{elsewhere}/papers/old/../..", settings(elsewhere)) == elsewhere
    assert folder_to_add(f" {elsewhere}/home ", settings(elsewhere)) == "home"


def test_a_link_is_judged_by_where_it_leads(elsewhere: Path) -> None:
    (elsewhere / "disk").symlink_to("/")
    assert folder_to_add(str(elsewhere / "disk"), settings(elsewhere)) == "whole_disk"


def test_the_setting_comes_before_what_is_remembered(elsewhere: Path) -> None:
    remember_folders(settings(elsewhere), [Path("/documents")])
    assert folders_to_crawl(settings(elsewhere, locator_folders="x,y")) == (Path("x"), Path("y"))


def test_a_damaged_memory_is_no_memory(elsewhere: Path) -> None:
    remember_folders(settings(elsewhere), [])
    (elsewhere / "home" / "folders.json").write_text("{", encoding="utf-8")
    assert folders_to_crawl(settings(elsewhere)) == (bundled("samples"),)
