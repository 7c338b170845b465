"""``python -m tests.builders.pictures docs/pictures`` takes the pictures of the tour from the running product, on the
sample company, offline, in Japanese. It needs Chromium, and a minute or two.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

from locator_search.config.bundled import bundled
from tests.builders.recording_browser import recording_browser

SIZE = {"width": 1200, "height": 800}
TALL = ViewportSize(width=1200, height=1410)
FLAT = ViewportSize(width=1400, height=500)
START_SECONDS = 300


def main(target: Path) -> None:
    """Start the product, look at it, stop it."""
    target.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.gettempdir(), "ひばり計器")  # pictures show it
    home.mkdir()
    try:
        with (
            running(sample_company(home), home) as product,
            recording_browser(chromium(), viewport=SIZE, locale="ja-JP") as browser,
        ):
            product.said("巡回完了")
            take(browser.new_page(), product, target)
    finally:
        shutil.rmtree(home)


def take(page: Page, product: Running, target: Path) -> None:
    """The pictures, one after the other."""
    ask(page, product.page, "北斗製鋼")
    page.screenshot(path=target / "narrowing.png")
    ask(page, product.page, "2026年9月の週報")
    page.screenshot(path=target / "search.png")
    page.set_viewport_size(TALL)
    page.goto(f"{product.page}/status")
    settled(page)
    page.screenshot(path=target / "status.png")
    page.set_viewport_size(FLAT)
    page.goto(f'{product.dagster}/asset-groups~group:"drive_index"/')
    page.get_by_text("Hide navigation").click()
    settled(page)
    page.wait_for_timeout(8000)  # it asks for the states of the assets when they are drawn
    page.screenshot(path=target / "dagster.png")


def chromium() -> str:
    """The path of the browser. Ends the process where there is none."""
    found = os.environ.get("LOCATOR_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise SystemExit("There is no Chromium. Install it, or name it in LOCATOR_CHROMIUM.")
    return found


def sample_company(home: Path) -> Path:
    """Its folder, copied to where it may be changed."""
    return shutil.copytree(bundled("samples"), home / "共有")


def ask(page: Page, address: str, question: str) -> None:
    """Open the search page anew and put a question."""
    page.goto(address)
    field = page.locator("[data-testid=stTextInput] input").first
    field.fill(question)
    field.press("Enter")
    settled(page)


def settled(page: Page) -> None:
    """Wait until nothing is fetched any more and everything stands."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(3000)
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    page.wait_for_timeout(1000)


@contextmanager
def running(folder: Path, home: Path) -> Iterator[Running]:
    """The product over a folder; everything else it writes is in `home`."""
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "locator_search.cli.main", "up", "--no-browser", "--folder", str(folder)]
    environment = {"PATH": os.environ["PATH"], "LOCATOR_HOME": str(home / "home")}
    with (home / "up.txt").open("wb") as sink:
        up = subprocess.Popen(command, cwd=home, env=environment, stdout=sink, stderr=subprocess.STDOUT)
    try:
        yield Running(home / "up.txt", up)
    finally:
        up.send_signal(signal.SIGTERM)
        up.wait(120)


@dataclass(frozen=True)
class Running:
    """The product while it runs."""

    output: Path
    up: subprocess.Popen[bytes]

    def said(self, pattern: str) -> str:
        """What a pattern finds in the output, once it does."""
        ends = time.monotonic() + START_SECONDS
        while not (found := re.search(pattern, printed := self.output.read_text("utf-8"))):
            if self.up.poll() is not None or time.monotonic() > ends:
                raise SystemExit(f"The product did not start:\n{printed}")
            time.sleep(0.1)
        return found[found.re.groups]

    @property
    def page(self) -> str:
        """Its address."""
        return self.said(r"検索ページ\s+(http://\S+)")

    @property
    def dagster(self) -> str:
        """The address of its UI."""
        return self.said(r"Dagster UI\s+(http://\S+)")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
