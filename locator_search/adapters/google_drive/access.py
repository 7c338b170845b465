"""Whether what was found may be shown: each file is asked for once more, all of them within three seconds."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from locator_search.adapters.google_drive.ancestry import Ancestry
from locator_search.adapters.google_drive.client import DriveClient, Json
from locator_search.adapters.google_drive.files import SOURCE, content_revision, file_ref, parent_ids
from locator_search.adapters.google_drive.scope import DriveScope, ScopeGuard
from locator_search.errors import AccessDenied, FileGone, LocatorError
from locator_search.model import Evidence, FileRef
from locator_search.ports import Clock, FileRegistry, FolderTree

AT_ONCE = 5
SECONDS = 3.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Finding:
    """What Drive said of one file: None in `item` where it may not be shown, and why."""

    item: Json | None
    reason: str = ""


class DriveAccessChecker:
    """An `AccessChecker` that asks Drive: five files at once, and whatever is unanswered in time is marked so.

    What it learns is left in the registry: files that are gone or out of scope are forgotten by the next tick, changed
    ones are indexed anew. `client` should be one that is not patient.
    """

    def __init__(
        self,
        client: DriveClient,
        targets: Sequence[str],
        tree: FolderTree,
        registry: FileRegistry,
        clock: Clock,
        seconds: float = SECONDS,
    ) -> None:
        self._client = client
        self._guard = ScopeGuard(client, DriveScope(targets), tree)
        self._tree = tree
        self._registry = registry
        self._clock = clock
        self._seconds = seconds

    def check(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """The evidence that may be shown, in its order."""
        asked = [item for item in evidence if item.source == SOURCE]
        findings = self._ask_all(asked)
        self._note([item for item in asked if item.file_id in findings], findings)
        checked = (_checked(item, findings.get(item.file_id)) for item in evidence)
        return [item for item in checked if item is not None]

    def _ask_all(self, evidence: Collection[Evidence]) -> dict[str, _Finding]:
        waiting: SimpleQueue[Evidence] = SimpleQueue()
        for item in {item.file_id: item for item in evidence}.values():
            waiting.put(item)
        findings: dict[str, _Finding] = {}
        stopped = threading.Event()

        def work() -> None:
            while not stopped.is_set():
                try:
                    item = waiting.get_nowait()
                    finding = self._look(item, stopped)
                    if finding is not None:
                        findings[item.file_id] = finding
                except Empty:
                    return
                except LocatorError as error:
                    logger.info("A file could not be verified: %s", error.message)

        # Threads that still wait for an answer must not hold up the end of the program: hence no pool.
        threads = [threading.Thread(target=work, daemon=True) for _ in range(min(AT_ONCE, waiting.qsize()))]
        for thread in threads:
            thread.start()
        ends_at = time.monotonic() + self._seconds
        for thread in threads:
            thread.join(max(0.0, ends_at - time.monotonic()))
        stopped.set()
        return dict(findings)

    def _look(self, item: Evidence, stopped: threading.Event) -> _Finding | None:
        """What Drive says of it; None when it says so too late, and the database may be closed already."""
        try:
            now = self._client.file(item.file_id, item.location)
        except (FileGone, AccessDenied) as refusal:
            return _Finding(None, refusal.message)
        if stopped.is_set():
            return None
        if now.get("trashed"):
            return _Finding(None, "It is in the trash.")
        if not self._guard.holds(item.file_id, parent_ids(now)):
            return _Finding(None, "It is no longer in the target folders.")
        return _Finding(now)

    def _note(self, evidence: Sequence[Evidence], findings: dict[str, _Finding]) -> None:
        changed: list[FileRef] = []
        for item in evidence:
            finding = findings[item.file_id]
            if finding.item is None:
                logger.warning("The index holds %s, which may not be shown: %s", item.file_id, finding.reason)
                self._registry.set_state(item.file_id, "out_of_scope", reason="gone")
            elif _has_changed(item, finding.item):
                path = Ancestry(self._tree).place_of(item.file_id, parent_ids(finding.item))
                if path is not None:  # else the next tick finds it in its new folder
                    changed.append(file_ref(finding.item, path))
        if changed:
            self._registry.record_listing(changed, self._clock.now())


def _checked(item: Evidence, finding: _Finding | None) -> Evidence | None:
    if finding is None:
        return replace(item, verified=None, freshness="not_verified")
    if finding.item is None:
        return None
    return replace(item, verified=True, freshness="changed" if _has_changed(item, finding.item) else "verified")


def _has_changed(item: Evidence, now: Json) -> bool:
    """Content, name, type or time differ from what is in the index; a move within the target folders does not count."""
    listed = file_ref(now, item.folder_path)
    indexed = (item.revision.partition("/")[0], item.file_name, item.mime_type, item.modified_at)
    return indexed != (content_revision(now), listed.file_name, listed.mime_type, listed.modified_at)
