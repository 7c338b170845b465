"""Document Locator: finds the one document a person needs.

The public surface, pinned by a test. Names are imported on first use: `import locator_search` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locator_search.app.locator import open_locator
    from locator_search.finderledge.ledger import FinderLedge
    from locator_search.model import Evidence, SearchFilters
    from locator_search.ports import EvidenceProvider

__all__ = ["Evidence", "EvidenceProvider", "FinderLedge", "SearchFilters", "open_locator"]

_HOMES = {
    "Evidence": "locator_search.model",
    "EvidenceProvider": "locator_search.ports",
    "FinderLedge": "locator_search.finderledge.ledger",
    "SearchFilters": "locator_search.model",
    "open_locator": "locator_search.app.locator",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
