"""Sessions carried out behind a page: one thread each, which lives as long as this process."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from locator_search.core.errors import LocatorError

if TYPE_CHECKING:
    from locator_search.x_search.searcher import XSearch

logger = logging.getLogger(__name__)


class BackgroundWork:
    """Works on sessions so that nobody has to wait for them. Should the process die, each can be resumed."""

    def __init__(self, x: XSearch) -> None:
        self._x = x
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}

    def start(self, session_id: str) -> None:
        """Carry the session out, unless a thread of this process does already."""
        with self._lock:
            if self._is_alive(session_id):
                return
            thread = threading.Thread(target=self._work, args=(session_id,), name=f"x-{session_id}", daemon=True)
            self._threads[session_id] = thread
            thread.start()

    def is_working(self, session_id: str) -> bool:
        """Whether a thread of this process works on it, or follows a worker elsewhere."""
        with self._lock:
            return self._is_alive(session_id)

    def _is_alive(self, session_id: str) -> bool:
        thread = self._threads.get(session_id)
        return thread is not None and thread.is_alive()

    def _work(self, session_id: str) -> None:
        try:
            self._x.work(session_id)
        except LocatorError as error:  # the session says so itself
            logger.warning("Session %s of X search stopped: %s", session_id, error.message)
        except Exception:
            logger.exception("Session %s of X search stopped", session_id)
        finally:
            with self._lock:
                self._threads.pop(session_id, None)
