"""At most five requests in flight to one service, over all processes and machines that share the database."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from locator_search.adapters.postgres.database import Database
from locator_search.adapters.postgres.locks import AdvisoryLocks, LockKey, growing_pauses

SLOTS_PER_SERVICE = 5


class PostgresRequestSlots:
    """RequestSlots over advisory locks: slot n of a service is lock (service, n)."""

    def __init__(self, database: Database) -> None:
        self._locks = AdvisoryLocks(database)

    @contextmanager
    def slot(self, service: str) -> Iterator[None]:
        """Wait for one of the service's slots and hold it while the block runs."""
        key = self._taken(service)
        try:
            yield
        finally:
            self._locks.release(key)

    def _taken(self, service: str) -> LockKey:
        kind = zlib.crc32(f"slots of {service}".encode()) - 2**31  # the range of a signed 32-bit key
        pauses = growing_pauses()
        while True:
            for number in range(SLOTS_PER_SERVICE):
                if self._locks.acquire((kind, number)):
                    return kind, number
            time.sleep(next(pauses))
