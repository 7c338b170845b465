"""Claims that people wrote by hand, each over a sentence of a standard or an office, in English and Japanese.

A line `> [clause] passage` is followed by quotes of it (`= quote`, several parted by ‖) and by the claims that cite
them, true ones (`+ kind: claim`) and false ones (`-`). ⏎ is the end of a line.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.builders.claims import Case
from tests.builders.contributions import passage

_FOLDER = Path(__file__).parent
_CLAUSE = re.compile(r"\[([^\]]*)\] ")
_NUMBER = re.compile(r"[A-Z]\d-\d{6,7}")


def cases(name: str) -> tuple[list[Case], list[Case]]:
    """The true and the false claims of one file."""
    found: dict[str, list[Case]] = {"+": [], "-": []}
    clause, whole = "6.1", ""
    quotes: tuple[str, ...] = ()
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        mark, _, rest = line.replace("⏎", "\n").partition(" ")
        if mark == ">":
            told = _CLAUSE.match(rest)
            clause, whole = (told[1], rest[told.end() :]) if told else ("6.1", f"6.1 General\n{rest}")
            quotes = (rest,)
        elif mark == "=":
            quotes = tuple(rest.split(" ‖ "))
        elif mark in found:
            kind, _, claim = rest.partition(": ")
            number = _NUMBER.search(claim)
            evidence = passage(number[0] if number else "S2-2800001", clause, whole, 2)
            found[mark].append(Case(kind, claim, quotes, (evidence,) * len(quotes)))
    return found["+"], found["-"]
