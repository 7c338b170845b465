"""Alembic is imported when Dagster calls it, and then it is Alembic."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from locator_assets.late_alembic import put_off_alembic

put_off_alembic()
from dagster._core.storage import sql
from dagster_postgres.utils import pg_alembic_config
import dagster_postgres.event_log.event_log as storage

print("mako" in sys.modules, end=" ")
config = pg_alembic_config(storage.__file__)
print(type(config).__module__, len(sql.ScriptDirectory.from_config(config).get_heads()), "mako" in sys.modules)
"""


def test_dagsters_storages_are_imported_without_alembic_and_find_it_when_they_call_it() -> None:
    told = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "alembic.config", "1", "True"]
