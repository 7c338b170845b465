"""Dagster's tables, made by Dagster."""

from __future__ import annotations

import shutil
from pathlib import Path

import dagster as dg
import pytest

from locator_search.adapters.postgres import Database
from locator_search.config.bundled import bundled


def make_dagster_tables(url: str, home: Path) -> None:
    """As the first process that opens the instance does."""
    shutil.copy(bundled("dagster.yaml"), home)
    with Database(url) as database, pytest.MonkeyPatch.context() as environment:
        environment.setenv("DAGSTER_POSTGRES_URL", database.dagster_url)
        with dg.DagsterInstance.from_config(str(home)) as instance:
            assert instance.get_runs_count() == 0
