"""The development set of real and hostile files where LOCATOR_DEVSET says it is, scored by its own scorer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.config.settings import load_settings
from locator_search.model import Extraction

Scores = dict[str, dict[str, float]]

# The references hold no numbers that Word counts by itself.
_NUMBER = re.compile(r"^(?:第[0-9０-９]+章|[0-9]+(?:\.[0-9]+)+) ")


@pytest.fixture(scope="module")
def devset() -> Path:
    folder = load_settings().locator_devset
    if folder is None:
        pytest.skip("LOCATOR_DEVSET names no folder")
    return folder


@pytest.fixture(scope="module")
def scores(devset: Path, tmp_path_factory: pytest.TempPathFactory) -> Scores:
    texts, result = tmp_path_factory.mktemp("texts"), tmp_path_factory.mktemp("scores") / "scores.json"
    for name, extraction in _extractions(devset):
        if extraction.readable:
            (texts / f"{name}.txt").write_text(extraction.document.text, encoding="utf-8")
        (texts / f"{name}.json").write_text(json.dumps({"status": extraction.state}))
        headings = [[block.level, _NUMBER.sub("", block.text)] for block in extraction.document.blocks if block.level]
        (texts / f"{name}.headings.json").write_text(json.dumps(headings))
    subprocess.run(
        [sys.executable, devset / "score.py", devset, texts, "--json", result], check=True, stdout=subprocess.DEVNULL
    )
    loaded: Scores = json.loads(result.read_text(encoding="utf-8"))
    return loaded


def _extractions(devset: Path) -> Iterator[tuple[str, Extraction]]:
    lines = (devset / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    entries: list[dict[str, Any]] = [json.loads(line) for line in lines]
    with IsolatedExtractor(2) as extractor, ThreadPoolExecutor(2) as pool:
        extractions = pool.map(lambda entry: extractor.extract(devset / entry["path"]), entries)
        yield from zip((entry["sha256"] for entry in entries), extractions, strict=True)


def test_every_target_of_the_set_is_reached(devset: Path, scores: Scores) -> None:
    targets: Scores = json.loads((devset / "targets.json").read_text(encoding="utf-8"))["targets"]
    missed = {
        f"{group} {measure}": (scores[group][measure], least)
        for group, measures in targets.items()
        for measure, least in measures.items()
        if scores[group][measure] < least
    }
    assert missed == {}


def test_headings_of_word_documents_are_all_found(scores: Scores) -> None:
    assert scores["headings"]["recall"] >= 0.99
    assert scores["headings"]["precision"] >= 0.99
