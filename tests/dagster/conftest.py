"""A Dagster instance per test: in memory, or in PostgreSQL with the settings we ship."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from locator_search.adapters.postgres import Database
from locator_search.config.bundled import bundled


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as opened:
        yield opened


@pytest.fixture
def stored_instance(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dg.DagsterInstance]:
    home = tmp_path / "dagster"
    home.mkdir()
    shutil.copy(bundled("dagster.yaml"), home)
    monkeypatch.setenv("DAGSTER_POSTGRES_URL", database.dagster_url)
    with dg.DagsterInstance.from_config(str(home)) as opened:
        yield opened
