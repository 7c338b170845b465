"""Why the result of a saved search changed: what was found earlier, beside what is found now. Pure.

Earlier is when its owner looked, and then nothing is searched again: kept are the result and the versions of what was
made of its files. Or it is a state of the index that somebody kept, and the search was run on that. What else changed
since is asked of the tables that know it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from locator_search.locales.sections import Common
from locator_search.ports.own_searches import FileNow, KeptHit, Look

ChangeKind = Literal["entered", "left", "moved"]
MOST_OTHERS = 3
"""Other files that are named beside one."""


@dataclass(frozen=True)
class ReplayTexts(Common, section="replay"):
    """The words for changes."""

    title: str
    note: str
    note_of_state: str
    state: str
    unchanged: str
    counts: str
    of_search: str
    not_kept: str
    not_saved: str
    not_saved_hint: str
    compare_with: str
    columns: tuple[str, ...]
    rank: str
    kinds: Mapping[str, str]
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is different: its `kind` (a key of `ReplayTexts.reasons`), as it was and as it is, and other files
    it is about."""

    kind: str
    before: str = ""
    now: str = ""
    others: tuple[str, ...] = ()

    def sentence(self, say: ReplayTexts) -> str:
        """The same for a person."""
        values = {"before": self.before or say.none, "now": self.now or say.none}
        return say.reasons[self.kind].format(**values, others=", ".join(self.others))


@dataclass(frozen=True, slots=True)
class Change:
    """A document that entered or left the result, or stands elsewhere in it. Ranks count from 1; None: not in it."""

    file_id: str
    file_name: str
    kind: ChangeKind
    rank_before: int | None
    rank_now: int | None
    reasons: tuple[Reason, ...]

    def row(self, say: ReplayTexts) -> tuple[str, str, str, str]:
        """Name, rank then, rank now, and what differs, for a person."""
        before, now = (say.rank.format(rank=rank) if rank else say.none for rank in (self.rank_before, self.rank_now))
        return self.file_name, before, now, " ".join(reason.sentence(say) for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Replay:
    """Two looks, and what is different: of the search itself and its index, and of each document. `state` names the
    state of the index in which the earlier one was found, where one was searched again."""

    then: Look
    now: Look
    reasons: tuple[Reason, ...]
    changes: tuple[Change, ...]
    state: str = ""

    def told(self, say: ReplayTexts, when: str) -> list[str]:
        """The sentences above the documents; `when` is the time of the earlier look."""
        counts = say.counts.format(before=self.then.hit_count, now=self.now.hit_count)
        of_search = [say.of_search.format(reason=reason.sentence(say)) for reason in self.reasons]
        return [
            say.note_of_state.format(name=self.state, when=when) if self.state else say.note.format(when=when),
            counts,
            *of_search,
            *([] if self.changes else [say.unchanged.format(when=when)]),
        ]


def same_result(one: Look, other: Look) -> bool:
    """Whether both looks found the same documents in the same order."""
    return one.hit_count == other.hit_count and [hit.file_id for hit in one.found] == [
        hit.file_id for hit in other.found
    ]


def replayed(then: Look, now: Look, files: Mapping[str, FileNow]) -> Replay:
    """The changes between two looks. `files` are those of both, as they are now; one that is gone has no entry."""
    return Replay(then, now, tuple(_of_search(then, now)), tuple(_Comparison(then, now, files).changes()))


def _of_search(then: Look, now: Look) -> Iterator[Reason]:
    for name in dict.fromkeys((*then.made_with, *now.made_with)):
        before, after = then.made_with.get(name, ""), now.made_with.get(name, "")
        if before != after:
            yield Reason(name, before, after)


class _Comparison:
    def __init__(self, then: Look, now: Look, files: Mapping[str, FileNow]) -> None:
        self._then, self._now, self._files = then, now, files
        self._before = {hit.file_id: (rank, hit) for rank, hit in enumerate(then.found, start=1)}
        self._after = {hit.file_id: (rank, hit) for rank, hit in enumerate(now.found, start=1)}
        self._otherwise = self._whole()

    def changes(self) -> Iterator[Change]:
        """Those that are shown now in their order, then those that left in the order of then."""
        for file_id, (rank, hit) in self._after.items():
            before = self._before.get(file_id)
            if before is None:
                yield Change(file_id, hit.name, "entered", None, rank, self._entered(file_id, hit))
            elif before[0] != rank:
                reasons = (*_versions(before[1], hit), *self._neighbours(file_id))
                yield Change(file_id, hit.name, "moved", before[0], rank, reasons or self._otherwise)
        for file_id, (rank, hit) in self._before.items():
            if file_id not in self._after:
                yield Change(file_id, hit.name, "left", rank, None, self._left(file_id, hit))

    def _entered(self, file_id: str, hit: KeptHit) -> tuple[Reason, ...]:
        file, looked_at = self._files.get(file_id), self._then.looked_at
        for _, other in self._before.values():
            if file_id in other.folded or other.file_id in hit.folded:
                return (Reason("shown_instead", others=(other.name,)),)
        if file is None:
            return self._otherwise
        if file.first_seen_at is not None and file.first_seen_at > looked_at:
            return (Reason("added"),)
        if file.indexed_at is not None and file.indexed_at > looked_at:
            return (Reason("edited" if file.modified_at > looked_at else "indexed_again"),)
        beyond = len(self._then.found) < self._then.hit_count
        return (Reason("was_beyond", str(len(self._then.found))), *self._otherwise) if beyond else self._otherwise

    def _left(self, file_id: str, hit: KeptHit) -> tuple[Reason, ...]:
        file = self._files.get(file_id)
        if file is None:
            return (Reason("gone"),)
        if not file.readable:
            return (Reason("permission"),)
        if not file.versions:
            return (Reason("unsearchable", now=file.state),)
        for _, other in self._after.values():
            if file_id in other.folded:
                return (Reason("folded", others=(other.name,)),)
        changed = tuple(_versions(hit, KeptHit(file_id, file.versions)))
        beyond = len(self._now.found) < self._now.hit_count
        return (*changed, Reason("is_beyond", now=str(len(self._now.found)))) if beyond else changed or self._otherwise

    def _neighbours(self, file_id: str) -> Iterator[Reason]:
        def above(ranks: Mapping[str, tuple[int, KeptHit]]) -> list[str]:
            own = ranks[file_id][0]
            return [other for other, (rank, _) in ranks.items() if rank < own]

        before, after = above(self._before), above(self._after)
        for kind, those, ranks in (
            ("others_above", [one for one in after if one not in before], self._after),
            ("others_gone", [one for one in before if one not in after], self._before),
        ):
            if those:
                yield Reason(kind, others=tuple(ranks[one][1].name for one in those[:MOST_OTHERS]))

    def _whole(self) -> tuple[Reason, ...]:
        """A reason that may be one where nothing of the file itself is different."""
        if any(_of_search(self._then, self._now)):
            return (Reason("search"),)
        if (self._then.files, self._then.newest) != (self._now.files, self._now.newest):
            return (Reason("weights", f"{self._then.files:,}", f"{self._now.files:,}"),)
        return (Reason("unknown"),)


def _versions(before: KeptHit, now: KeptHit) -> Iterator[Reason]:
    for name in now.versions:
        was, is_now = before.versions.get(name, ""), now.versions[name]
        if was != is_now:
            yield Reason(name, was, is_now)
