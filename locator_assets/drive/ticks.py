"""The decisions of one tick of the sensor. Pure: no Dagster instance, no clock, no I/O."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from locator_assets.staged.runs import batches
from locator_search.indexing.cost import ModelPrices, estimate_cost
from locator_search.indexing.crawl import SourceSnapshot
from locator_search.indexing.listing import OUT_OF_TIME
from locator_search.model import FileRef

BATCH = 200
SMALLEST_BATCH = 10
RUNS_PER_SLOT = 10
"""Index runs under way and queued, for each slot of the pool: so many keep it busy until the next tick."""
GONE_PER_RUN = 1000


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything a tick decides by: the source beside what is known of it, and the work that is under way.

    `slots` batches of files are worked on at the same time. `runs` counts the runs that are queued or running,
    `in_flight` are the ids of their files, `left_behind` those of runs whose worker was lost. `left_usd` may still be
    paid to models that take `prices`; None: nothing is paid, or there is no ceiling.
    """

    snapshot: SourceSnapshot
    runs: int = 0
    in_flight: Collection[str] = ()
    left_behind: Sequence[str] = ()
    prices: ModelPrices | None = None
    left_usd: float | None = None
    slots: int = 1

    @property
    def room(self) -> int:
        """The number of runs that the workers can take."""
        return max(0, RUNS_PER_SLOT * self.slots - self.runs)


@dataclass(frozen=True, slots=True)
class Request:
    """One run to ask for. The key names its files, their revisions and the tick, so it is asked for exactly once."""

    run_key: str
    file_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """The runs of one tick and the cursor that says it happened. `unpaid`: there are files, and not even the smallest
    of them may be paid for, so that a run over them would only fail."""

    index: tuple[Request, ...]
    purge: tuple[Request, ...]
    cursor: str
    reconcile: tuple[Request, ...] = ()
    unpaid: bool = False

    @property
    def file_ids(self) -> list[str]:
        """Every file to be indexed."""
        return [file_id for request in self.index for file_id in request.file_ids]

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self.index and not self.purge and not self.reconcile


def decide_tick(seen: Observation, cursor: str | None) -> Tick:
    """Batch what is to be done, without files that a run already has, with those a lost run left behind.

    A source that took too long is listed by a run of its own, which has all the time it needs.
    """
    last = int(json.loads(cursor)["tick"]) if cursor else 0
    plan, listed = seen.snapshot.plan, seen.snapshot.listing.files
    wanted = {file.file_id: file for file in plan.to_index}
    wanted.update({file_id: listed[file_id] for file_id in seen.left_behind if file_id in listed})
    files = [file for file in wanted.values() if file.file_id not in seen.in_flight][: seen.room * BATCH]
    unpaid = _beyond_the_budget(files, seen.prices, seen.left_usd)
    gone = [file_id for file_id in plan.gone if file_id not in seen.in_flight]
    index = tuple(
        _index_request(batch, last + 1)
        for batch in batches([] if unpaid else files, batch_size(len(files), seen.slots))
    )
    purge = tuple(Request(_run_key("purge", last + 1, batch), tuple(batch)) for batch in batches(gone, GONE_PER_RUN))
    too_large = seen.snapshot.listing.problem == OUT_OF_TIME
    reconcile = (Request(_run_key("reconcile", last + 1, []), ()),) if too_large else ()
    number = last + 1 if index or purge or reconcile else last
    return Tick(index, purge, json.dumps({"tick": number}), reconcile, unpaid)


def batch_size(files: int, slots: int) -> int:
    """Files per run: the last batches are small where several are worked on at once, so that all end about together."""
    return BATCH if slots == 1 else min(BATCH, max(SMALLEST_BATCH, files // (2 * slots)))


def why_idle(seen: Observation, settled: int) -> str:
    """Why a tick asks for nothing, in a sentence. `settled`: so many files were set aside."""
    if problem := seen.snapshot.listing.problem:
        return f"The listing broke off, nothing is deleted: {problem}"
    if seen.runs:
        return f"Nothing new; {seen.runs} runs are under way."
    return f"Nothing to index; {settled} files were set aside." if settled else "Nothing has changed."


def _beyond_the_budget(files: Sequence[FileRef], prices: ModelPrices | None, left_usd: float | None) -> bool:
    if not files or prices is None or left_usd is None:
        return False
    smallest = min(estimate_cost([file], prices).cost_usd or 0.0 for file in files)
    return left_usd <= 0 or smallest > left_usd


def _index_request(files: Sequence[FileRef], tick: int) -> Request:
    content = [(file.file_id, file.revision) for file in files]
    return Request(_run_key("index", tick, content), tuple(file.file_id for file in files))


def _run_key(kind: str, tick: int, content: Sequence[object]) -> str:
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    return f"{kind}-{tick}-{digest[:16]}"
