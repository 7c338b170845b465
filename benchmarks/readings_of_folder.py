"""How much of what LibreOffice reads in a folder do we read? `python -m benchmarks.readings_of_folder FOLDER`."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.readings import BAR, FLAT, LibreOffice, flat_text, tokens
from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor

BATCH = 10
_WRITTEN_OTHERWISE = re.compile(r"[0-9]|(?:AM|PM|NaN|TRUE|FALSE|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$")


class Compared(NamedTuple):
    """One file: the words that LibreOffice reads, how many of them we read, and how our reading ended."""

    path: Path
    theirs: int
    missing: list[str]
    state: str

    @property
    def share(self) -> float:
        """Of the words of LibreOffice."""
        return 1 - len(self.missing) / self.theirs


def words(text: str) -> set[str]:
    """Without numbers and dates: LibreOffice writes them as the cell shows them, we write their values."""
    return {token for token in tokens(text) if not _WRITTEN_OTHERWISE.match(token)}


def compared(office: LibreOffice, extractor: IsolatedExtractor, paths: Sequence[Path]) -> Iterator[Compared]:
    """Each file that both can open and LibreOffice finds words in; what we name as unsupported is no reading."""
    for start in range(0, len(paths), BATCH):  # a file that kills LibreOffice costs no more than its batch
        batch = paths[start : start + BATCH]
        flat = FLAT[batch[0].suffix[1:].lower()]
        folder = office.converted(batch, flat, f"{flat}-{batch[0].suffix[1:]}-{start}")
        for path in batch:
            theirs = words(flat_text(found)) if (found := folder / f"{path.stem}.{flat}").exists() else set()
            extraction = extractor.extract(path)
            if theirs and extraction.state not in ("unsupported", "encrypted"):
                mine = words(extraction.document.text)
                yield Compared(path, len(theirs), sorted(theirs - mine), extraction.state)


def main() -> None:
    """A line per format, then the files below the bar with words that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--soffice", default="soffice", help="LibreOffice with Writer, Calc and Impress")
    arguments = parser.parse_args()
    low: list[Compared] = []
    print(f"{'format':6} {'files':>6} {'words':>8} {'recall':>7} {'per file':>9} {'partial':>8}")
    with tempfile.TemporaryDirectory() as temporary, IsolatedExtractor(1) as extractor:
        office = LibreOffice(arguments.soffice, Path(temporary))
        for suffix in FLAT:
            paths = [path for path in sorted(arguments.folder.rglob("*")) if path.suffix.lower() == f".{suffix}"]
            results = list(compared(office, extractor, paths))
            if not results:
                continue
            total, missing = sum(each.theirs for each in results), sum(len(each.missing) for each in results)
            per_file = sum(each.share for each in results) / len(results)
            partial = sum(each.state == "partial" for each in results)
            print(f"{suffix:6} {len(results):6} {total:8} {1 - missing / total:7.3f} {per_file:9.3f} {partial:8}")
            low += [each for each in results if each.share < BAR]
    for each in sorted(low, key=lambda each: each.share):
        print(f"{each.share:.3f} of {each.theirs}, {each.state}: {each.path.name}: {' '.join(each.missing[:12])}")


if __name__ == "__main__":
    main()
