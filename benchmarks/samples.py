"""Files with sentences nobody wrote before, for the comparison of readings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

_WORDS = (
    "予算", "会議", "契約", "東京", "設計", "Signal", "検査", "保守", "Roaming", "見積", "資料", "承認", "Timer",
    "部品", "工程", "北海道", "売上", "Handover", "監査", "納期",
)  # fmt: skip


class Texts:
    """Sentences nobody wrote before, and all that were given so far."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self.given: list[str] = []

    def __call__(self) -> str:
        """The next sentence, which ends with a code of its own."""
        words = self._random.sample(_WORDS, 4)
        self.given.append(f"{' '.join(words)} {self._random.choice('ABCDEFGH')}{self._random.randrange(10**5, 10**6)}.")
        return self.given[-1]


Samples = Mapping[tuple[str, str], Callable[[Path, Texts], None]]
"""How a file is written, by suffix and part."""


def written(samples: Samples, folder: Path, copies: int) -> Iterator[tuple[str, str, Path, str]]:
    """Format, part, file and the text put into it, `copies` of each."""
    for (suffix, part), build in samples.items():
        for number in range(copies):
            said = Texts(f"{suffix} {part} {number}")
            path = folder / f"{part.replace(' ', '-').replace(',', '')}-{number}.{suffix}"
            build(path, said)
            yield suffix, part, path, "\n".join(said.given)
