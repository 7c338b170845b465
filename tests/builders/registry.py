"""All that is known of files."""

from __future__ import annotations

from locator_search.ports import FileRegistry, KnownFile


def all_known(registry: FileRegistry) -> dict[str, KnownFile]:
    """The files of our roots by id."""
    return registry.known(registry.ids("", registry.count()))
