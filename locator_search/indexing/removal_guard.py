"""The guard against mass deletion: what a listing says of files that are gone is not always believed. Pure.

An unmounted share, a half-listed one, a lost permission and a renamed folder all look like deletions. So a root loses
more than half of its files (and more than MOST_AT_ONCE of them) only when a person confirms it, or when full listings
an hour apart agree. A root that lists nothing at all needs a person, since an empty mount stays empty.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from locator_search.ports import KnownFile

MOST_AT_ONCE = 20
SEEN_AGAIN_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class RootSize:
    """How many files of a root are known, and how many of them were missing before and are kept."""

    files: int
    missing: int = 0


def kept_for_now(
    gone: Mapping[str, KnownFile],
    sizes: Mapping[str, RootSize],
    now: datetime,
    *,
    listed: Collection[str] | None = None,
    confirmed: Collection[str] = (),
) -> frozenset[str]:
    """The ids of files that are gone, as a source says, and are not to be forgotten yet.

    `listed` are the ids of the roots that a full listing showed any file of, None where no full listing was made:
    only those are seen again. `confirmed` are the ids of roots a person vouches for.
    """
    by_root: dict[str, list[str]] = {}
    for file_id, file in gone.items():
        by_root.setdefault(file.file.root_id, []).append(file_id)
    kept: set[str] = set()
    for root_id, file_ids in by_root.items():
        size = sizes.get(root_id, RootSize(0))
        of_these = sum(gone[one].missing_since is not None for one in file_ids)
        missing = len(file_ids) + max(0, size.missing - of_these)
        if root_id in confirmed or not is_mass(missing, size.files):
            continue
        seen_again = listed is not None and root_id in listed
        kept.update(one for one in file_ids if not (seen_again and _was_missing(gone[one], now)))
    return frozenset(kept)


def is_mass(gone: int, known: int) -> bool:
    """Whether so many files of a root are too many to be forgotten on the word of one listing."""
    return gone > MOST_AT_ONCE and 2 * gone > known


def _was_missing(file: KnownFile, now: datetime) -> bool:
    return file.missing_since is not None and now - file.missing_since >= SEEN_AGAIN_AFTER
