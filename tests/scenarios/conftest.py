"""Fixtures of scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from locator_search.adapters.isolated_extractor import IsolatedExtractor
from locator_search.adapters.postgres import Database
from locator_search.dev.drive_emulator import DriveEmulator
from tests.builders.drive import DriveBench


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    """An empty Google Drive."""
    with DriveEmulator() as emulator:
        yield emulator


@pytest.fixture
def drive_bench(drive: DriveEmulator, tmp_path: Path, database: Database, extractor: IsolatedExtractor) -> DriveBench:
    """A target folder in it, and all the parts that crawl it."""
    return DriveBench(drive, tmp_path, database, extractor)
