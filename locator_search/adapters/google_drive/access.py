"""Checks in Drive, within three seconds, whether the files of results still exist and may be shown."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from locator_search.adapters.google_drive.ancestry import Ancestry
from locator_search.adapters.google_drive.client import DriveClient
from locator_search.adapters.google_drive.files import SOURCE, file_ref, may_be_read, parent_ids, root_id_of
from locator_search.adapters.google_drive.readers import readers_in
from locator_search.adapters.google_drive.requests import Json
from locator_search.adapters.google_drive.scope import DriveScope, ScopeGuard
from locator_search.core.clock import deadline, within
from locator_search.core.errors import AccessDenied, FileGone, LocatorError
from locator_search.core.reader import names_at
from locator_search.model import Evidence, FileRef
from locator_search.ports import Clock, FileRegistry, FolderTree, KnownFile

AT_ONCE = 5
SECONDS = 3.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Finding:
    """Drive's answer about one file: None in `item` where it may not be shown, and why."""

    item: Json | None
    reason: str = ""
    is_lost: bool = False
    """Whether the whole target folder may be lost; then this file alone is not forgotten."""


class DriveAccessChecker:
    """An `AccessChecker` that asks Drive: five files at once, and whatever is unanswered in time is marked so.

    What it learns is left in the registry: files that are gone or out of scope are forgotten by the next tick, changed
    ones are indexed anew. Files of roots that are not crawled here are shown as not verified. `client` should be one
    that is not patient. With one that looks at readers, who asks must be among those of Drive now: `principals` are the
    names of who asks, None for somebody who reads everything.
    """

    def __init__(
        self,
        client: DriveClient,
        targets: Sequence[str],
        tree: FolderTree,
        registry: FileRegistry,
        clock: Clock,
        seconds: float = SECONDS,
        principals: Callable[[], Collection[str] | None] = lambda: None,
    ) -> None:
        self._client = client
        self._scope = DriveScope(targets)
        self._guard = ScopeGuard(client, self._scope, tree)
        self._tree = tree
        self._registry = registry
        self._clock = clock
        self._seconds = seconds
        self._principals = principals

    def check(self, evidence: Sequence[Evidence], *, names_alone: bool = False) -> list[Evidence]:
        """The evidence that may be shown, in its order."""
        known = self._registry.known([item.file_id for item in evidence if item.source == SOURCE])
        ours = {root.root_id for root in self._scope.roots}
        asked = [
            item
            for item in evidence
            if item.source == SOURCE and (of := known.get(item.file_id)) is not None and of.file.root_id in ours
        ]
        with deadline(self._seconds):
            findings = self._ask_all(asked, known)
        self._note([item for item in asked if item.file_id in findings], findings, known)
        names = self._principals()
        closed = {
            file_id
            for file_id, finding in findings.items()
            if names is not None
            and finding.item is not None
            and names_at(readers_in(finding.item), self._clock.now()).isdisjoint(names)
        }
        checked = (_checked(item, findings.get(item.file_id), names_alone=names_alone) for item in evidence)
        return [item for item in checked if item is not None and item.file_id not in closed]

    def _ask_all(self, evidence: Collection[Evidence], known: Mapping[str, KnownFile]) -> dict[str, _Finding]:
        waiting: SimpleQueue[Evidence] = SimpleQueue()
        for item in {item.file_id: item for item in evidence}.values():
            waiting.put(item)
        findings: dict[str, _Finding] = {}
        stopped = threading.Event()

        def work() -> None:
            while not stopped.is_set():
                try:
                    item = waiting.get_nowait()
                    finding = self._look(item, known[item.file_id], stopped)
                    if finding is not None:
                        findings[item.file_id] = finding
                except Empty:
                    return
                except LocatorError as error:
                    logger.info("A file could not be verified: %s", error.message)

        # Threads that still wait for an answer must not hold up the end of the program: hence no pool.
        threads = [
            threading.Thread(target=copy_context().run, args=(work,), name="drive-check-work", daemon=True)
            for _ in range(min(AT_ONCE, waiting.qsize()))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(within(self._seconds))
        stopped.set()
        return dict(findings)

    def _look(self, item: Evidence, known: KnownFile, stopped: threading.Event) -> _Finding | None:
        """Drive's answer about a file; None when it comes too late, and the database may be closed already."""
        try:
            now = self._client.file(item.file_id, item.location)
        except (FileGone, AccessDenied) as refusal:
            return self._refused(known, refusal.message)
        if stopped.is_set():
            return None
        if now.get("trashed"):
            return self._refused(known, "It is in the trash.")
        if not self._guard.holds(item.file_id, parent_ids(now)):
            return self._refused(known, "It is no longer in the target folders.")
        return _Finding(now)

    def _refused(self, known: KnownFile, reason: str) -> _Finding:
        """A file that may not be shown. Where its target folder is lost as well, the guard of the crawl decides."""
        is_lost = known.missing_since is not None
        with suppress(LocatorError):
            is_lost = is_lost or bool(self._client.file(known.file.root_id.removeprefix(root_id_of(""))).get("trashed"))
            return _Finding(None, reason, is_lost)
        return _Finding(None, reason, is_lost=True)

    def _note(
        self, evidence: Sequence[Evidence], findings: dict[str, _Finding], known: Mapping[str, KnownFile]
    ) -> None:
        changed: list[FileRef] = []
        for item in evidence:
            finding = findings[item.file_id]
            if finding.item is None:
                logger.warning("The index holds %s, which may not be shown: %s", item.file_id, finding.reason)
                if not finding.is_lost:
                    self._registry.set_state(item.file_id, "out_of_scope", reason="gone")
            elif _has_changed(item, finding.item) or known[item.file_id].file.readers != readers_in(finding.item):
                place = Ancestry(self._tree).place_of(item.file_id, parent_ids(finding.item))
                if place is not None:  # else the next tick finds it in its new folder
                    changed.append(file_ref(finding.item, *place))
        if changed:
            self._registry.record_listing(changed, self._clock.now())


def _checked(item: Evidence, finding: _Finding | None, *, names_alone: bool) -> Evidence | None:
    if finding is None:
        return replace(item, verified=None, freshness="not_verified")
    if finding.item is None or not (names_alone or may_be_read(finding.item)):
        return None
    return replace(item, verified=True, freshness="changed" if _has_changed(item, finding.item) else "verified")


def _has_changed(item: Evidence, now: Json) -> bool:
    """Content, name, type or time differ from what is in the index; a move within the target folders does not count."""
    listed = file_ref(now, item.folder_path)
    indexed = (item.revision.partition("/")[0], item.file_name, item.mime_type, item.modified_at)
    return indexed != (listed.revision.partition("/")[0], listed.file_name, listed.mime_type, listed.modified_at)
