"""`make mutants`: run mutmut over the modules named in pyproject.toml and hold what survived against `explained.toml`.

Ends with 1 when a change that no test noticed is not explained, and when an explanation no longer fits anything.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

EXPLAINED = Path(__file__).with_name("explained.toml")
MUTMUT = [sys.executable, "-m", "mutmut"]
UNNOTICED = "survived|no tests|suspicious|segfault"


@dataclass(frozen=True)
class Survivor:
    """A change that no test noticed. `change`: its removed and added lines, joined by " => "."""

    name: str
    fate: str
    change: str

    @property
    def function(self) -> str:
        """The dotted name of what was changed; mutmut puts `ǁ` between the parts of a method's name."""
        module, _, mangled = self.name.partition("__mutmut_")[0].rpartition(".")
        return f"{module}.{mangled.removeprefix('xǁ').removeprefix('x_').replace('ǁ', '.')}"


@dataclass(frozen=True)
class Explanation:
    """Why certain changes may survive: those of a function (all, where blank) whose text the pattern finds."""

    because: str
    change: str
    function: str = ""

    def fits(self, survivor: Survivor) -> bool:
        """Whether it is said of this change."""
        return self.function in ("", survivor.function) and re.search(self.change, survivor.change) is not None


def main(patterns: list[str]) -> int:
    """Mutate, test and report; `patterns` (of mutmut's names) limit it to some mutants."""
    if not patterns:
        shutil.rmtree("mutants", ignore_errors=True)  # mutmut would keep what earlier tests did not notice
    subprocess.run([*MUTMUT, "run", *patterns], check=True)
    explanations = [Explanation(**entry) for entry in tomllib.loads(EXPLAINED.read_text("utf-8"))["explained"]]
    survivors = list(_survivors())
    unexplained = [one for one in survivors if not any(reason.fits(one) for reason in explanations)]
    stale = [] if patterns else [one for one in explanations if not any(map(one.fits, survivors))]
    for survivor in unexplained:
        print(f"No test notices ({survivor.fate}) in {survivor.function}:\n    {survivor.change}")
    for reason in stale:
        print(f"explained.toml explains what no longer survives: {reason.function} {reason.change}")
    print(f"{len(survivors)} survived, {len(survivors) - len(unexplained)} of them explained.")
    return 1 if unexplained or stale else 0


def _survivors() -> Iterator[Survivor]:
    results = subprocess.run([*MUTMUT, "results"], check=True, capture_output=True, text=True).stdout
    fates = re.findall(rf"^\s*(\S+__mutmut_\d+): ({UNNOTICED})$", results, re.MULTILINE)
    with ThreadPoolExecutor(4) as pool:
        for (name, fate), change in zip(fates, pool.map(_change, [name for name, _ in fates]), strict=True):
            yield Survivor(name, fate, change)


def _change(name: str) -> str:
    shown = subprocess.run([*MUTMUT, "show", name], check=True, capture_output=True, text=True).stdout
    lines = [line for line in shown.splitlines() if re.match(r"[-+](?!--|\+\+)", line)]
    removed = [line[1:].strip() for line in lines if line[0] == "-"]
    added = [line[1:].strip() for line in lines if line[0] == "+"]
    return f"{' '.join(removed)} => {' '.join(added)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
