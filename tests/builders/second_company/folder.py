"""The second company as a data set of the flow: `files/` and the questions about them."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from tests.builders.sample_company.folder import render
from tests.builders.sample_company.sample import Sample
from tests.builders.second_company import english, rules, series
from tests.builders.second_company.papers import Paper

PAPERS: tuple[Paper, ...] = (*rules.PAPERS, *english.PAPERS, *series.every_series())


def write_files(folder: Path) -> None:
    """Write every paper below `folder`, changed on its own day at noon."""
    for paper in PAPERS:
        place = folder / paper.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(render(Sample(paper.path, paper.text)))
        noon = datetime(paper.day.year, paper.day.month, paper.day.day, 3, tzinfo=UTC).timestamp()
        os.utime(place, (noon, noon))
