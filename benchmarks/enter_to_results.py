"""How long after Enter the first result stands on the page, and how long after it the whole result, in a real browser.

python -m benchmarks.enter_to_results
python -m benchmarks.enter_to_results --chunks 100000 --home FOLDER
python -m benchmarks.enter_to_results --grown FOLDER

The samples, the large collection of `retrieval.py`, or the files that `growth.py --keep FOLDER` crawled. Every question
is put once to a page that is open already; the browser itself looks before each frame whether another result stands
there. A long search shows first what words find.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Page, expect

from benchmarks.retrieval import load
from benchmarks.retrieval_corpus import Corpus
from benchmarks.verdict import tell
from locator_search.app.locator import open_locator
from locator_search.config.bundled import bundled
from locator_search.config.settings import load_settings
from tests.builders.page_server import page_server
from tests.builders.pictures import chromium
from tests.builders.recording_browser import PATIENCE, recording_browser
from tests.builders.report_folder import index_everything

SAMPLES = (
    "経費精算の手順",
    "去年の契約書",
    "2026年9月の週報",
    "北斗製鋼",
    "保守契約書",
    "テレワーク勤務規程",
    "売上報告",
    "安全衛生委員会",
)
WARM = 3
"""Questions before the clock runs: a server that has just started reads its pages from the disk."""
ALLOWED = 0.5
ALLOWED_OF_MANY = 1.0
"""Seconds to the first result, of the samples and of a large collection."""
WATCH = """
  () => {
    const first = () => document.querySelector(".dl-title");
    const listed = () => document.querySelector("[class*='st-key-result-'] .dl-title");
    const before = first(), listedBefore = listed(), began = performance.now();
    window.took = window.whole = 0;
    const look = () => {
      const now = performance.now() - began;
      if (!window.took && first() && first() !== before) window.took = now;
      const settled = listed() && listed() !== listedBefore && !document.querySelector(".st-key-words-first");
      if (window.took && settled) window.whole = now; else requestAnimationFrame(look);
    };
    look();
  }
"""


def main() -> None:
    """Fill what is not filled yet, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=0, help="0: the samples")
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--home", type=Path, help="where the database is kept; else it is made anew")
    parser.add_argument("--grown", type=Path, help="the folder that `growth.py --keep` left")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="locator-enter-") as place:
        grown: Path | None = arguments.grown and arguments.grown.resolve()
        home = grown / "home" if grown else (arguments.home or Path(place) / "home").resolve()
        folder = grown / "files" if grown else bundled("samples")
        questions = about(folder, arguments.questions) if grown else filled(home, arguments.chunks, arguments.questions)
        settings = {"LOCATOR_HOME": str(home), "LOCATOR_FOLDERS": str(folder), "LOCATOR_WORDS_FIRST_SECONDS": "0.3"}
        with page_server(Path(place), settings) as address, recording_browser(chromium()) as browser:
            expect.set_options(timeout=PATIENCE)
            page = browser.new_page()
            page.goto(address)
            times = [seconds(page, question) for question in questions][WARM:]
    for name, each in zip(("first result", "whole result"), zip(*times, strict=True), strict=True):
        print(f"{name}, {len(each)} questions: median {median(each):.2f} s, p95 {quantiles(each, n=20)[-1]:.2f} s")
    allowed = ALLOWED_OF_MANY if grown or arguments.chunks else ALLOWED
    tell("from Enter to the first result, median", median(first for first, _ in times), "s", at_most=allowed)


def filled(home: Path, chunks: int, count: int) -> Sequence[str]:
    """The questions to an index that holds what they are about."""
    folders = (str(bundled("samples")),)
    with open_locator(load_settings(locator_home=home, database_url=None, locator_folders=folders)) as locator:
        if not chunks:
            index_everything(locator)
            return (SAMPLES * count)[: count + WARM]
        corpus = Corpus(chunks, "hashed")
        load(locator.database, corpus)
        return [question.text for question in corpus.questions(count + WARM)]


def about(folder: Path, count: int) -> Sequence[str]:
    """Questions about single files of a grown folder."""
    files = sum(1 for _ in folder.rglob("*.txt"))
    return [f"案件{number * 7919 % files}の予算" for number in range(1, count + WARM + 1)]


def seconds(page: Page, question: str) -> tuple[float, float]:
    """From Enter to another first result, and to the whole one."""
    field = page.locator(".st-key-question input")
    field.fill(question)
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    page.evaluate(WATCH)
    field.press("Enter")
    page.wait_for_function("window.whole")
    expect(page.locator(".stApp[data-test-script-state=notRunning]")).to_be_visible()
    return page.evaluate("window.took") / 1000, page.evaluate("window.whole") / 1000


if __name__ == "__main__":
    main()
