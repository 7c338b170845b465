"""Ends the embedded server when nobody uses it any more, although whoever used it last was killed and could not.

Run as a script by whoever started the server: `embedded_guard.py START_LOCK USERS_LOCK PID`, both locks as open
descriptors of its own. It leaves its parent at once, ends with the server, and imports little, because it is there as
long as the server is.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import time

LOOK_SECONDS = 1.0
STOP_SECONDS = 60.0


def main(start_lock: int, users_lock: int, server: int) -> None:
    """Look now and then whether the server has users, until it has ended."""
    if os.fork():
        os._exit(0)  # nobody's child any more, as the server itself
    end = end_of(server)
    while not ends(server, end, LOOK_SECONDS):
        if locked(start_lock):
            if locked(users_lock):
                os.kill(server, signal.SIGINT)  # a fast shutdown
                ends(server, end, STOP_SECONDS)
            fcntl.flock(users_lock, fcntl.LOCK_UN)
            fcntl.flock(start_lock, fcntl.LOCK_UN)


def locked(lock: int) -> bool:
    """Whether the lock was to be had."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def end_of(server: int) -> int | None:
    """A descriptor that becomes readable when the server ends, where the system has such a thing."""
    try:
        return os.pidfd_open(server)
    except (AttributeError, OSError):
        return None


def ends(server: int, end: int | None, seconds: float) -> bool:
    """Whether the server ends within so many seconds."""
    if end is not None:
        return bool(select.select([end], [], [], seconds)[0])
    deadline = time.monotonic() + seconds
    while lives(server):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.2)
    return True


def lives(server: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(server, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
