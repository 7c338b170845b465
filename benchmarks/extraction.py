"""Measures extraction per file, and the memory of its workers: `python benchmarks/extraction.py FOLDER`."""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from locator_search.adapters.extractors.limits import MIB, WorkerLimits
from locator_search.adapters.extractors.reading import read_file
from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor

BLOCKS = 10
NEW_INTERPRETERS = 5
_ALONE = "import sys; from pathlib import Path; from locator_search.adapters.extractors.reading import read_file; "
_ALONE += "list(read_file(Path(sys.argv[1])))"

Read = Callable[[Path], object]


def in_process(path: Path) -> object:
    """The reading alone, without any protection."""
    return list(read_file(path))


def new_interpreter(path: Path) -> object:
    """The simplest protection there is: a process per file."""
    return subprocess.run([sys.executable, "-c", _ALONE, str(path)], check=False, capture_output=True)


def seconds_per_file(read: Read, files: Sequence[Path]) -> float:
    """By the clock, over all the files."""
    begun = time.perf_counter()
    for path in files:
        read(path)
    return (time.perf_counter() - begun) / len(files)


def peak_of_workers() -> int:
    """The largest memory a living worker has had in use so far, in MB; 0 where the system does not tell."""
    peaks = [0]
    for child in psutil.Process().children():
        status = Path(f"/proc/{child.pid}/status")
        if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text())):
            peaks.append(int(found[1]) * 1024 // MIB)
    return max(peaks)


def compare(files: Sequence[Path]) -> None:
    """Every way in turn over the same tenths of the files; the ratio is to reading without protection."""
    with IsolatedExtractor(1) as lasting, IsolatedExtractor(1, WorkerLimits(files=50)) as recycled:
        ways: dict[str, Read] = {
            "in process": in_process,
            "worker that lives on": lasting.extract,
            "worker for 50 files": recycled.extract,
        }
        for read in ways.values():  # imports are paid once
            seconds_per_file(read, files[: max(len(files) // BLOCKS, 1)])
        taken: dict[str, list[float]] = defaultdict(list)
        for start in range(BLOCKS):
            block = files[start::BLOCKS]
            for name, read in ways.items():
                if block:
                    taken[name].append(seconds_per_file(read, block))
        taken["process per file"] = [seconds_per_file(new_interpreter, files[:NEW_INTERPRETERS])]
        base = statistics.mean(taken["in process"])
        print(f"{'way':24} {'ms per file':>12} {'ratio':>7}")
        for name, seconds in taken.items():
            print(f"{name:24} {1000 * statistics.mean(seconds):12.1f} {statistics.mean(seconds) / base:7.1f}")


def by_kind(files: Sequence[Path]) -> None:
    """Time, states and memory of each kind of file, read in workers as the product does."""
    kinds: dict[str, list[tuple[float, str]]] = defaultdict(list)
    peak = 0
    with IsolatedExtractor(1) as extractor:
        for path in files:
            extraction = extractor.extract(path)
            peak = max(peak, peak_of_workers())
            kinds[path.suffix.lower() or "none"].append((extraction.seconds, extraction.state))
    print(f"\n{'kind':8} {'files':>6} {'median ms':>10} {'slowest':>8}  states")
    for kind, results in sorted(kinds.items()):
        times = sorted(1000 * seconds for seconds, _ in results)
        states = ", ".join(f"{state} {count}" for state, count in Counter(state for _, state in results).most_common())
        print(f"{kind:8} {len(results):6} {statistics.median(times):10.1f} {times[-1]:8.0f}  {states}")
    print(f"peak memory of a worker: {peak} MB (allowed: {WorkerLimits().memory_bytes // MIB} MB of addresses)")


def main() -> None:
    """Files that harm a process without protection are only read in workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with files of any kind")
    folder = parser.parse_args().folder
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if not files:
        parser.error(f"{folder} holds no files")
    by_kind(files)
    with IsolatedExtractor(1) as extractor:
        harmless = [path for path in files if (result := extractor.extract(path)).readable and result.seconds < 1]
    print()
    compare(harmless or files)


if __name__ == "__main__":
    main()
