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
from pathlib import Path

from playwright.sync_api import Page

from locator_search.config.bundled import bundled
from tests.builders.recording_browser import recording_browser

SIZE = {"width": 1200, "height": 800}
START_SECONDS = 300


def main(target: Path) -> None:
    """Start the product, look at it, stop it."""
    chromium = os.environ.get("LOCATOR_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("There is no Chromium. Install it, or name it in LOCATOR_CHROMIUM.")
    target.mkdir(parents=True, exist_ok=True)
    with (
        running() as (page_address, dagster_address),
        recording_browser(chromium, viewport=SIZE, locale="ja-JP") as browser,
    ):
        page = browser.new_page()
        ask(page, page_address, "北斗製鋼")
        page.screenshot(path=target / "narrowing.png")
        ask(page, page_address, "2026年9月の週報")
        page.screenshot(path=target / "search.png")
        page.goto(f"{page_address}/status")
        settled(page)
        page.screenshot(path=target / "status.png")
        page.goto(f'{dagster_address}/asset-groups~group:"drive_index"/')
        settled(page)
        page.wait_for_timeout(8000)  # it asks for the states of the assets when they are drawn
        page.screenshot(path=target / "dagster.png")


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
def running() -> Iterator[tuple[str, str]]:
    """The addresses of page and Dagster once the sample company is indexed."""
    with tempfile.TemporaryDirectory(prefix="locator-pictures-") as name:
        home = Path(name)
        shutil.copytree(bundled("samples"), home / "共有")
        environment = {"PATH": os.environ["PATH"], "LOCATOR_HOME": str(home / "home")}
        command = [
            sys.executable,
            "-m",
            "locator_search.cli.main",
            "up",
            "--no-browser",
            "--folder",
            str(home / "共有"),
        ]
        with (home / "up.txt").open("wb") as sink:
            up = subprocess.Popen(command, cwd=home, env=environment, stdout=sink, stderr=subprocess.STDOUT)
        try:
            printed = said(home / "up.txt", up, r"巡回完了")
            addresses = [re.findall(rf"{part}\s+(http://\S+)", printed)[0] for part in ("検索ページ", "Dagster UI")]
            yield addresses[0], addresses[1]
        finally:
            up.send_signal(signal.SIGTERM)
            up.wait(120)


def said(output: Path, up: subprocess.Popen[bytes], pattern: str) -> str:
    """The output once it holds a pattern."""
    ends = time.monotonic() + START_SECONDS
    while not re.search(pattern, printed := output.read_text("utf-8")):
        if up.poll() is not None or time.monotonic() > ends:
            raise SystemExit(f"The product did not start:\n{printed}")
        time.sleep(0.5)
    return printed


if __name__ == "__main__":
    main(Path(sys.argv[1]))
