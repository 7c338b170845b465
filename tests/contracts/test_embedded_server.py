"""The embedded server: shared by processes, and usable after any of them was killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry, open_database
from locator_search.adapters.postgres.embedded import GUARD, EmbeddedServer
from locator_search.adapters.postgres.embedded_guard import LOOK_SECONDS
from locator_search.errors import StoreUnavailable
from locator_search.settings import Settings
from tests.builders.waiting import wait_until

HOLDS_A_HANDLE = """
import sys, time
from pathlib import Path
from locator_search.adapters.postgres.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]))
print(server.url, flush=True)
time.sleep(250)
"""

MAY_WRITE_LITTLE = """
import resource, sys
from pathlib import Path
from locator_search.adapters.postgres.embedded import EmbeddedServer
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
EmbeddedServer(Path(sys.argv[1]))
"""


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="locator-home-"))
    yield folder
    if is_running(folder):  # what a killed process left to its guard
        EmbeddedServer(folder).close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a home holds after its server was stopped."""
    made = tmp_path_factory.mktemp("home")
    EmbeddedServer(made).close()
    return made / "postgres"


@pytest.fixture
def used_home(home: Path, cluster: Path) -> Path:
    """A home whose server ran before."""
    subprocess.run(["cp", "-a", str(cluster), str(home)], check=True)
    return home


def another_process(home: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_HANDLE, str(home)],
        cwd=Path.cwd(),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("postgresql://")
    return process


def postmaster_pid(home: Path) -> int:
    return int((home / "postgres" / "data" / "postmaster.pid").read_text().split()[0])


def guards_of(server: int) -> list[int]:
    words = {one.pid: one.info["cmdline"] or [] for one in psutil.process_iter(["cmdline"])}
    return [pid for pid, said in words.items() if str(GUARD) in said and said[-1] == str(server)]


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_running(home: Path) -> bool:
    return (home / "postgres" / "data" / "postmaster.pid").exists()


def one(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT 1").fetchone()
        assert row is not None
        return int(row[0])


def test_the_last_handle_stops_the_server_and_no_earlier_one(home: Path) -> None:
    first, second = EmbeddedServer(home), EmbeddedServer(home)
    first.close()
    assert one(second.url) == 1
    second.close()
    second.close()
    assert not is_running(home)


def test_a_killed_process_leaves_a_usable_server_that_still_stops_in_the_end(used_home: Path) -> None:
    process = another_process(used_home)
    process.send_signal(signal.SIGKILL)
    process.wait()
    server = EmbeddedServer(used_home)
    assert one(server.url) == 1
    server.close()
    assert not is_running(used_home)


def test_a_server_whose_last_user_was_killed_ends_by_itself_with_its_guard(used_home: Path) -> None:
    process = another_process(used_home)
    server = postmaster_pid(used_home)
    (guard,) = guards_of(server)
    other = EmbeddedServer(used_home)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(LOOK_SECONDS + 0.5)  # on a slow machine the guard may not have looked yet
    assert lives(server), "somebody still uses it"
    other._users = None  # as if this process, too, had been killed: its lock goes with the file
    wait_until(lambda: not lives(server) and not lives(guard), seconds=100)


def test_a_server_that_is_stopped_takes_its_guard_along(used_home: Path) -> None:
    server = EmbeddedServer(used_home)
    (guard,) = guards_of(postmaster_pid(used_home))
    server.close()
    wait_until(lambda: not lives(guard), seconds=100)


def test_a_server_used_by_another_process_is_not_stopped(used_home: Path) -> None:
    process = another_process(used_home)
    EmbeddedServer(used_home).close()
    assert is_running(used_home)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_ctrl_c_in_the_terminal_does_not_reach_the_server(used_home: Path) -> None:
    process = another_process(used_home)
    assert os.getpgid(postmaster_pid(used_home)) != os.getpgid(process.pid)
    os.killpg(os.getpgid(process.pid), signal.SIGINT)
    process.wait()
    server = EmbeddedServer(used_home)
    assert one(server.url) == 1
    server.close()


def test_a_killed_server_is_started_again_with_its_data(used_home: Path) -> None:
    server = EmbeddedServer(used_home)
    with psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    os.kill(postmaster_pid(used_home), signal.SIGKILL)
    again = EmbeddedServer(used_home)
    with psycopg.connect(again.url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    server.close()
    again.close()


def test_a_pid_file_that_names_a_stranger_does_not_stop_the_start(used_home: Path) -> None:
    pid_file = used_home / "postgres" / "data" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{pid_file.parent}\n1\n5432\n.\n\n  1 1\nready\n")
    server = EmbeddedServer(used_home)
    assert one(server.url) == 1
    server.close()


def test_half_a_cluster_of_a_killed_first_start_is_made_anew(home: Path) -> None:
    unfinished = home / "postgres" / "data.new"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    server = EmbeddedServer(home)
    assert one(server.url) == 1
    server.close()


def test_a_cluster_that_cannot_be_written_names_the_cause(home: Path) -> None:
    command = [sys.executable, "-c", MAY_WRITE_LITTLE, str(home)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert 'could not be created: could not write to file "pg_wal/' in ended.stderr
    assert not (home / "postgres" / "data").exists()


def test_a_path_too_long_for_a_socket_and_with_spaces_works(home: Path) -> None:
    deep = home / "長い 名前 'の' フォルダー" / ("x" * 100)
    server = EmbeddedServer(deep)
    assert one(server.url) == 1
    server.close()


def test_two_processes_starting_at_once_share_one_server(home: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", HOLDS_A_HANDLE, str(home)], cwd=Path.cwd(), stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    urls = {process.stdout.readline() for process in processes if process.stdout is not None}
    assert len(urls) == 1
    for process in processes:
        process.send_signal(signal.SIGKILL)
        process.wait()


def test_a_cluster_of_another_version_is_named_in_one_sentence(used_home: Path) -> None:
    version = used_home / "postgres" / "data" / "PG_VERSION"
    version.write_text("9\n")
    with pytest.raises(StoreUnavailable, match="PostgreSQL 9"):
        EmbeddedServer(used_home)


def test_a_home_that_cannot_be_written_is_named_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        EmbeddedServer(tmp_path / "file")


def test_a_server_that_does_not_start_says_why(used_home: Path) -> None:
    with (used_home / "postgres" / "data" / "postgresql.conf").open("a") as configuration:
        configuration.write("no_such_setting = on\n")
    with pytest.raises(StoreUnavailable, match="did not start: configuration file"):
        EmbeddedServer(used_home)


def test_what_the_server_said_at_another_time_is_not_the_reason(used_home: Path) -> None:
    with (used_home / "postgres" / "data" / "server.log").open("a") as log:
        log.write("2026-01-01 09:00:00 UTC [9] FATAL:  terminating connection due to administrator command\n")
    with pytest.raises(StoreUnavailable, match="did not start") as refused:
        EmbeddedServer(used_home, options="-Z")
    assert "administrator" not in str(refused.value)


def test_an_embedded_database_makes_its_own_tables(home: Path) -> None:
    with open_database(Settings(locator_home=home)) as database:
        assert database.embedded
        assert PostgresFileRegistry(database).known() == {}
        assert "search_path%3Ddagster" in database.dagster_url
    assert not is_running(home)


def test_a_closed_database_can_be_used_again(used_home: Path) -> None:
    database = Database(used_home)
    assert database.server_version()
    database.close()
    assert database.server_version()
    database.close()
    assert not is_running(used_home)
