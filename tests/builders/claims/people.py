"""Claims that people wrote by hand, each over a sentence of a standard or an office, in English and Japanese."""

from __future__ import annotations

from pathlib import Path

from tests.builders.claims import Case
from tests.builders.contributions import passage

_FOLDER = Path(__file__).parent


def cases(name: str) -> tuple[list[Case], list[Case]]:
    """The true and the false claims of one file."""
    found: dict[str, list[Case]] = {"+": [], "-": []}
    whole = quote = ""
    for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == ">":
            whole = quote = rest
        elif mark == "=":
            quote = rest
        elif mark in found:
            kind, _, claim = rest.partition(": ")
            evidence = passage("S2-2800001", "6.1", f"6.1 General\n{whole}", 2)
            found[mark].append(Case(kind, claim, (quote,), (evidence,)))
    return found["+"], found["-"]
