"""How long the pages of the Dagster UI take over a folder of many files, in a real browser.

    python -m benchmarks.dagster_pages --grown FOLDER

The folder is that which `growth.py --keep FOLDER` left. Each page is opened in a tab of its own, a few times; the clock
stops when the count of partitions, or the name of a file, can be read. The server is given time to count ahead, as it
does from its start on.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, expect

from benchmarks.verdict import tell
from tests.builders.page_server import free_test_port, until_the_end
from tests.builders.pictures import chromium
from tests.builders.recording_browser import PATIENCE, RecordingBrowser, recording_browser

ASSET = "/assets/drive_file_index"
PAGES = {
    "the catalogue": ("/assets", "[href='/assets/drive_file_index']"),
    "an asset": (ASSET, "text=/report-[0-9]+[.]txt/"),
    "its partitions": (f"{ASSET}?view=partitions", "text='Materialized ({files})'"),
    "the runs": ("/runs", "[href^='/runs/']"),
}
"""By name, the address and what is to be seen; `{files}` is the number of files."""
SIZE = {"width": 1440, "height": 900}
ALLOWED = 5.0
WATCH_SECONDS = 0.05


def main() -> None:
    """Start the UI, open the pages, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grown", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--wait", type=float, default=40.0, help="seconds between its start and the first page")
    parser.add_argument("--pictures", type=Path, help="where a picture of each page is kept")
    arguments = parser.parse_args()
    grown = arguments.grown.resolve()
    files = sum(1 for _ in (grown / "files").rglob("*.txt"))
    taken: dict[str, float] = {}
    with dagster_server(grown) as address, recording_browser(chromium(), viewport=SIZE) as browser:
        expect.set_options(timeout=PATIENCE)
        time.sleep(arguments.wait)
        for name, (path, shown) in PAGES.items():
            times = [
                seconds(browser, address + path, shown.format(files=files), arguments.pictures, name)
                for _ in range(arguments.repeats)
            ]
            print(f"{name}: {', '.join(f'{one:.2f}' for one in times)} s", flush=True)
            taken[name] = median(times)
    for name, each in taken.items():
        tell(f"{name} of the Dagster UI, {files:,} files", each, "s", at_most=ALLOWED)


@contextmanager
def dagster_server(grown: Path) -> Iterator[str]:
    """The address of the UI over what is indexed of a folder."""
    port = free_test_port()
    settings = {"LOCATOR_HOME": str(grown / "home"), "LOCATOR_FOLDERS": str(grown / "files")}
    command = [sys.executable, "-m", "locator_search.cli.main", "serve", "dagster", "--port", str(port)]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log) as server,
        until_the_end(server, f"http://127.0.0.1:{port}/server_info"),
    ):
        yield f"http://127.0.0.1:{port}"


def seconds(browser: RecordingBrowser, url: str, shown: str, pictures: Path | None, name: str) -> float:
    """From opening a tab to the sight of something."""
    page: Page = browser.new_page()
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    while not page.locator(shown).locator("visible=true").count():
        time.sleep(WATCH_SECONDS)
    took = time.perf_counter() - began
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=pictures / f"{name.replace(' ', '-')}.png")
    page.close()
    return took


if __name__ == "__main__":
    main()
