"""Previews of a crawl: files to be read and left out, and the cost, counted while a source is listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from locator_search.core.errors import LocatorError
from locator_search.indexing.cost import CostEstimate, ModelPrices, estimate_cost
from locator_search.indexing.diff import set_aside_at_once
from locator_search.model import FileRef
from locator_search.ports import DocumentSource

STEP = 100
"""Files between two looks at the counts."""
MOST_NAMES = 8
FREE = ModelPrices(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Preview:
    """Counts so far. `kinds`: files that would be read, and their bytes, by MIME type; `skipped`: others by reason.

    `cost` is of all that would be read. `ended`: there is no more. `problems`: what could not be looked into, in words.
    """

    kinds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    cost: CostEstimate = CostEstimate()  # noqa: RUF009 - frozen
    ended: bool = False
    problems: tuple[str, ...] = ()

    @property
    def files(self) -> int:
        """Files that would be read."""
        return sum(files for files, _ in self.kinds.values())

    @property
    def bytes(self) -> int:
        """Bytes of these, as far as the source tells."""
        return sum(size for _, size in self.kinds.values())


def previews(
    source: DocumentSource, prices: ModelPrices | None, largest: int, out_of_time: Callable[[], bool]
) -> Iterator[Preview]:
    """Preview after preview, the last one ended, out of time, or with the sentence of what went wrong. Files of more
    than `largest` bytes are not read. `prices` None: nothing is paid."""
    files, sizes, skipped = Counter[str](), Counter[str](), Counter[str]()
    names, cost, waiting = list[str](), CostEstimate(), list[FileRef]()
    sweep, problem, ended = source.sweep(), "", False

    def now() -> Preview:
        kinds = {kind: (count, sizes[kind]) for kind, count in files.most_common()}
        problems = [*filter(None, [problem]), *(one.reason for one in sweep.unlisted)]
        return Preview(kinds, dict(skipped.most_common()), tuple(names), cost, ended, tuple(problems))

    try:
        for number, file in enumerate(sweep.files(), start=1):
            reason = _reason(file, largest)
            if reason:
                skipped[reason] += 1
            else:
                files[file.mime_type] += 1
                sizes[file.mime_type] += file.size or 0
                names += [file.file_name][: MOST_NAMES - len(names)]
                waiting.append(file)
            if number % STEP == 0:
                cost = _sum(cost, estimate_cost(waiting, prices or FREE))
                waiting.clear()
                yield now()
                if out_of_time():
                    return
        ended = True
    except LocatorError as error:
        problem = f"{error.message} {error.hint}".strip()
    cost = _sum(cost, estimate_cost(waiting, prices or FREE))
    yield now()


def _reason(file: FileRef, largest: int) -> str:
    at_once = set_aside_at_once(file)
    return at_once.reason if at_once else "too-large" if (file.size or 0) > largest else ""


def _sum(one: CostEstimate, other: CostEstimate) -> CostEstimate:
    known = one.cost_usd is not None and other.cost_usd is not None
    cost = (one.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None
    return CostEstimate(one.files + other.files, one.tokens + other.tokens, cost)
