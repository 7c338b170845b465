"""The embedded PostgreSQL: one server per LOCATOR_HOME, shared by every process that needs it.

`<home>/postgres/` holds `data` (the cluster) and two lock files. Every handle keeps a shared lock on `users.lock` for
as long as it lives; the kernel frees it when a process dies, however it dies. Whoever closes the last handle stops
the server; where the last one was killed, a guard that was started with the server does. `start.lock` lets one process
at a time start or stop it.

`pg_ctl` puts the server into a session of its own, so a Ctrl-C in the terminal does not reach it.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import IO
from urllib.parse import quote

from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

from locator_search.adapters.postgres.server.complaints import first_complaint, last_complaint, one_line
from locator_search.adapters.postgres.server.embedded_guard import end_of
from locator_search.adapters.postgres.server.programs import HERE, adopt, run_program
from locator_search.adapters.postgres.server.socket_folder import PORT, SOCKET_NAME, socket_folder
from locator_search.adapters.postgres.server.turn import acquire, open_lock, turn
from locator_search.config.folders import private_home
from locator_search.core.disk import full_disk, is_full
from locator_search.core.errors import StoreUnavailable

SERVER_OPTIONS = (
    f"-p {PORT} -k . -c listen_addresses= -c max_connections=200 -c shared_buffers=256MB "
    # Parallel hash joins need more shared memory than small containers have in /dev/shm.
    "-c enable_parallel_hash=off -c log_checkpoints=off -c log_min_messages=warning"
)
INITDB_OPTIONS = (
    "--auth=trust --username=postgres --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8"
)
GUARD = Path(__file__).with_name("embedded_guard.py")
START_SECONDS = 60
START_TRIES = 20
ANSWER_SECONDS = 5

NOBODYS_PID = 2**31 - 1
END_SECONDS = 5.0


class EmbeddedServer:
    """A handle on the server of one home, which is started if it does not run.

    Raises StoreUnavailable or ConfigurationError with one sentence when it cannot be started.
    """

    def __init__(self, home: Path, options: str = SERVER_OPTIONS) -> None:
        private_home(home)
        self._folder = home.expanduser().resolve() / "postgres"
        self._data = self._folder / "data"
        self._options = options
        self._process = os.getpid()
        self._users: IO[str] | None = None
        self._end: FileIO | None = None
        with self._usable():
            self._folder.mkdir(exist_ok=True)
            with turn(self._folder / "start.lock"):
                self._users = open_lock(self._folder / "users.lock")
                acquire(self._users, fcntl.LOCK_SH)
                self._ensure_running()
        atexit.register(self.close)

    @property
    def url(self) -> str:
        """libpq URL of the server's database."""
        return f"postgresql://postgres@/postgres?host={quote(str(socket_folder(self._data)), safe='')}&port={PORT}"

    @property
    def process(self) -> int | None:
        """The number of its living process, None when it died. Asks nothing of the server."""
        return running_server(self._data)

    @property
    def lives(self) -> bool:
        """Whether its process lives, or another that took its place. Asked before every use of a connection, so that
        nothing is read while the system can tell that the process found last has not ended."""
        known = self._end  # other threads may replace it meanwhile
        if known is not None and not _is_readable(known):
            return True
        found = self.process
        end = end_of(found) if found is not None else None
        kept = FileIO(end) if end is not None else None
        self._end = kept if self.process == found else None  # else its number may be that of another program by now
        return found is not None

    def ensure_running(self) -> None:
        """Start the server again if it died; wait for one that is starting. Raises StoreUnavailable."""
        with self._usable(), turn(self._folder / "start.lock"):
            self._ensure_running()

    def close(self) -> None:
        """Give the handle back; the last one stops the server."""
        users, self._users = self._users, None
        # A forked child inherits this object and the lock with it, and must not stop its parent's server.
        if users is None or os.getpid() != self._process:
            return
        atexit.unregister(self.close)
        # Where it cannot be stopped, the guard does it later.
        with suppress(StoreUnavailable, OSError), users, turn(self._folder / "start.lock"):
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._run("pg_ctl", "stop", "-s", "-w", "-m", "fast", "-t", str(START_SECONDS))

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if is_full(error):
                raise StoreUnavailable(*full_disk(self._folder)) from None
            raise StoreUnavailable(
                f"The embedded PostgreSQL under {self._folder} cannot be used: {error.strerror or error}"
                f"{f' ({error.filename})' if error.filename else ''}.",
                hint="Check who owns that folder, or set LOCATOR_HOME or DATABASE_URL.",
            ) from error

    def _ensure_running(self) -> None:
        if not (self._data / "PG_VERSION").exists():
            self._create_cluster()
        adopt(self._data)
        if self._accepts_connections():
            return
        if (server := running_server(self._data)) is not None:
            raise StoreUnavailable(
                f"The embedded PostgreSQL under {self._folder} does not answer (process {server}).",
                hint="End that process; the next command starts the server again.",
            )
        clear_up_after_the_dead(self._data, SOCKET_NAME)
        log = self._data / "server.log"
        for _ in range(START_TRIES):
            already_there = log.stat().st_size if log.exists() else 0
            started = self._run(
                "pg_ctl", "start", "-s", "-w", "-t", str(START_SECONDS), "-l", f"{HERE}/{log.name}", "-o", self._options
            )
            if not started.returncode:
                self._guard()
                return
            complaint = last_complaint(log, already_there) or one_line(started.stderr)
            if "shared memory block" not in complaint:
                break
            time.sleep(1)  # the children of a killed server are still ending
        self._refuse(f"The embedded PostgreSQL did not start: {complaint}.", f"Its log is {log}.", complaint)

    def _guard(self) -> None:
        """Start what ends the server should its last user be killed."""
        pid = (self._data / "postmaster.pid").read_text().partition("\n")[0]
        with open_lock(self._folder / "start.lock") as start_lock, open_lock(self._folder / "users.lock") as users:
            locks = (start_lock.fileno(), users.fileno())
            subprocess.run(  # noqa: S603 - our own program and arguments
                [sys.executable, "-I", "-S", str(GUARD), *map(str, locks), pid],
                pass_fds=locks,
                start_new_session=True,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )

    def _create_cluster(self) -> None:
        # Made under another name first: a process killed inside initdb must not leave half a cluster behind.
        unfinished = self._folder / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        adopt(unfinished)
        made = run_program("initdb", *INITDB_OPTIONS.split(), "--no-instructions", folder=unfinished)
        if made.returncode:
            complaint = first_complaint(made.stderr)
            self._refuse(
                f"The embedded PostgreSQL could not be created: {complaint}.",
                "Check the space on the disk, or set DATABASE_URL to a PostgreSQL of your own.",
                complaint,
            )
        unfinished.rename(self._data)

    def _refuse(self, message: str, hint: str, complaint: str) -> None:
        if is_full(complaint):
            message, hint = full_disk(self._folder)
        raise StoreUnavailable(message, hint=hint)

    def _accepts_connections(self) -> bool:
        """Whether the server runs; one that is just starting or stopping is waited for."""
        host = str(socket_folder(self._data))
        address = make_conninfo(host=host, port=PORT, connect_timeout=ANSWER_SECONDS).encode()
        for _ in range(START_SECONDS * 10):
            answer = PGconn.ping(address)
            if answer != Ping.REJECT:
                return answer == Ping.OK
            time.sleep(0.1)
        return False

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run_program(program, *arguments, folder=self._data)


def running_server(data: Path) -> int | None:
    """The process number of the living server of a cluster, None when there is none."""
    try:
        pid = (data / "postmaster.pid").read_text().partition("\n")[0].strip()
    except FileNotFoundError:
        return None
    return int(pid) if pid.isdecimal() and _serves(pid, data) else None


def _is_readable(file: FileIO) -> bool:
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(0))


def clear_up_after_the_dead(data: Path, socket_name: str) -> None:
    """Let a server start whose predecessor is dead.

    Its lock files may name a number that another program bears by now, or that nobody reaped. Only the number is
    replaced: by the rest of the file PostgreSQL sees whether children of the former server are left. Those are ended.
    """
    for lock_file in (data / "postmaster.pid", data / f"{socket_name}.lock"):
        with suppress(FileNotFoundError):
            _, _, rest = lock_file.read_text().partition("\n")
            lock_file.write_text(f"{NOBODYS_PID}\n{rest}")
    for number in (signal.SIGQUIT, signal.SIGKILL):
        deadline = time.monotonic() + END_SECONDS
        for pid in _processes_in(data):
            with suppress(OSError):
                os.kill(pid, number)
        while any(_processes_in(data)) and time.monotonic() < deadline:
            time.sleep(0.05)


def _serves(pid: str, data: Path) -> bool:
    """Whether a living process is PostgreSQL and works in the cluster's folder."""
    if Path("/proc/self").exists():
        entry = Path("/proc") / pid
        with suppress(OSError):
            return (entry / "comm").read_text().strip() == "postgres" and entry.joinpath("cwd").readlink() == data
        return False
    import psutil

    with suppress(psutil.Error):
        process = psutil.Process(int(pid))
        return process.name() == "postgres" and Path(process.cwd()) == data
    return False


def _processes_in(data: Path) -> Iterator[int]:
    """PostgreSQL's processes in that folder, where the system lists them (Linux)."""
    if Path("/proc/self").exists():
        yield from (int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _serves(entry.name, data))
