"""Makes a worker misbehave: Python imports this at start when its folder is on PYTHONPATH.

The words of a text file then say what reading it does, as if a parser had that fault. An entry of PYTHONPATH that ends
in `.mark` names a file that is made as soon as one hangs or spins: a worker sees no other variable of a test.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from locator_search.adapters.extractors.outcome import Notes
from locator_search.adapters.extractors.text_formats import plain_text
from locator_search.model import Block


def _mark() -> None:
    for entry in os.environ["PYTHONPATH"].split(os.pathsep):
        if entry.endswith(".mark"):
            Path(entry).touch()


def _hang() -> None:
    _mark()
    time.sleep(600)


def _spin() -> None:
    _mark()
    while True:
        pass


def _eat_memory() -> None:
    eaten = []
    while True:
        eaten.append(bytearray(10_000_000))


def _take_the_parent_along() -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def _babble() -> None:
    os.write(1, b"\xff" * 100)  # what a library prints must not reach the parent
    print("noise")


_FAULTS: dict[str, Callable[[], object]] = {
    "hang": _hang,
    "spin": _spin,
    "eat": _eat_memory,
    "abort": os.abort,
    "exit": lambda: os._exit(3),
    "babble": _babble,
    "end-myself": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "end-everything": _take_the_parent_along,
}


def _read(data: bytes, notes: Notes) -> Iterator[Block]:
    words = data.decode().split()
    for number, word in enumerate(words, start=1):
        if word == "pid":
            yield Block("paragraph", str(os.getpid()))
        elif word == "environment":
            yield Block("paragraph", " ".join(sorted(os.environ)))
        elif word in _FAULTS:
            _FAULTS[word]()
        else:
            yield Block("paragraph", word, page=number)


plain_text.read = _read
