"""Four people and what they came for, each told to a browser at the pace of a person."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from benchmarks.stories_folder import WORDS
from tests.builders.files.word import paragraph, word
from tests.builders.pictures import Running, settled

KEY, LOOK = 0.12, 1.0
"""Seconds that a key takes, and that a page is looked at before a click."""
DAMAGED = "ファイルサーバー移行計画書"


@dataclass
class Story:
    """One person in front of one tab, and the seconds since they began."""

    name: str
    pictures: Path
    began: float = field(default_factory=time.monotonic)
    steps: int = 0
    seconds: float = 0.0
    """When the last step was done."""

    def step(self, page: Page, what: str) -> None:
        """Note what is seen now."""
        self.steps, self.seconds = self.steps + 1, time.monotonic() - self.began
        print(f"  {self.seconds:6.1f} s  {what}", flush=True)
        page.screenshot(path=self.pictures / f"{self.name}-{self.steps}.png")

    def click(self, target: Locator) -> None:
        """Look, then click."""
        target.wait_for()
        time.sleep(LOOK)
        target.click()

    def type(self, target: Locator, text: str) -> None:
        """Type, and press Enter."""
        target.wait_for()
        time.sleep(LOOK)
        target.press_sequentially(text, delay=KEY * 1000)
        target.press("Enter")


def contract(story: Story, page: Page, product: Running) -> None:
    """An employee finds last year's contract, and opens it."""
    page.goto(product.page)
    story.type(page.locator(".st-key-question input"), "去年の契約書")
    expect(page.locator(".dl-title").first).to_contain_text("保守契約書_K-2025-008")
    for shown in (".dl-title", ".dl-preview mark"):  # it may stand on the page before it is shown
        expect(page.locator(shown).first).to_be_visible()
    story.step(page, "the contract of last year is the first result, its text beside it")
    with page.expect_download() as saved:
        story.click(page.locator(".st-key-preview").get_by_role("link", name="開く"))
    story.step(page, f"{saved.value.suggested_filename} is there")


def not_found(story: Story, page: Page, product: Running) -> None:
    """An operator says why a file is not found."""
    page.goto(product.page)
    story.click(page.get_by_role("link", name="状態"))
    field = page.get_by_placeholder("ファイル名やフォルダー名の一部")
    field.wait_for()
    story.step(page, "the status page: all files by state")
    story.type(field, DAMAGED)
    reason = page.locator(".dl-story").first
    expect(reason).to_contain_text("壊れている")
    reason.scroll_into_view_if_needed()
    story.step(page, "its story: listed, damaged, and what to do")


def failed_partition(story: Story, page: Page, product: Running) -> None:
    """A data engineer finds the failed partition and its reason, repairs the file, and reruns it in two clicks."""
    page.goto(f"{product.dagster}/assets")
    asset = page.locator("a[href='/assets/extracted_text']:visible").last
    asset.wait_for()
    expect(page.get_by_text("90 partitions").first).to_be_visible()
    story.step(page, "the catalogue: one partition of one asset is red")
    story.click(asset)
    story.click(page.get_by_text("Partitions", exact=True).first)
    for kind in ("Materialized (", "Missing ("):
        story.click(page.get_by_text(kind))
    story.click(page.locator("button:has-text('移行'):visible, [data-tooltip*='移行']:visible").first)
    expect(page.get_by_text("damaged ZIP container")).to_be_visible()
    story.step(page, "the partition bears the name of the file, and says why it failed")
    file = next(Path(product.output.parent).rglob(f"{DAMAGED}.docx"))
    word(file, paragraph("サーバー室のファイルサーバーを秋の連休に移す。"))
    story.click(page.locator("a[href^='/runs/']:visible").first)
    story.click(page.get_by_role("button", name="Re-execute all"))
    expect(page.get_by_text("RUN_SUCCESS")).to_be_visible()
    story.step(page, "repaired, and run again in two clicks: the failed run, and 'Re-execute all'")
    found = page.locator(".dl-title", has_text=DAMAGED)
    while not found.count():  # an address without a search of before asks anew
        page.goto(f"{product.page}/?q={DAMAGED}")
        page.locator(".dl-title").first.wait_for()
    story.step(page, "the file is found")
    page.goto(f"{product.dagster}/assets")
    expect(page.get_by_text("87", exact=True).first).to_be_visible()
    story.step(page, "nothing is red any more")


def newcomer(story: Story, page: Page, product: Running) -> None:
    """Somebody has just started it on a folder of their own, and searches."""
    page.goto(product.page)
    settled(page)
    story.step(page, "the page is there, and says what is going on")
    found = page.locator(".dl-title")
    while not found.count():
        page.goto(product.page)
        story.type(page.locator(".st-key-question input"), WORDS)
        settled(page)
    story.step(page, "the first hit in their own files")
