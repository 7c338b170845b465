"""The promises that must hold after every scenario. Each function returns the broken ones, a sentence each."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

import psutil

from tests.chaos.models import Request
from tests.chaos.observer import Observer
from tests.chaos.world import Strike, World, command_line

ON_THE_WAY = 8
"""So many answers that were sent before something was struck may still be on their way into the memory of the product:
those to six summaries and two requests for embeddings."""
OVERTAKEN = 32
"""Among so many that were sent last: others overtake a thread that has to wait on a busy machine."""
END_SECONDS = 20.0
"""So long what was struck may take to be gone."""

_TWICE: Mapping[str, LiteralString] = {
    "chunks stand twice": "SELECT count(*) - count(DISTINCT (file_id, ordinal)) FROM file_chunk",
    "codes are too many or too few": """
        SELECT (SELECT count(*) FROM embedding_code)
             - (SELECT count(*) FROM drive_file_index) - (SELECT count(*) FROM file_chunk)
    """,
    "partitions stand twice": """
        SELECT count(*) - count(DISTINCT (partitions_def_name, partition)) FROM dagster.dynamic_partitions
    """,
}
_UNTRUE: Mapping[str, LiteralString] = {
    "terms have a wrong document frequency": """
        SELECT count(*) FROM (
            SELECT term, count(*) AS frequency FROM file_chunk, unnest(terms) AS term GROUP BY term
        ) counted FULL JOIN (SELECT * FROM term_in_index WHERE document_frequency > 0) kept USING (term)
        WHERE counted.frequency IS DISTINCT FROM kept.document_frequency
    """,
    "chunks are missing from the total, or too many": """
        SELECT abs(chunks - (SELECT count(*) FROM file_chunk)) FROM index_total
    """,
    "occurrences are missing from the total, or too many": """
        SELECT abs(total_length - (SELECT COALESCE(sum(length), 0) FROM file_chunk)) FROM index_total
    """,
    "files are indexed and not in the index, or the reverse": """
        SELECT count(*) FROM (SELECT file_id FROM file_state WHERE state = 'indexed') told
        FULL JOIN drive_file_index file USING (file_id)
        WHERE told.file_id IS NULL OR file.file_id IS NULL
    """,
}
_LEFT: Mapping[str, LiteralString] = {
    "runs are under way for ever": """
        SELECT count(*) FROM dagster.runs WHERE status IN ('NOT_STARTED', 'STARTING', 'STARTED', 'CANCELING')
    """,
    "slots of the pool are taken": """
        SELECT count(*) FROM dagster.concurrency_slots WHERE run_id IS NOT NULL AND NOT COALESCE(deleted, false)
    """,
    "locks are held": """
        SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """,
}


def duplicates(observer: Observer) -> list[str]:
    """Rows that stand twice."""
    return _broken(observer, _TWICE)


def untruths(observer: Observer) -> list[str]:
    """Figures that are kept and do not agree with what they are about."""
    return _broken(observer, _UNTRUE)


def _broken(observer: Observer, queries: Mapping[str, LiteralString]) -> list[str]:
    return [f"{count} {words}" for words, query in queries.items() if (count := observer.rows(query)[0][0])]


def wrong_sums(report: Mapping[str, Any], files: int) -> Iterator[str]:
    """A report of a crawl in which not every file of the folder is counted once."""
    settled = report["indexed"] + report["unchanged"] + sum(report["skipped"].values()) + len(report["failed"])
    if report["listed"] != files:
        yield f"{report['listed']} files are listed of {files}"
    if settled + report["waiting"] != report["listed"] or report["waiting"]:
        yield f"{settled} files are settled and {report['waiting']} wait, of {report['listed']} listed"


def payments(requests: Sequence[Request], strikes: Sequence[Strike]) -> tuple[int, list[str]]:
    """Requests that were paid for something that had been paid already: how many because an answer was in flight when
    something was struck, and a sentence for each of the others, of which there should be none.
    """
    paid = sorted((one for one in requests if one.paid), key=lambda one: one.began)
    losses = [_losses(paid, strike) for strike in strikes if strike.answers_lost]
    latest: dict[str, Request] = {}
    in_flight, again = 0, []
    for request in paid:
        repeated = {one: latest[one] for one in request.inputs if one in latest}
        known = [text for text, before in repeated.items() if not any(one.excuse(before, request) for one in losses)]
        if known:
            passed = request.began - (repeated[known[0]].ended or request.began)
            again.append(f"{known[0][:60]!r} was answered {passed:.1f} s before")
        elif repeated:
            in_flight += 1
        latest.update(dict.fromkeys(request.inputs, request))
    return in_flight, again


@dataclass
class _Losses:
    """Requests whose answers a strike may have lost: all that were not answered yet, and a few of those that were."""

    strike: Strike
    in_flight: list[Request]
    sent_last: list[Request]
    lost: list[Request] = field(default_factory=list)

    def excuse(self, before: Request, request: Request) -> bool:
        """Whether the later `request` may have been needed because the answer to the one `before` was lost."""
        if request.began < self.strike.began:
            return False
        if _is_among(self.sent_last, before) and not _is_among(self.lost, before) and len(self.lost) < ON_THE_WAY:
            self.lost.append(before)
        return _is_among(self.in_flight, before) or _is_among(self.lost, before)


def _losses(paid: Sequence[Request], strike: Strike) -> _Losses:
    begun = [one for one in paid if one.began <= strike.ended]
    in_flight = [one for one in begun if one.ended is None or one.ended >= strike.began]
    sent = sorted((one for one in begun if not _is_among(in_flight, one)), key=lambda one: one.ended or 0)
    return _Losses(strike, in_flight, sent[-OVERTAKEN:])


def _is_among(requests: Sequence[Request], request: Request) -> bool:
    return any(one is request for one in requests)


def left_in_database(observer: Observer) -> list[str]:
    """Runs, slots and locks that nobody uses any more."""
    return _when_settled(lambda: _broken(observer, _LEFT))


def left_on_machine(world: World, ours: Collection[int]) -> list[str]:
    """Processes and files that nobody uses any more. `ours` are processes of the chaos itself; everything else below it
    was left by the product.
    """
    return _when_settled(
        lambda: [
            *(f"process {command_line(one)[-120:]}" for one in _strangers(ours)),
            *(f"file {path.relative_to(world.place)}" for path in _leftovers(world)),
        ]
    )


def _when_settled(look: Callable[[], list[str]]) -> list[str]:
    deadline = time.monotonic() + END_SECONDS
    while (left := look()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left


def _strangers(ours: Collection[int]) -> Iterator[psutil.Process]:
    for process in psutil.Process().children(recursive=True):
        try:
            if process.pid in ours or (process.ppid() in ours and process.name() == "postgres"):
                continue  # with those whom the server of all scenarios starts for itself
            if process.status() != psutil.STATUS_ZOMBIE:
                yield process
            elif process.ppid() == os.getpid():
                os.waitpid(process.pid, os.WNOHANG)  # an orphan that came to us and has ended
        except psutil.NoSuchProcess:
            continue


def _leftovers(world: World) -> Iterator[Path]:
    """Everything in the temporary folder, and half-written files of the home."""
    # A name for a folder whose path is too long for a socket is there as long as its home.
    yield from (path for path in world.temporary.iterdir() if not path.is_symlink())
    yield from world.home.glob("postgres/data.new")
    yield from world.home.glob("dagster/dagster.yaml.*")
