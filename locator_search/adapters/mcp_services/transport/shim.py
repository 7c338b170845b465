"""Stands between the host and a server, so that neither the server nor what it started outlives the host.

Run as a script: `shim.py LIFELINE COMMAND [ARGUMENT...]`. LIFELINE is one end of a pair of sockets whose other end only
the host holds: when that closes, even because the host was killed with SIGKILL, everything below is ended. The same
happens when the server ends and leaves processes behind. The host in turn sees its end close when nothing is left. It
imports little, because it starts with every server.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from pathlib import Path
from types import FrameType

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
GRACE_SECONDS = 0.5
"""Between SIGTERM and SIGKILL."""
SWEEPS = 50
NOT_STARTED = 127


def main(lifeline: int, command: list[str]) -> int:
    """Run the server until it or the host ends. Returns its exit status."""
    os.set_inheritable(lifeline, False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans below become our children, whatever session they moved to
    wake_reader, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer)
    signal.signal(signal.SIGCHLD, ignore_signal)
    server = start(command)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, ignore_signal)  # the pipe decides
    for standard in (0, 1, 2):
        os.close(standard)  # only the server holds them: their end must not depend on us
    status: int | None = None
    while status is None:
        ready, _, _ = select.select([lifeline, wake_reader], [], [])
        if wake_reader in ready:
            os.read(wake_reader, 512)
            status = reaped(server)
        if lifeline in ready:
            break
    end_everything(server)
    return status or 0


def start(command: list[str]) -> int:
    """The server as a child in a session of its own, which dies with us."""
    ours = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != ours:
            os._exit(NOT_STARTED)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.execvp(command[0], command)  # noqa: S606 - what servers.yaml names
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error.strerror}\n".encode())
    os._exit(NOT_STARTED)


def reaped(server: int) -> int | None:
    """Reap children that ended; returns the exit status of the server if it is among them."""
    status = None
    while True:
        try:
            child, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if child == 0:
            return status
        if child == server:
            status = os.waitstatus_to_exitcode(code) & 0xFF


def end_everything(server: int) -> None:
    """Ask the server's group to end, then kill whatever is left below us."""
    send(-server, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and remaining(server):
        time.sleep(0.01)
    for _ in range(SWEEPS):  # a killed process may have had children, which are ours now
        left = remaining(server)
        if not left:
            return
        for child in left:
            send(child, signal.SIGKILL)
        send(-server, signal.SIGKILL)
        time.sleep(0.01)


def remaining(server: int) -> list[int]:
    """Our living children. Where the system does not list them, the server's group stands for them."""
    reaped(server)
    try:
        listed = [int(child) for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except (OSError, ValueError):
        return [-server] if send(-server, 0) else []
    return listed


def send(process: int, number: int) -> bool:
    """Send a signal; returns whether the process was there."""
    try:
        os.kill(process, number)
    except OSError:
        return False
    return True


def prctl(option: int, value: int) -> None:
    """Set an option of this process. Linux only; elsewhere ending the process group has to be enough."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def ignore_signal(_number: int, _frame: FrameType | None) -> None:
    """Do nothing; a handler must exist for the signal to wake `select`."""


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
