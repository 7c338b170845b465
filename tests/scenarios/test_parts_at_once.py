"""Threads of one process that ask for parts of the product at the same time, as sensors and pages do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PARTS = [
    "registry",
    "folder_tree",
    "x_search",
    "index",
    "status_reader",
    "drive_search",
    "indexer",
    "source",
    "contributions.in_use",
    "suggestions",
]
PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from threading import Barrier

from locator_search.app.locator import open_locator

names = sys.argv[1:]
barrier = Barrier(2 * len(names))
sys.setswitchinterval(1e-6)

def made(locator, name):
    barrier.wait()
    return attrgetter(name)(locator)

with open_locator() as locator, ThreadPoolExecutor(2 * len(names)) as pool:
    twice = list(pool.map(lambda name: made(locator, name), [*names, *names]))
    for name, one, other in zip(names, twice, twice[len(names):]):
        assert one is other, name
"""


@pytest.mark.parametrize("turn", range(3))
def test_threads_that_ask_for_parts_at_once_get_the_same_whole_ones(
    database_url: str, tmp_path: Path, turn: int
) -> None:
    names = PARTS[turn:] + PARTS[:turn]
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *names],
        env={**os.environ, "DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
