"""Checks local files before results are shown: whether they are still there, may be read and are unchanged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from os import stat_result
from pathlib import Path, PurePosixPath

from locator_search.adapters.local_files.access_rules import AccessRules, read_rules
from locator_search.adapters.local_files.beneath import entry_of, revision_of, status_of
from locator_search.adapters.local_files.names import LocalRoot, link_of, local_roots, path_of
from locator_search.core.errors import AccessDenied, FileGone, SourceError
from locator_search.model import Evidence, FileRef
from locator_search.ports import FileRegistry, KnownFile


class LocalAccessChecker:
    """An `AccessChecker` that looks at each file once more: what is gone, forbidden or behind a link is left out.

    The registry says to which root a file belongs. Files of roots that are not crawled here, and of a root that is out
    of reach, are shown as not verified. `principals` are the names of who asks, who must be let in by the rules of the
    root as they are now; None for somebody who reads everything.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        registry: FileRegistry,
        names: Sequence[str] = (),
        principals: Callable[[], Collection[str] | None] = lambda: None,
    ) -> None:
        self._roots = {root.root_id: root for root in local_roots(folders, names)}
        self._registry = registry
        self._principals = principals

    def check(self, evidence: Sequence[Evidence], *, names_alone: bool = False) -> list[Evidence]:
        """The evidence that may be shown, in its order."""
        known = self._registry.known([item.file_id for item in evidence]) if evidence else {}
        look = entry_of if names_alone else status_of
        checked = (self._check_one(item, known, look) for item in evidence)
        shown = [item for item in checked if item is not None]
        names = self._principals() if shown else None
        return shown if names is None else self._let_in(shown, known, names)

    def _let_in(
        self, shown: Sequence[Evidence], known: Mapping[str, KnownFile], names: Collection[str]
    ) -> list[Evidence]:
        rules = {root_id: _rules_of(root) for root_id, root in self._roots.items()}

        def lets_in(file: FileRef) -> bool:
            own = rules.get(file.root_id)
            return own is None or not {*names}.isdisjoint(own.of(path_of(file.location)))

        return [item for item in shown if lets_in(known[item.file_id].file)]

    def _check_one(
        self, item: Evidence, known: Mapping[str, KnownFile], look: Callable[[str, str], stat_result]
    ) -> Evidence | None:
        of = known.get(item.file_id)
        if of is None:
            return None
        root: LocalRoot | None = self._roots.get(of.file.root_id)
        if root is None:
            return replace(item, verified=None, freshness="not_verified")
        inside = path_of(of.file.location)
        try:
            status = look(root.path, inside)
        except (FileGone, AccessDenied):
            return None
        except SourceError:
            return replace(item, verified=None, freshness="not_verified")
        unchanged = revision_of(status) == item.revision
        # Another machine may have listed it last, under a path of its own.
        link = link_of(f"{root.path.rstrip('/')}/{inside}")
        return replace(item, link=link, verified=True, freshness="verified" if unchanged else "changed")


def _rules_of(root: LocalRoot) -> AccessRules:
    """Those of now; where they cannot be read, nobody is let in."""
    try:
        return read_rules(root.path, (root.shown, PurePosixPath(root.path).name))
    except (SourceError, AccessDenied):
        return AccessRules()
