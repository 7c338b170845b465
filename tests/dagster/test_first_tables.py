"""Dagster's tables, made at the first start by whoever of several processes comes first."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from locator_assets.instance import dagster_environment, making_tables
from locator_search.app.locator import open_locator
from locator_search.cli.up.local_servers import DAGSTER_PORT, free_port
from locator_search.config.settings import load_settings
from tests.builders.waiting import wait_until

OPEN = """
from locator_assets.instance import open_instance
from locator_search.app.locator import open_locator
with open_locator() as locator, open_instance(locator):
    pass
"""
IN_THE_BACKGROUND = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
"""
TRIES = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()
"""
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'dagster'"


@contextmanager
def opening(part: str, environment: Mapping[str, str]) -> Iterator[None]:
    """A process in the background, which hears no Ctrl-C, that opens the instance: as a crawl does, or the UI."""
    ui = ["-m", "locator_assets.dagster_webserver", "--port", str(free_port(DAGSTER_PORT))]
    arguments = ["-c", OPEN] if part == "crawl" else ui
    command = [sys.executable, "-c", IN_THE_BACKGROUND, sys.executable, *arguments]
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        try:
            yield
        finally:
            process.terminate()


@pytest.mark.parametrize("part", ["crawl", "ui"])
def test_who_opens_the_instance_waits_while_another_makes_its_tables(
    part: str, tmp_path: Path, database_url: str
) -> None:
    """Both at once ended the first crawl now and then: `type "jobs" already exists`."""
    home = tmp_path / "home"
    settings = load_settings(locator_home=home, database_url=database_url)
    with open_locator(settings) as locator, psycopg.connect(database_url, autocommit=True) as looking:

        def count(query: str) -> int:
            [[found]] = looking.execute(query).fetchall()
            return int(found)

        environment = {"DATABASE_URL": database_url, "LOCATOR_HOME": str(home), **dagster_environment(locator)}
        with ExitStack() as held:
            held.enter_context(making_tables(locator))
            ours = count(TRIES)
            with opening(part, environment):
                wait_until(lambda: count(TRIES) > ours)
                assert count(TABLES) == 0
                held.close()
                wait_until(lambda: count(TABLES) > 0)
