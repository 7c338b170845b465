"""All benchmarks whose figures grow with files and chunks, one after the other, and one table of their verdicts.

python -m benchmarks.scale --size 100000
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.verdict import MISSED, Verdict, told

ROOT = Path(__file__).parents[1]
COCOINDEX = "COCOINDEX_PYTHON"
"""Names the python of an environment with CocoIndex; without it that comparison is left out."""
LEFT_OUT, FAILED = "left out", "FAILED"

Row = tuple[str, Verdict]


def commands(size: int, cocoindex: str, kept: Path) -> dict[str, Sequence[str]]:
    """The arguments of each benchmark, by its name; none of one that cannot run here. What one leaves in `kept`, the
    next ones take. What costs the same per file however many there are keeps the size that its bar is told for."""
    grown, chunks = str(kept / "grown"), ("--chunks", str(size), "--home", str(kept / "chunks"))
    return {
        "growth": ("--sizes", "200", str(size), "--keep", grown),
        "dagster_pages": ("--grown", grown),
        "enter_to_results": ("--grown", grown),
        "crawl_overhead": ("--files", "2000"),
        "beside_cocoindex": ("--cocoindex", cocoindex, "--files", "1000") if cocoindex else (),
        "drive_changes": ("--files", str(size)),
        "writers": ("--files", "640"),
        "retrieval": chunks,
        "readers": chunks,
        "people": ("--files", "1000"),
        "workers": ("--files", "400"),
    }


def main() -> None:
    """Run them all, whatever one of them does, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1000, help="files and chunks (default: 1000; large: 100000)")
    size, rows = parser.parse_args().size, list[Row]()
    with tempfile.TemporaryDirectory(prefix="locator-scale-") as kept:
        for name, arguments in commands(size, os.environ.get(COCOINDEX, ""), Path(kept)).items():
            if arguments:
                rows += run(name, [sys.executable, "-m", f"benchmarks.{name}", *arguments])
            else:
                rows.append((name, Verdict(f"{COCOINDEX} names no python", "", "", LEFT_OUT)))
    print("\n" + "\n".join(table(rows)))
    sys.exit(any(verdict.outcome in (MISSED, FAILED) for _, verdict in rows))


def run(name: str, command: Sequence[str]) -> list[Row]:
    """What a benchmark told; its output is passed on as it comes."""
    print(f"\n== {name}", flush=True)
    rows = list[Row]()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            if verdict := told(line):
                rows.append((name, verdict))
    if process.returncode:
        rows.append((name, Verdict(f"ended with {process.returncode}", "", "", FAILED)))
    return rows or [(name, Verdict("its output above", "", ""))]


def table(rows: Iterable[Row]) -> list[str]:
    """The lines of a table with a column each for benchmark, measured, figure, bar and outcome."""
    cells = [("benchmark", "measured", "figure", "bar", "outcome"), *((name, *verdict) for name, verdict in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


if __name__ == "__main__":
    main()
