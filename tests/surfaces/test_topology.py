"""The parts of a deployment, each in processes and a home of its own, on one database."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import LiteralString

import psutil
import psycopg
import pytest
from playwright.sync_api import Page, expect

from locator_search.cli.up.local_servers import free_port
from tests.builders.page_server import free_test_port
from tests.builders.waiting import wait_until
from tests.surfaces.test_page_browser import browser, chromium, page
from tests.surfaces.test_serve import serving

pytestmark = [pytest.mark.browser, pytest.mark.dagster_tables, pytest.mark.timeout(900)]
__all__ = ["browser", "chromium", "page"]
WORKSPACE = Path(__file__).parents[2] / "deploy" / "workspace.yaml"
FILES = 12
COMMON = {"LOCATOR_LINK_SECRET": "of-all-machines-alike-0123456789abcdef", "LOCATOR_CRAWL_SLOTS": "2"}


def test_every_part_in_a_home_of_its_own_finds_what_the_daemon_had_crawled(
    page: Page, database_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"第{number}号報告書.txt").write_text(f"案件{number}の進み具合を報告する。", "utf-8")
    code, dagster, *pages = (free_port(free_test_port() + 30 * part) for part in range(4))
    with ExitStack() as parts:

        def serve(name: str, *words: str) -> psutil.Process:
            home = tmp_path / name / "home"
            (home / "dagster").mkdir(parents=True)
            workspace = WORKSPACE.read_text("utf-8").replace("code-server", "127.0.0.1").replace("4266", str(code))
            (home / "dagster" / "workspace.yaml").write_text(workspace, "utf-8")
            settings = {
                "DATABASE_URL": database_url,
                "LOCATOR_HOME": str(home),
                "LOCATOR_FOLDERS": str(folder),
                **COMMON,
            }
            part = parts.enter_context(serving(settings, tmp_path / name, *words))
            return psutil.Process(part.pid)

        serve("code server", "code-server", "--port", str(code))
        daemons = [serve(name, "daemon") for name in ("daemon", "another daemon")]
        serve("dagster", "dagster", "--port", str(dagster))
        for port in pages:
            serve(f"page {port}", "page", "--port", str(port))
        wait_until(lambda: indexed(database_url) == FILES, seconds=600)
        assert counted(database_url, SLOTS) == 2
        assert counted(database_url, BATCHES) >= 2, "each of the two workers gets one"
        for port, other in zip(pages, reversed(pages), strict=True):
            page.goto(f"http://127.0.0.1:{port}/?q=案件7の進み具合")
            expect(page.locator(".dl-title").first).to_contain_text("第7号報告書.txt", timeout=200_000)
            link = page.locator(".dl-title a").first.get_attribute("href") or ""
            answer = page.request.get(f"http://127.0.0.1:{other}/{link[link.index('original/') :]}")
            assert (answer.status, answer.text()) == (200, "案件7の進み具合を報告する。")
        running = [child for each in daemons for child in each.children() if "dagster._daemon" in child.cmdline()]
        assert len(running) == 1


SLOTS = "SELECT \"limit\" FROM dagster.concurrency_limits WHERE concurrency_key = 'index_files'"
BATCHES = "SELECT count(*) FROM dagster.runs WHERE pipeline_name LIKE 'index_files%'"


def indexed(database_url: str) -> int:
    time.sleep(0.5)
    return counted(database_url, "SELECT count(*) FROM file_state WHERE state = 'indexed'")


def counted(database_url: str, statement: LiteralString) -> int:
    with psycopg.connect(database_url) as connection:
        row = connection.execute(statement).fetchone()
    assert row is not None
    return int(row[0])
