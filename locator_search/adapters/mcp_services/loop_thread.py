"""One event loop in a thread of its own, for callers that know nothing of event loops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from locator_search.core.errors import ServiceUnavailable

Result = TypeVar("Result")


class LoopThread:
    """An event loop in a daemon thread, started at the first use; it never keeps the program from ending."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run a coroutine in the loop. Cancelling the future cancels it. Raises ServiceUnavailable after `stop`."""
        return asyncio.run_coroutine_threadsafe(work, self._running())

    def stop(self) -> None:
        """End the loop and its thread. Safe to call twice."""
        with self._lock:
            self._stopped = True
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._stopped:
                raise ServiceUnavailable("closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._run, args=(self._loop,), name="live-services", daemon=True)
                self._thread.start()
            return self._loop

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
