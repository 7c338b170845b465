"""The table of requirements names every one of the design, and tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "live-requirements.md").read_text("utf-8")
REQUIREMENTS = {
    "FR-UI": 4, "FR-SR": 4, "FR-QG": 3, "FR-PROC": 4, "FR-AUTH": 5, "FR-TR": 2, "FR-ER": 2, "AC": 5,
}  # fmt: skip
SINGLE = ("NFR-RL-01", "NFR-SEC-01", "NFR-UX-01", "NFR-EXT-01", "NFR-OPS-01")


def test_every_requirement_of_the_design_has_its_line() -> None:
    wanted = [f"{group}-{number:02}" for group, count in REQUIREMENTS.items() for number in range(1, count + 1)]
    missing = [name for name in (*wanted, *SINGLE) if not re.search(rf"^\| {name} ", TABLE, re.MULTILINE)]
    assert missing == []


def test_every_test_of_the_table_exists() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}
    named = set(re.findall(r"`(test_\w+)`", TABLE))
    assert named
    assert named - there == set()
