"""How long four people take for what they came for, in a real browser: `python -m benchmarks.stories`.

The first three meet the sample company, searchable already; the clock of the newcomer starts with the program. A
picture of every step is kept under `--pictures`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, expect

from benchmarks import stories_told
from benchmarks.stories_folder import generated_folder
from benchmarks.stories_told import Story
from tests.builders.pictures import Running, chromium, running, sample_company
from tests.builders.recording_browser import PATIENCE, RecordingBrowser, recording_browser

SIZE = {"width": 1440, "height": 900}


class Told(NamedTuple):
    """A story, its bound in seconds, and whether the samples are the folder, already searchable."""

    tell: Callable[[Story, Page, Running], None]
    bound: int
    samples: bool = True


STORIES = {
    "contract": Told(stories_told.contract, 20),
    "not-found": Told(stories_told.not_found, 30),
    "partition": Told(stories_told.failed_partition, 120),
    "newcomer": Told(stories_told.newcomer, 180, samples=False),
}


def play(name: str, browser: RecordingBrowser, pictures: Path) -> str:
    """One line: its seconds, and whether they are within the bound."""
    told = STORIES[name]
    with tempfile.TemporaryDirectory(prefix="locator-stories-") as place:
        home = Path(place)
        folder = sample_company(home) if told.samples else generated_folder(home / "資料")
        story = Story(name, pictures)
        with running(folder, home) as product:
            if told.samples:
                product.said("巡回完了")
                story.began = time.monotonic()
            page = browser.new_page()
            faults: list[str] = []
            page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
            print(f"{name}: {(told.tell.__doc__ or '').strip()}", flush=True)
            told.tell(story, page, product)
            page.close()
    verdict = "within" if story.seconds <= told.bound else "OVER"
    return f"{name:<10} {story.seconds:6.1f} s   {verdict} {told.bound} s, {len(faults)} console errors"


def main() -> None:
    """Play the stories that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stories", nargs="*", metavar="|".join(STORIES), help="all of them if none is named")
    parser.add_argument("--pictures", type=Path, default=Path(".screenshots"))
    arguments = parser.parse_args()
    arguments.pictures.mkdir(parents=True, exist_ok=True)
    lines = []
    expect.set_options(timeout=PATIENCE)
    with recording_browser(chromium(), viewport=SIZE, locale="ja-JP") as browser:
        for name in arguments.stories or STORIES:
            lines.append(play(name, browser, arguments.pictures))
        print(*lines, f"requests to other machines: {browser.foreign or 0}", sep="\n")


if __name__ == "__main__":
    main()
