"""Ctrl-C and SIGTERM end a command with one line and the exit status that shells expect: 130 and 143."""

from __future__ import annotations

import _thread
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

ENDING = (signal.SIGINT, signal.SIGTERM)
AGAIN_SECONDS = 0.1


class Signals:
    """Which signal came last. Dagster and asyncio put handlers of their own over ours; the wake-up socket sees all."""

    def __init__(self, written: socket.socket) -> None:
        self._written = written

    def last(self) -> signal.Signals:
        """The last one that ends a program, SIGINT if none was seen."""
        try:
            seen = [number for number in self._written.recv(4096) if number in ENDING]
        except BlockingIOError:
            seen = []
        return signal.Signals(seen[-1]) if seen else signal.SIGINT


@contextmanager
def ending_signals() -> Iterator[Signals]:
    """While the block runs, SIGTERM raises KeyboardInterrupt as Ctrl-C does. In the main thread alone."""
    reading, writing = socket.socketpair()
    with reading, writing:
        reading.setblocking(False)
        writing.setblocking(False)
        signals = Signals(reading)
        if threading.current_thread() is not threading.main_thread():
            yield signals
            return
        before = {number: signal.getsignal(number) for number in ENDING}
        former = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        former_hook, sys.unraisablehook = sys.unraisablehook, _again_where_it_was_dropped
        for number in ENDING:
            if before[number] is not signal.SIG_IGN:  # started in the background by a shell, or under nohup
                signal.signal(number, _interrupt)
        try:
            yield signals
        finally:
            sys.unraisablehook = former_hook
            signal.set_wakeup_fd(former)
            for number, handler in before.items():
                signal.signal(number, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _again_where_it_was_dropped(dropped: UnraisableHookArgs) -> None:
    """Python drops what is raised while it clears an object away, an interruption too: then it comes once more, when
    this is over."""
    if issubclass(dropped.exc_type, KeyboardInterrupt):
        again = threading.Timer(AGAIN_SECONDS, _thread.interrupt_main)
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(dropped)


def leave_at_once_if_threads_are_busy(exit_status: int) -> None:
    """End the process where its ordinary end would wait for threads, for instance for an answer of a model."""
    if any(thread is not threading.current_thread() and not thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(exit_status)
