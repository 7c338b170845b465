"""How many modules one has to read to follow a question, and a file, through the product.

python -m benchmarks.ways

A module is entered when one of its functions is called. Code that runs on import does not count, nor does what the
worker process does that reads a file.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import locator_search
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.indexing.crawl import observe_source, record_snapshot

ROOT = Path(locator_search.__file__).parents[1]
PRODUCT = ("locator_search", "locator_assets", "streamlit_app")
NAMES = ("出張旅費規程", "情報セキュリティ基本方針", "年次有給休暇の取得", "会議室予約の案内", "在庫管理の手順")


@dataclass
class Way:
    """The modules entered while something was done, each with the functions called, and the calls between modules."""

    functions: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    crossings: int = 0
    followed: bool = False

    @property
    def modules(self) -> list[str]:
        """Their names, in order."""
        return sorted(self.functions)

    def enter(self, frame: FrameType, event: str, _argument: object) -> None:
        """Take note of a call; a profile function of Python."""
        module = _module_of(frame.f_code) if self.followed and event == "call" else None
        if module is not None:
            self.functions[module].add(frame.f_code.co_name)
            self.crossings += module != _calling_module(frame)


def main() -> None:
    """Measure and print."""
    for title, way in measured_ways().items():
        print(f"{title}: {len(way.modules)} modules, {way.crossings} calls between modules")
        for module in way.modules:
            print(f"    {module}: {', '.join(sorted(name for name in way.functions[module] if name[0] != '<'))}")


def measured_ways() -> dict[str, Way]:
    """The way of a warm question with one hit, and that of one Markdown file, in an index of five files.

    Each is the second of its kind in this process, so that nothing is started, imported or read for the first time.
    """
    file, question = Way(), Way()
    with _noted(file, question), _five_files() as locator:
        now, version = locator.clock.now(), locator.indexer.version
        snapshot = observe_source(locator.source, locator.registry, version, now)
        record_snapshot(snapshot, locator.registry, locator.feed_log, version, now)
        *others, last = snapshot.plan.to_index
        for other in others:
            locator.indexer.index_file(other)
        with _followed(file):
            locator.indexer.index_file(last)
        _ask(locator, NAMES[0])
        with _followed(question):
            _ask(locator, NAMES[-1])
    return {"a question": question, "a Markdown file": file}


@contextmanager
def _five_files() -> Iterator[Locator]:
    with tempfile.TemporaryDirectory(prefix="locator-ways-") as directory:
        folder = Path(directory, "files")
        folder.mkdir()
        for name in NAMES:
            text = f"# {name}\n\nこの文書は{name}について述べる。\n\n## 目的\n\n{name}を定める。\n"
            (folder / f"{name}.md").write_text(text, "utf-8")
        home = Path(directory, "home")
        with open_locator(load_settings(locator_home=home, locator_folders=str(folder), database_url=None)) as locator:
            yield locator


def _ask(locator: Locator, question: str) -> None:
    outcome = locator.drive_search.start(question).advance()
    if outcome.outcome != "found" or len(outcome.evidence) != 1:
        raise RuntimeError(f"{question}: {outcome.outcome} with {len(outcome.evidence)} files instead of one")


@contextmanager
def _noted(*ways: Way) -> Iterator[None]:
    """Calls of this thread and of every thread that begins here are noted; threads may live longer than one action."""

    def enter(frame: FrameType, event: str, argument: object) -> None:
        for way in ways:
            way.enter(frame, event, argument)

    threading.setprofile(enter)
    sys.setprofile(enter)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@contextmanager
def _followed(way: Way) -> Iterator[None]:
    way.followed = True
    yield
    way.followed = False


def _module_of(code: CodeType) -> str | None:
    """The dotted name of the product's module that holds some code; None for other code, and for that of an import."""
    if code.co_name == "<module>" or not code.co_filename.startswith(f"{ROOT}/"):
        return None
    parts = Path(code.co_filename).relative_to(ROOT).with_suffix("").parts
    return ".".join(parts) if parts[0] in PRODUCT and "dev" not in parts else None


def _calling_module(frame: FrameType) -> str | None:
    caller = frame.f_back
    while caller is not None and (module := _module_of(caller.f_code)) is None:
        caller = caller.f_back
    return module if caller is not None else None


if __name__ == "__main__":
    main()
