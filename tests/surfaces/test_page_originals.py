"""Originals open from their results, by links of the page's own, and by nothing else."""

from __future__ import annotations

import http.client
import os
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from locator_search.adapters.local_files.originals import LocalOriginals
from locator_search.adapters.local_files.secret_file import secret_of
from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.core.signing import TokenSigner
from tests.builders.files.pdfs import pdf
from tests.builders.page_server import page_server
from tests.builders.recording_browser import FLAGS, PATIENCE
from tests.builders.registry import all_known
from tests.builders.report_folder import indexed_reports
from tests.fakes.clock import HeldClock
from tests.surfaces.test_page_browser import ask, chromium

__all__ = ["chromium"]

ENDED, GONE = "期限が切れています", "このファイルは今は開けません"
SCRIPT = "<script>document.title = 'mine'</script>"
HUGE = 3 << 30


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    root = tmp_path_factory.mktemp("originals")
    folder = root / "資料"
    (folder / "設計").mkdir(parents=True)
    lines = [[f"{page}頁{line}行、塗装の色は別の表による。" for line in range(45)] for page in (1, 2)]
    pdf(folder / "設計" / "配管の仕様.pdf", [*lines, ["配管の口径は五十ミリとする。"]])
    Image.new("RGB", (4, 4), "red").save(folder / "現場.png")
    (folder / "案内.html").write_text(f"<p>案内</p>{SCRIPT}", "utf-8")
    (folder / "図.svg").write_text(f"<svg xmlns='http://www.w3.org/2000/svg'>{SCRIPT}</svg>", "utf-8")
    (folder / "題.xml").write_text("<a>題</a>", "utf-8")
    (folder / "偽の写真.png").write_text(f"<html>{SCRIPT}</html>", "utf-8")
    (folder / "覚書.txt").write_bytes("来週の会議は水曜に変更します。\n".encode("cp932"))
    (folder / "入れ替わる.txt").write_text("入れ替わる前\n", "utf-8")
    (folder / "消える.txt").write_text("消える前\n", "utf-8")
    (folder / "部屋").mkdir()
    (folder / "部屋" / "鍵.txt").write_text("部屋の鍵\n", "utf-8")
    with (folder / "録画.bin").open("wb") as huge:
        huge.truncate(HUGE)
    return indexed_reports(database_server, root, "page_originals")


@pytest.fixture(scope="module")
def locator(settings: dict[str, str]) -> Iterator[Locator]:
    folders, home = (settings["LOCATOR_FOLDERS"],), Path(settings["LOCATOR_HOME"])
    made = load_settings(database_url=settings["DATABASE_URL"], locator_folders=folders, locator_home=home)
    with open_locator(made) as opened:
        yield opened


@pytest.fixture(scope="module")
def server(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with page_server(tmp_path_factory.mktemp("originals-server"), settings) as running:
        yield running


def id_of(locator: Locator, name: str) -> str:
    return next(one for one, known in all_known(locator.registry).items() if known.file.file_name == name)


def link_to(locator: Locator, name: str) -> str:
    assert locator.originals is not None
    return f"/original/{locator.originals.token(id_of(locator, name))}"


def opened(server: str, path: str, method: str = "GET", first: int = 1 << 20) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and the beginning of what a path answers, which is sent as it is written."""
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=100)
    connection.request(method, path)
    answer = connection.getresponse()
    try:
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read(first)
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("配管の仕様.pdf", "application/pdf"),
        ("現場.png", "image/png"),
        ("偽の写真.png", "image/png"),  # with nosniff, a broken picture
        ("経費精算の手順.md", "text/plain; charset=utf-8"),
        ("覚書.txt", "text/plain; charset=shift_jis"),
    ],
)
def test_what_holds_no_script_is_shown(name: str, kind: str, server: str, locator: Locator) -> None:
    status, headers, body = opened(server, link_to(locator, name))
    assert (status, headers["content-type"]) == (200, kind)
    assert headers["content-disposition"] == f"inline; filename*=UTF-8''{quote(name)}"
    assert next(Path(locator.folders[0]).rglob(name)).read_bytes() == body


@pytest.mark.parametrize("name", ["案内.html", "図.svg", "題.xml", "録画.bin"])
def test_everything_else_is_a_download(name: str, server: str, locator: Locator) -> None:
    status, headers, _ = opened(server, link_to(locator, name), first=10)
    assert (status, headers["content-type"]) == (200, "application/octet-stream")
    assert headers["content-disposition"] == f"attachment; filename*=UTF-8''{quote(name)}"


@pytest.mark.parametrize("name", ["配管の仕様.pdf", "案内.html"])
def test_nothing_that_opens_may_run_or_be_kept(name: str, server: str, locator: Locator) -> None:
    _, headers, _ = opened(server, link_to(locator, name))
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "private, no-store"
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=100)
    connection.request("GET", link_to(locator, name))
    policies = [value for key, value in connection.getresponse().getheaders() if key == "content-security-policy"]
    assert "sandbox; default-src 'none'" in policies
    connection.close()


def test_a_huge_file_comes_piece_by_piece(server: str, locator: Locator) -> None:
    status, headers, body = opened(server, link_to(locator, "録画.bin"), first=1 << 20)
    assert (status, headers["content-length"], len(body)) == (200, str(HUGE), 1 << 20)
    assert opened(server, link_to(locator, "録画.bin"), "HEAD")[::2] == (200, b"")


def forged(locator: Locator, how: str) -> str:
    """A path that nobody was given by a page."""
    secret, clock = secret_of(locator.settings.home / "link_secret"), HeldClock()
    one, other = link_to(locator, "現場.png"), link_to(locator, "覚書.txt")
    source = LocalFolderSource(locator.folders)
    return {
        "another file": f"{other.rpartition('.')[0]}.{one.rpartition('.')[2]}",
        "tampered": f"{one.rpartition('.')[0]}.{'A' * len(one.rpartition('.')[2])}",
        "another secret": "/original/" + LocalOriginals(source, locator.registry, secret[::-1], clock).token("x"),
        "expired": "/original/"
        + TokenSigner(secret, "original", HeldClock(), "").token([id_of(locator, "覚書.txt")], timedelta(days=-9999)),
        "of a sheet": "/original/" + locator.contributions.links.token(id_of(locator, "覚書.txt"), "md"),
        "id alone": f"/original/{quote(id_of(locator, '覚書.txt'))}",
        "not ASCII": "/original/%ff%fe.x",
    }[how]


@pytest.mark.parametrize(
    "how", ["another file", "tampered", "another secret", "expired", "of a sheet", "id alone", "not ASCII"]
)
def test_a_link_that_no_page_gave_or_that_ended_says_so_and_nothing_else(
    how: str, server: str, locator: Locator
) -> None:
    status, headers, body = opened(server, forged(locator, how))
    assert (status, headers["content-type"]) == (403, "text/plain; charset=utf-8")
    assert ENDED in body.decode()
    assert body.count(b"\n") == 1


@pytest.mark.parametrize(
    "path",
    [
        "/original/../../../../etc/passwd",
        "/original/..%2f..%2f..%2fetc%2fpasswd",
        "/original/%2fetc%2fpasswd",
        "/original//etc/passwd",
        "//etc/passwd",
        "/original/C:%5cWindows%5cwin.ini",
        "/original/x%00y",
        "/original/",
    ],
)
def test_a_path_opens_no_file(path: str, server: str) -> None:
    _, _, body = opened(server, path)
    assert b"root:" not in body
    assert b"Traceback" not in body


def test_a_signed_name_of_no_listed_file_opens_nothing(server: str, locator: Locator) -> None:
    assert locator.originals is not None
    for name in ("/etc/passwd", "../../../../etc/passwd", "local:" + "0" * 32):
        status, _, body = opened(server, f"/original/{locator.originals.token(name)}")
        assert status == 404
        assert GONE in body.decode()


def test_the_sentence_is_in_the_language_of_the_page(server: str) -> None:
    assert opened(server, "/original/x?lang=en")[2].startswith(b"This link is not valid")


def swap(folder: Path, what: str, outside: Path) -> str:
    """Change the folder after its links were made; the name of the file concerned."""
    if what == "file becomes a link":
        (folder / "入れ替わる.txt").unlink()
        (folder / "入れ替わる.txt").symlink_to(outside / "鍵.txt")
        return "入れ替わる.txt"
    if what == "folder becomes a link":
        (folder / "部屋").rename(folder / "前の部屋")
        (folder / "部屋").symlink_to(outside)
        return "鍵.txt"
    if what == "file becomes a pipe":
        (folder / "題.xml").unlink()
        os.mkfifo(folder / "題.xml")
        return "題.xml"
    (folder / "消える.txt").unlink()
    return "消える.txt"


@pytest.mark.parametrize(
    "what", ["file becomes a link", "folder becomes a link", "file becomes a pipe", "file is gone"]
)
def test_what_was_swapped_in_is_not_followed(what: str, server: str, locator: Locator, tmp_path: Path) -> None:
    (tmp_path / "鍵.txt").write_text("よその鍵", "utf-8")
    folder = Path(locator.folders[0])
    status, _, body = opened(server, link_to(locator, swap(folder, what, tmp_path)))
    assert status == 404
    assert GONE in body.decode()
    assert str(folder) not in body.decode()
    assert "よその鍵" not in body.decode()


@pytest.fixture
def page(chromium: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=PATIENCE)
        tab = browser.new_page()
        tab.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        yield tab
        browser.close()


@pytest.mark.browser
def test_a_result_opens_in_a_tab_of_its_own(page: Page, server: str) -> None:
    page.goto(server)
    ask(page, "経費精算の手順")
    expect(page.locator(".st-key-result-1 .dl-title a")).to_have_text("経費精算の手順.md")
    with page.expect_popup() as popup:
        page.locator(".st-key-preview").get_by_role("link", name="開く").click()
    expect(popup.value.locator("body")).to_contain_text("領収書を添えて月末までに申請します。")


@pytest.mark.browser
def test_a_pdf_opens_at_the_page_of_the_match(page: Page, server: str) -> None:
    page.goto(server)
    ask(page, "配管の口径")
    link = page.locator(".st-key-preview").get_by_role("link", name="開く")
    expect(link).to_have_attribute("href", re.compile(r"^/original/.*#page=3$"))
    path = str(link.get_attribute("href")).partition("#")[0]
    assert opened(server, path)[1]["content-type"] == "application/pdf"


@pytest.mark.browser
def test_a_page_of_html_is_saved_and_never_runs(page: Page, server: str, locator: Locator) -> None:
    page.goto(server)
    with page.expect_download() as saved:
        page.evaluate("address => { location.href = address }", link_to(locator, "案内.html"))
    assert saved.value.suggested_filename == "案内.html"
    assert page.title() != "mine"
