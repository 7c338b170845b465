"""A worker on one session as a process of its own. Loaded once into the server that forks such processes, with the
dictionary that splits Japanese into words, so that each starts in milliseconds."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import closing
from importlib import import_module
from pathlib import Path

from locator_search.ports.x.sessions import Session
from locator_search.text.terms import analyse
from tests.builders.x_bench import XBench

READ_WHEN_NEEDED = (
    "locator_search.adapters.offline.chat_model",
    "locator_search.adapters.offline.embedder",
    "locator_search.adapters.postgres.x.sessions",
    "locator_search.adapters.postgres.x.work",
    "locator_search.adapters.rerankers.lexical",
    "locator_search.core.clock",
    "locator_search.adapters.x_api.client",
    "locator_search.app.x",
    "locator_search.x_search.searcher",
)
for name in READ_WHEN_NEEDED:
    import_module(name)
analyse("起動")

BREATH_SECONDS = 0.02


def work_until_killed(
    database_url: str, home: Path, address: str, session_id: str, progress: float, seconds: float
) -> None:
    """Work on a session until killed, so many seconds after it has come so far, wherever it is then.

    After every step it takes a breath, so that there is a point to kill it at, and once its time is up it goes no
    further, so that it dies in the middle also where the machine has no time to kill it.
    """
    ends_at: float | None = None

    def breathe(session: Session) -> None:
        nonlocal ends_at
        if ends_at is None and session.progress >= progress:
            ends_at = time.monotonic() + seconds
            threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()
        while ends_at is not None and time.monotonic() >= ends_at:
            time.sleep(BREATH_SECONDS)
        time.sleep(BREATH_SECONDS)

    with closing(XBench(database_url, home, address)) as bench:
        bench.x.work(session_id, on_session=breathe)
