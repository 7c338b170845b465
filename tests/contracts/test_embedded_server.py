"""The embedded server: shared by processes, and usable after any of them was killed."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from locator_search.adapters.postgres import Database, PostgresFileRegistry, open_database
from locator_search.adapters.postgres.server import embedded, turn
from locator_search.adapters.postgres.server.embedded import GUARD, EmbeddedServer
from locator_search.adapters.postgres.server.embedded_guard import LOOK_SECONDS
from locator_search.cli.up.database_watch import DatabaseWatch
from locator_search.config.settings import Settings
from locator_search.core.errors import ConfigurationError, StoreUnavailable
from tests.builders.registry import all_known
from tests.builders.waiting import wait_until

HOLDS_A_HANDLE = """
import sys, time
from pathlib import Path
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]))
print(server.url, flush=True)
time.sleep(250)
"""

MAY_WRITE_LITTLE = """
import resource, sys
from pathlib import Path
from locator_search.adapters.postgres.server.embedded import EmbeddedServer
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
    """A home after its server was stopped."""
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


@pytest.mark.parametrize(
    "name",
    [
        'quo"te',
        "dol$HOME",
        "per%20cent",
        "two  spaces",
        "it's",
        "カンマ,二つ",
        "家📁",
        "-p",
        "back\\slash",
        "new\nline",
        "a" * 200,
    ],
)
def test_a_home_of_any_name_works(home: Path, cluster: Path, name: str) -> None:
    odd = home / name
    odd.mkdir()
    subprocess.run(["cp", "-a", str(cluster), str(odd)], check=True)
    with Database(odd) as database:
        assert database.server_version()
        assert "dagster" in database.dagster_url


def test_a_relative_and_a_linked_home_are_one(used_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(used_home.parent)
    (tmp_path / "link").symlink_to(used_home)
    first, second = EmbeddedServer(Path(used_home.name)), EmbeddedServer(tmp_path / "link")
    assert first.url == second.url
    first.close()
    second.close()


def test_a_home_is_private_and_nothing_above_it_is_touched(tmp_path: Path, cluster: Path) -> None:
    tmp_path.chmod(0o700)
    home = tmp_path / "mine" / "home"
    home.mkdir(parents=True)
    home.parent.chmod(0o700)
    home.chmod(0o755)
    subprocess.run(["cp", "-a", str(cluster), str(home)], check=True)
    server = EmbeddedServer(home)
    assert one(server.url) == 1
    server.close()
    modes = [folder.stat().st_mode & 0o777 for folder in (tmp_path, home.parent, home, home / "postgres")]
    assert modes == [0o700] * 4
    assert [path for path in home.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o007] == []


def test_a_home_with_other_things_in_it_stays_as_open_as_it_is(home: Path, cluster: Path) -> None:
    (home / "report.pdf").touch()
    home.chmod(0o755)
    subprocess.run(["cp", "-a", str(cluster), str(home)], check=True)
    (home / "postgres").chmod(0o755)
    EmbeddedServer(home).close()
    assert [path.stat().st_mode & 0o777 for path in (home, home / "postgres")] == [0o755, 0o700]


def test_a_copy_of_the_home_made_with_plain_cp_starts(used_home: Path, tmp_path: Path) -> None:
    server = EmbeddedServer(used_home)
    with psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    server.close()
    subprocess.run(["cp", "-r", str(used_home), str(tmp_path / "copy")], check=True)
    copy = EmbeddedServer(tmp_path / "copy")
    with psycopg.connect(copy.url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    copy.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run something as another user")
def test_a_home_of_somebody_else_and_a_cluster_of_somebody_else_are_named(used_home: Path) -> None:
    assert "LOCATOR_HOME cannot be written to" in as_nobody(used_home)
    os.chown(used_home, pwd.getpwnam("nobody").pw_uid, -1)
    assert "Permission denied" in as_nobody(used_home)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run something as another user")
def test_a_lock_held_by_another_user_is_told_within_seconds(used_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn, "WARNED_AFTER_SECONDS", 0.2)
    monkeypatch.setattr(turn, "STRANGERS_SECONDS", 0.4)
    lock = used_home / "postgres" / "start.lock"
    with (
        held_by_nobody(lock) as holder,
        pytest.raises(StoreUnavailable, match=rf"start\.lock is locked by process {holder} .*user nobody"),
    ):
        EmbeddedServer(used_home)


def test_a_lock_that_is_kept_too_long_is_told(
    used_home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(turn, "WARNED_AFTER_SECONDS", 0.1)
    monkeypatch.setattr(turn, "OUR_SECONDS", 0.5)
    with (used_home / "postgres" / "start.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StoreUnavailable, match=r"start\.lock is locked by"):
            EmbeddedServer(used_home)
    assert "Waiting for" in caplog.text


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells the end of a process")
def test_no_file_is_read_to_see_that_the_server_lives(used_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database(used_home) as database:
        assert database.server_version()
        monkeypatch.setattr(embedded, "running_server", lambda _data: pytest.fail("a file was read"))
        assert database.server_runs
        assert database.server_version()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT])
def test_a_server_that_died_is_started_again_by_whoever_needs_it(used_home: Path, number: signal.Signals) -> None:
    with Database(used_home) as database:
        assert database.server_version()
        former = postmaster_pid(used_home)
        os.kill(former, number)
        wait_until(lambda: not database.server_runs, seconds=30)
        assert database.server_version()
        assert postmaster_pid(used_home) != former


def test_a_watch_tells_once_that_the_server_runs_again_whoever_started_it(used_home: Path) -> None:
    told: list[str] = []
    with Database(used_home) as watched, Database(used_home) as other:
        assert watched.server_version()
        assert other.server_version()
        watch = DatabaseWatch(watched, lambda: told.append("again"), lambda error: told.append(error.message))
        watch.look()
        os.kill(postmaster_pid(used_home), signal.SIGKILL)
        wait_until(lambda: not other.server_runs, seconds=30)
        other.ensure_server()
        watch.look()
        watch.look()
        assert told == ["again"]
        os.kill(postmaster_pid(used_home), signal.SIGKILL)
        wait_until(lambda: not watched.server_runs, seconds=30)
        watch.look()
        watch.look()
        assert told == ["again", "again"]
        assert watched.server_version()


def test_a_killed_backend_costs_at_most_the_question_it_worked_on(used_home: Path) -> None:
    with Database(used_home) as database:
        with database.connection() as connection:
            backend = connection.info.backend_pid
        os.kill(backend, signal.SIGKILL)
        wait_until(lambda: not lives(backend), seconds=30)
        assert database.server_version()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_disk_is_told_and_the_server_comes_back_when_there_is_room(cluster: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=250m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount a file system")
    try:
        subprocess.run(["cp", "-a", str(cluster), str(disk / "postgres")], check=True)
        with Database(disk) as database:
            assert database.server_version()
            (disk / "filler").write_bytes(bytes(shutil.disk_usage(disk).free - 30_000_000))
            with pytest.raises(StoreUnavailable, match=rf"The disk of .*{disk.name}\S* is full: \d+ MB free"):
                fill(database)
            (disk / "filler").unlink()
            assert database.server_version()
        (disk / "filler").write_bytes(bytes(shutil.disk_usage(disk).free))
        with pytest.raises(StoreUnavailable, match="is full: 0 MB free"), Database(disk) as database:
            fill(database)
        (disk / "filler").unlink()
        with Database(disk) as database:
            assert database.server_version()
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(database: Database) -> None:
    with database.connection() as connection:
        connection.execute("CREATE TABLE large AS SELECT repeat(n::text, 1000) FROM generate_series(1, 1000000) n")


def forked_as_nobody(work: Callable[[], str]) -> tuple[int, int]:
    """A process of another user that writes what `work` returns, or why it failed: its number and where to read.

    Forked and not started: another user may be unable to reach this checkout and its Python.
    """
    reading, writing = os.pipe()
    account = pwd.getpwnam("nobody")
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(account.pw_gid)
            os.setuid(account.pw_uid)
            said = work()
        except BaseException as error:
            said = str(error)
        os.write(writing, said.encode())
        time.sleep(0 if said != "held" else 250)
        os._exit(0)
    os.close(writing)
    return pid, reading


def as_nobody(home: Path) -> str:
    """The message of a command to another user."""
    pid, reading = forked_as_nobody(lambda: EmbeddedServer(home).url)
    os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as said:
        return said.read().decode()


@contextmanager
def held_by_nobody(lock: Path) -> Iterator[int]:
    """A process of another user that holds the lock of a file which was once open to it."""
    with lock.open("r+b") as opened:

        def hold() -> str:
            fcntl.flock(opened, fcntl.LOCK_EX)
            return "held"

        pid, reading = forked_as_nobody(hold)
    assert os.read(reading, 100) == b"held"
    os.close(reading)
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


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
    with pytest.raises(ConfigurationError, match="LOCATOR_HOME cannot be written to"):
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
        assert all_known(PostgresFileRegistry(database)) == {}
        assert "search_path%3Ddagster" in database.dagster_url
    assert not is_running(home)


def test_a_closed_database_can_be_used_again(used_home: Path) -> None:
    database = Database(used_home)
    assert database.server_version()
    database.close()
    assert database.server_version()
    database.close()
    assert not is_running(used_home)
