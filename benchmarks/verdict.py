"""The line with which a benchmark ends: its figure beside its bar, for people and for the table of `scale.py`."""

from __future__ import annotations

from typing import NamedTuple

START = "verdict: "
MET, MISSED, NO_BAR = "met", "NOT MET", "no bar"


class Verdict(NamedTuple):
    """A figure of a benchmark, and whether it keeps to its bar."""

    what: str
    figure: str
    bar: str = ""
    outcome: str = NO_BAR


def tell(what: str, figure: float, unit: str = "", *, at_most: float | None = None) -> None:
    """Print the line. Without `at_most` there is a figure and no bar."""
    behind = f" {unit}".rstrip()
    bar = "" if at_most is None else f"at most {at_most:g}{behind}"
    outcome = NO_BAR if at_most is None else MET if round(figure, 2) <= at_most else MISSED
    print(START + " | ".join(Verdict(what, f"{figure:,.2f}{behind}", bar, outcome)), flush=True)


def told(line: str) -> Verdict | None:
    """The verdict in a line of output, None where it holds none."""
    if not line.startswith(START):
        return None
    return Verdict(*(part.strip() for part in line.removeprefix(START).split("|")))
