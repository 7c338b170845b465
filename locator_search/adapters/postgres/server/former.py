"""Clears away remains of a former server: a lock file with a process number, and children that outlived it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

NOBODYS_PID = 2**31 - 1
END_SECONDS = 5.0


def running_server(data: Path) -> int | None:
    """The process number of the living server of a cluster, None when there is none."""
    try:
        pid = (data / "postmaster.pid").read_text().partition("\n")[0].strip()
    except FileNotFoundError:
        return None
    return int(pid) if pid.isdecimal() and _serves(pid, data) else None


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
