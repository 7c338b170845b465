"""What one tick of the sensor decides. Pure: no Dagster instance, no clock, no I/O."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from locator_search.indexing.crawl import OUT_OF_TIME, SourceSnapshot
from locator_search.model import FileRef

T = TypeVar("T")

FILES_PER_TICK = 1000
BATCH = 200
GONE_PER_RUN = 1000


@dataclass(frozen=True, slots=True)
class Request:
    """One run to ask for. The key names its files, their revisions and the tick, so it is asked for exactly once."""

    run_key: str
    file_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """The runs of one tick and the cursor that says it happened."""

    index: tuple[Request, ...]
    purge: tuple[Request, ...]
    cursor: str
    reconcile: tuple[Request, ...] = ()

    @property
    def file_ids(self) -> list[str]:
        """Every file to be indexed."""
        return [file_id for request in self.index for file_id in request.file_ids]

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self.index and not self.purge and not self.reconcile


def decide_tick(
    snapshot: SourceSnapshot, in_flight: Collection[str], left_behind: Collection[str], cursor: str | None
) -> Tick:
    """Batch what a stock-taking found, without files that a run already has, with those a lost run left behind.

    A source that took too long is listed by a run of its own, which has all the time it needs.
    """
    number = _tick_number(cursor) + 1
    wanted = {file.file_id: file for file in snapshot.plan.to_index}
    listed = snapshot.listing.files
    wanted.update({file_id: listed[file_id] for file_id in left_behind if file_id in listed})
    files = [file for file in wanted.values() if file.file_id not in in_flight][:FILES_PER_TICK]
    gone = [file_id for file_id in snapshot.plan.gone if file_id not in in_flight]
    index = tuple(_index_request(batch, number) for batch in batches(files, BATCH))
    purge = tuple(_purge_request(batch, number) for batch in batches(gone, GONE_PER_RUN))
    reconcile = (Request(_run_key("reconcile", number, []), ()),) if snapshot.listing.problem == OUT_OF_TIME else ()
    if not index and not purge and not reconcile:
        number -= 1
    return Tick(index, purge, json.dumps({"tick": number}), reconcile)


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive slices of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _tick_number(cursor: str | None) -> int:
    return int(json.loads(cursor)["tick"]) if cursor else 0


def _index_request(files: Sequence[FileRef], tick: int) -> Request:
    return Request(_run_key("index", tick, [(file.file_id, file.revision) for file in files]), _ids(files))


def _purge_request(file_ids: Sequence[str], tick: int) -> Request:
    return Request(_run_key("purge", tick, file_ids), tuple(file_ids))


def _run_key(kind: str, tick: int, content: Sequence[object]) -> str:
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    return f"{kind}-{tick}-{digest[:16]}"


def _ids(files: Sequence[FileRef]) -> tuple[str, ...]:
    return tuple(file.file_id for file in files)
