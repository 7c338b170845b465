"""Every page in both languages, well and with faults: no sentence of the other language, and the right `lang`."""

from __future__ import annotations

import html
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
import regex
import streamlit as st
from streamlit.testing.v1 import AppTest

from locator_assets.commands.crawl import run_crawl
from locator_search.app.crawling import CrawlProcess
from locator_search.app.locator import open_locator
from locator_search.core.errors import ConfigurationError
from streamlit_app.shared import session
from streamlit_app.shared.texts import Texts
from tests.builders.languages import english_in, japanese_in
from tests.surfaces.test_page_app import APP, scripts

pytestmark = pytest.mark.dagster_tables

PAGES = ("search", "live", "x", "contributions", "adding", "status", "status/usage")
SAYING = ("value", "label", "placeholder", "help", "options", "body")
NAMES = regex.compile(r"日本語|English|Document Locator|Issue|Project Alpha|の資料|note\.txt|[/~.\w-]*home[/\w-]*")
Opened = Callable[..., str]


@pytest.fixture(params=["ja", "en"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str) -> str:
    """One language set; a folder with a note, a damaged PDF and an archive."""
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "note.txt").write_text("2024 12,500", "utf-8")
    (papers / "scan.pdf").write_bytes(b"%PDF-1.4 damaged")
    (papers / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 damaged")
    (papers / "box.7z").write_bytes(b"7z\xbc\xaf\x27\x1c")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCATOR_LANGUAGE", request.param)
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOCATOR_FOLDERS", str(papers))
    return str(request.param)


@pytest.fixture
def opened(language: str) -> Iterator[Opened]:
    """Opens a page at an address and returns all that it says; fails for a sentence of the other language."""
    st.cache_resource.clear()
    app = AppTest.from_file(APP, default_timeout=200)

    def open_page(page: str, **address: str) -> str:
        app.query_params.update(address)
        app.run().switch_page(f"{page}/{page}.py" if "/" not in page else f"{page}.py").run()
        return own_language(app, language)

    yield open_page
    with suppress(ConfigurationError):
        session.locator().close()
    st.cache_resource.clear()


def own_language(app: AppTest, language: str) -> str:
    assert not app.exception
    said = said_by(app)
    foreign = english_in(said) if language == "ja" else japanese_in(NAMES.sub("", said))
    assert not foreign, said
    assert any(f'documentElement.lang = "{language}"' in script for script in scripts(app))
    return said


def said_by(app: AppTest) -> str:
    """What every element of a page says, without tags."""
    pieces: list[str] = []
    for element in (*app.main, *app.sidebar):
        if getattr(element, "type", "") == "html" and element.proto.unsafe_allow_javascript:
            continue
        for name in SAYING:
            said = getattr(element, name, None)
            pieces += (one for one in (said if isinstance(said, list | tuple) else [said]) if isinstance(one, str))
    text = regex.sub(r"<style.*?</style>", "", "\n".join(pieces), flags=regex.DOTALL)
    text = regex.sub(r"<(code|kbd)\b.*?</\1>", "", text, flags=regex.DOTALL)
    text = html.unescape(regex.sub(r"<[^>]+>|:material/\w+:", "\n", text.replace("\\", "")))
    for example in Texts.of("en").rule_explanations.values():  # how Japanese is written, for people who read English
        text = text.replace(example, "")
    return text


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_nobody_has_used(opened: Opened, page: str) -> None:
    assert opened(page)


def test_files_that_cannot_be_read(opened: Opened, language: str) -> None:
    with open_locator() as locator:
        run_crawl(locator)
    told = opened("status")
    assert "scan.pdf" in told
    opened("search", q="note")
    opened("search", q="scan")


@pytest.mark.parametrize("page", PAGES)
def test_a_database_that_is_away(
    language: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, page: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:9/none")
    request.getfixturevalue("opened")(page)


@pytest.mark.parametrize(
    ("page", "name", "value"),
    [
        ("search", "OPENAI_BASE_URL", "http://127.0.0.1:9"),
        ("live", "LOCATOR_SERVERS", "nowhere.yaml"),
        ("contributions", "CONTRIBUTIONS_ARCHIVE_URL", "gopher://x"),
        ("x", "X_MONTHLY_CAP_USD", "0"),
        ("adding", "LOCATOR_FOLDERS", "/nowhere"),
        ("status", "LOCATOR_FOLDERS", "/nowhere"),
        ("status", "LOCATOR_MAX_COST_USD", "0.01"),
        ("status", "LOCATOR_PERMISSIONS", "1"),
        ("adding", "LOCATOR_PERMISSIONS", "1"),
        ("live", "LOCATOR_PERMISSIONS", "1"),
    ],
)
def test_settings_that_do_not_fit(
    language: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, page: str, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    request.getfixturevalue("opened")(page)


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("search", {"q": "x" * 3000}),
        ("search", {"q": "note", "after": "someday", "period": "custom"}),
        ("search", {"q": "note", "id": "nobodys", "type": "hologram"}),
        ("contributions", {"sheet": "forged"}),
        ("contributions", {"analysis": "nobodys"}),
        ("x", {"session": "nobodys"}),
        ("live", {"ask": "x" * 3000}),
    ],
)
def test_addresses_that_say_nothing(opened: Opened, page: str, address: dict[str, str]) -> None:
    opened(page, **address)


@pytest.mark.parametrize(
    ("log", "japanese", "english"),
    [
        (
            "一覧 3\nThe disk of /data is full: 3 MB free.\n"
            "Make room there and try again; nothing that was stored is lost.\n",
            "/data のディスクがいっぱいです（空き 3 MB）。",
            "Make room there and try again",
        ),
        (
            "2026-11-24T02:00:00+0000 ERROR locator_search.cli: Google Drive cannot be reached.\n",
            "Google Drive に接続できません",
            "Google Drive cannot be reached.",
        ),
        (
            "/data のディスクがいっぱいです（空き 3 MB）。\n",
            "/data のディスクがいっぱいです",
            "The disk of /data is full",
        ),
    ],
)
def test_a_crawl_that_failed_is_told_in_the_language_of_the_page(
    opened: Opened, language: str, monkeypatch: pytest.MonkeyPatch, log: str, japanese: str, english: str
) -> None:
    class Ended:
        returncode = 1

        def poll(self) -> int:
            return 1

    opened("status")

    def ended(self: CrawlProcess, home: Path) -> None:
        self._log, self._process = home / "l", cast("subprocess.Popen[bytes]", Ended())

    monkeypatch.setattr(CrawlProcess, "__init__", ended)
    Path("home").mkdir(exist_ok=True)
    Path("home", "l").write_text(log, "utf-8")
    assert {"ja": japanese, "en": english}[language] in opened("adding")
