"""What a command puts off is imported when Dagster calls it, and then it is the real thing."""

from __future__ import annotations

import subprocess
import sys

ALEMBIC = """
import sys
from locator_assets.late_imports import put_off_imports

put_off_imports()
from dagster._core.storage import sql
from dagster_postgres.utils import pg_alembic_config
import dagster_postgres.event_log.event_log as storage

print("mako" in sys.modules, end=" ")
config = pg_alembic_config(storage.__file__)
print(type(config).__module__, len(sql.ScriptDirectory.from_config(config).get_heads()), "mako" in sys.modules)
"""
DAEMON = """
import sys
from locator_assets.late_imports import put_off_imports

put_off_imports()
import locator_assets.commands.crawling
from dagster._core.storage.runs.base import DaemonHeartbeat

print("dagster._daemon.controller" in sys.modules, end=" ")
from dagster._daemon import DagsterDaemonController, DaemonHeartbeat as of_the_daemon
print(DagsterDaemonController.__module__, of_the_daemon is DaemonHeartbeat)
"""
PATHS = """
import sys
import tempfile
from locator_assets.late_imports import put_off_imports

put_off_imports()
import locator_assets.commands.crawling
from dagster import DagsterInstance

with tempfile.TemporaryDirectory() as home, DagsterInstance.local_temp(home) as instance:
    print("upath.core" in sys.modules, "fsspec" in sys.modules, end=" ")
    path = instance.defs_state_storage.base_path
    print((path / "a").name, path.name, type(path / "a").__module__.split(".")[0], "fsspec" in sys.modules)
"""


def test_dagsters_storages_are_imported_without_alembic_and_find_it_when_they_call_it() -> None:
    assert _printed(ALEMBIC) == ["False", "alembic.config", "1", "True"]


def test_a_crawl_is_imported_without_the_daemon_which_is_there_when_it_is_asked_for() -> None:
    assert _printed(DAEMON) == ["False", "dagster._daemon.controller", "True"]


def test_an_instance_is_opened_without_paths_elsewhere_which_are_there_when_one_is_used() -> None:
    assert _printed(PATHS) == ["False", "False", "a", "defs_state", "upath", "True"]


def _printed(program: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
