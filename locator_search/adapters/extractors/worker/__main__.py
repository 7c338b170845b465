"""The worker process: `python -P -m locator_search.adapters.extractors.worker CPU_SECONDS MEMORY_BYTES`.

Reads requests from standard input and writes frames to standard output until its input ends. A file is opened only
after the parent has put on record that this process holds it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, astuple
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from locator_search.adapters.extractors import VERSION
from locator_search.adapters.extractors.outcome import Ending
from locator_search.adapters.extractors.reading import read_file
from locator_search.adapters.extractors.worker.frames import Frame, pack, unpack
from locator_search.model import Block

try:
    import resource
except ImportError:  # no such limits outside Unix: time is still watched by the parent
    resource = None  # type: ignore[assignment]

_CHARACTERS_PER_FRAME = 100_000
_PIPE_BYTES = 1 << 16
_OPEN_FILES = 64
_DEEPEST_NESTING = 10_000  # the parsers allow 256 levels of XML, several of our calls each


def main() -> None:
    """Serve requests until the parent closes the pipe or dies."""
    cpu_seconds, memory_bytes = int(sys.argv[1]), int(sys.argv[2])
    answers = _own_standard_output()
    _be_the_first_to_go()
    _limit_resources(memory_bytes)
    sys.setrecursionlimit(_DEEPEST_NESTING)
    logging.disable()
    requests: SimpleQueue[Frame] = SimpleQueue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    answers.write(pack({"ready": VERSION}))
    while True:
        request = requests.get()
        answers.write(pack({"begun": True}))
        requests.get()  # the word to go on
        _limit_cpu(cpu_seconds)
        for frame in _frames(read_file(Path(request["path"]), request["mime_type"])):
            answers.write(pack(frame))


def _receive(requests: SimpleQueue[Frame]) -> None:
    """Queue requests. When the pipe ends the parent is gone, so this process ends too, even in the middle of a file.

    A parent-death signal would not do: Linux sends it when the *thread* that started the worker ends.
    """
    buffer = bytearray()
    with contextlib.suppress(OSError, TypeError, ValueError):
        while piece := os.read(0, _PIPE_BYTES):
            buffer += piece
            while (frame := unpack(buffer)) is not None:
                requests.put(frame)
    os._exit(0)


def _frames(items: Iterator[str | Block | Ending]) -> Iterator[Frame]:
    """Blocks in handfuls; a new page closes one, so that whole pages are with the parent when time runs out."""
    waiting: list[Block] = []
    characters = 0
    for item in items:
        if isinstance(item, str):
            yield {"mime_type": item}
            continue
        if isinstance(item, Ending):
            if waiting:
                yield _blocks_frame(waiting)
            yield {**asdict(item), "memory": _resident_bytes()}
            return
        if waiting and (item.page != waiting[-1].page or characters > _CHARACTERS_PER_FRAME):
            yield _blocks_frame(waiting)
            waiting, characters = [], 0
        waiting.append(item)
        characters += len(item.text)


def _blocks_frame(blocks: list[Block]) -> Frame:
    return {"blocks": [astuple(block) for block in blocks]}


def _own_standard_output() -> BinaryIO:
    """The pipe to the parent, out of reach of libraries that print."""
    pipe = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(pipe, "wb", buffering=0)


def _be_the_first_to_go() -> None:
    """Where the machine runs out of memory, Linux ends this process and none that would be missed."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _limit_resources(memory_bytes: int) -> None:
    if resource is None:
        return
    for name, value in (
        ("RLIMIT_AS", memory_bytes),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NOFILE", _OPEN_FILES),
        ("RLIMIT_CORE", 0),
    ):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # macOS refuses some of them
            resource.setrlimit(getattr(resource, name), (value, value))


def _limit_cpu(seconds: int) -> None:
    """Let this file use so much processor time; it works even when the parent cannot watch any more."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _resident_bytes() -> int:
    """Memory in use now; 0 where it cannot be told. `ru_maxrss` would count what the parent used before the fork."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
