"""Makes a worker misbehave: Python imports this at start when its folder is on PYTHONPATH.

The first word of a text file then says what reading it does, as if a parser had that fault. HOSTILE_MARK names a file
that is made as soon as one hangs or spins.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from locator_search.adapters.extractors import plain_text
from locator_search.adapters.extractors.outcome import Notes
from locator_search.model import Block


def _mark() -> None:
    if path := os.environ.get("HOSTILE_MARK"):
        Path(path).touch()


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
}


def _read(data: bytes, notes: Notes) -> Iterator[Block]:
    words = data.decode().split()
    for number, word in enumerate(words, start=1):
        if word == "pid":
            yield Block("paragraph", str(os.getpid()))
        elif word in _FAULTS:
            _FAULTS[word]()
        else:
            yield Block("paragraph", word, page=number)


plain_text.read = _read
