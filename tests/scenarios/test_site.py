"""The documentation as a site: strict, complete, the same as its files, and silent towards other machines."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from lxml import html
from markdown_it import MarkdownIt
from playwright.sync_api import Page, expect

from tests.builders.recording_browser import requested_urls
from tests.surfaces.test_page_browser import chromium

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
STRUCTURE = ("h1", "h2", "h3", "li", "ul", "ol", "pre", "table", "tr", "td")
__all__ = ["chromium"]


def build(repository: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "properdocs", "build", "--strict", "--site-dir", str(target)]
    return subprocess.run(command, cwd=repository, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    built = build(ROOT, target)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return target


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def article(site: Path, page: str) -> html.HtmlElement:
    """The text of a page of the site, by the path of its file under docs/."""
    built = page.replace(".ja.md", ".md").replace("README.md", "index.md").replace(".md", ".html")
    folder = site / "ja" if page.endswith(".ja.md") else site
    return html.fromstring((folder / built).read_bytes()).find(".//article")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_the_site_has_the_headings_lists_tables_and_blocks_of_its_file(site: Path, page: str) -> None:
    text = MarkdownIt("commonmark").enable("table").render((DOCS / page).read_text("utf-8"))
    written = html.fromstring(f"<div>{text}</div>")
    shown = article(site, page)
    assert {tag: len(shown.findall(f".//{tag}")) for tag in STRUCTURE} == {
        tag: len(written.findall(f".//{tag}")) for tag in STRUCTURE
    }


def test_every_decision_can_be_reached_although_the_navigation_names_their_list_alone(site: Path) -> None:
    linked = {link.get("href") for link in article(site, "decisions/README.md").findall(".//a")}
    assert {Path(page).with_suffix(".html").name for page in PAGES if page.startswith("decisions/0")} <= linked


def test_a_page_without_a_japanese_twin_says_so_and_stands_in_english(site: Path) -> None:
    english = [page for page in PAGES if ".ja." not in page and page.replace(".md", ".ja.md") not in PAGES]
    for page in (page for page in PAGES if ".ja." not in page):
        shown = article(site / "ja", page)
        assert ("このページは英語版だけです。" in shown.text_content()) == (page in english), page
        assert bool(shown.findall("./div[@lang='en']")) == (page in english), page


@pytest.mark.parametrize("page", [page for page in PAGES if page.endswith(".ja.md")])
def test_lines_of_a_japanese_paragraph_join_without_a_space(site: Path, page: str) -> None:
    paragraphs = [one.text_content() for tag in ("p", "li") for one in article(site, page).iter(tag)]
    assert [text for text in paragraphs if re.search(r"[、。ぁ-ん]\n *[ぁ-ん一-龥]", text)] == []


def test_nothing_on_a_page_is_loaded_from_another_machine(site: Path) -> None:
    for path in site.rglob("*.html"):
        tree = html.fromstring(path.read_bytes())
        loaded = [one.get(name, "") for one in tree.iter() for name in ("src", "srcset")]
        loaded += [link.get("href", "") for link in tree.iter("link")]
        assert [address for address in loaded if re.match(r"(\w+:)?//", address)] == [], path
    for style in site.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", style.read_text("utf-8")) == [], style


def test_a_broken_link_a_broken_anchor_and_a_page_outside_the_navigation_fail(tmp_path: Path) -> None:
    shutil.copy(ROOT / "properdocs.yml", tmp_path)
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("pictures"))
    (tmp_path / "docs" / "stray.md").write_text("# Stray\n\n[a](gone.md) [b](settings.md#gone)\n", "utf-8")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    for words in ("'gone.md'", "'settings.md#gone'", 'not included in the "nav"'):
        assert words in built.stderr


@pytest.mark.browser
@pytest.mark.parametrize(("start", "switch"), [("index.html", "日本語"), ("ja/index.html", "English")])
def test_reading_searching_and_switching_the_language_ask_no_other_machine(
    address: str, chromium: str, start: str, switch: str
) -> None:
    def visit(page: Page) -> None:
        page.locator(".md-search__input").click()
        expect(page.locator(".md-search-result__meta")).to_have_text(re.compile("Type to start|キーワードを入力"))
        page.locator(".md-search__input").fill("索引")
        page.keyboard.press("End")
        expect(page.locator(".md-search-result__item").first).to_be_visible()
        page.keyboard.press("Escape")
        page.goto(f"{address}/{start.replace('index', 'commands')}")
        page.locator(".md-header .md-select button").hover()
        page.get_by_role("link", name=switch).click()
        expect(page.locator("article h1")).to_contain_text("Commands" if switch == "English" else "コマンド")

    urls = requested_urls(chromium, f"{address}/{start}", visit)
    assert [url for url in urls if not url.startswith(address)] == []
