"""A look keeps nothing of a file that stands as it is known; the plan is that of all files compared at once, whether
the source can tell by marks or not."""

from __future__ import annotations

import os
import shutil
import tracemalloc
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.adapters.postgres.index.registry import SQL
from locator_search.indexing.crawl import SourceSnapshot, observe_source, record_snapshot
from locator_search.indexing.diff import CrawlPlan, plan_crawl
from locator_search.indexing.listing import Listing
from locator_search.model import FileRef, SourceRoot
from locator_search.ports import DocumentSource, Sweep
from tests.builders.crawl import CrawlBench
from tests.builders.registry import all_known

APART = unicodedata.normalize("NFD", "ガイド.txt")
RULES = '[[rule]]\npath = "*"\nreaders = ["@example.com", "group:hr@example.com"]\n'


@dataclass
class CannotTell:
    """The same source, of which every file is built and compared."""

    real: LocalFolderSource
    name: str = "local_folder"

    @property
    def roots(self) -> Sequence[SourceRoot]:
        return self.real.roots

    def places(self) -> Mapping[str, str]:
        return self.real.places()

    def sweep(self) -> Sweep:
        return self.real.sweep()

    def read(self, file: FileRef, directory: Path) -> Path:
        return self.real.read(file, directory)


@pytest.fixture
def crawled(bench: CrawlBench) -> CrawlBench:
    bench.source = LocalFolderSource([bench.folder], with_readers=True)
    (bench.folder / ".locator-access.toml").write_text(RULES, "utf-8")
    bench.write_many(24)
    for name in (APART, "改\n行.txt", "写真.png", "下/月報.txt"):
        path = bench.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name}の記録", "utf-8")
    Path(os.fsdecode(os.fsencode(bench.folder) + b"/\x93\xfa\x95\xf1.txt")).write_text("日報", "utf-8")
    (bench.folder / "壊れた.pdf").write_text("%PDF-1.7 and then nothing", "utf-8")
    snapshot = look(bench)
    record_snapshot(snapshot, bench.registry, bench.feed_log, bench.indexer.version, bench.clock.now())
    for file in snapshot.plan.to_index:
        bench.indexer.index_file(file)
    return bench


def look(bench: CrawlBench, source: DocumentSource | None = None, **options: object) -> SourceSnapshot:
    version = str(options.pop("version", bench.indexer.version))
    registry, now = bench.registry, bench.clock.now()
    return observe_source(source or bench.source, registry, version, now, **options)  # type: ignore[arg-type]


def at_once(bench: CrawlBench) -> CrawlPlan:
    """The plan of everything that is listed beside everything that is known."""
    sweep = bench.source.sweep()
    files = {file.file_id: file for file in sweep.files()}
    listing = Listing(files, roots=tuple(sweep.roots), unlisted=tuple(sweep.unlisted))
    return plan_crawl(listing, all_known(bench.registry), bench.indexer.version, bench.clock.now())


def in_order(plan: CrawlPlan) -> CrawlPlan:
    return replace(plan, **{name: tuple(sorted(getattr(plan, name), key=str)) for name in plan.__dataclass_fields__})


def test_after_a_crawl_every_file_stands_whatever_its_name(crawled: CrawlBench) -> None:
    listing = look(crawled).listing
    assert listing.files == {}
    assert listing.sizes.total() == listing.standing.total() == 30


def test_files_that_are_asked_for_are_listed_and_so_are_all_when_all_are_looked_at_again(crawled: CrawlBench) -> None:
    wanted = crawled.listed("下/月報.txt")
    assert look(crawled, also=[wanted.file_id, "unknown"]).listing.files.keys() == {wanted.file_id}
    assert len(look(crawled, look_again=True).listing.files) == 30


def edited(bench: CrawlBench) -> None:
    bench.write("下/月報.txt", "新しい記録")


def renamed(bench: CrawlBench) -> None:
    (bench.folder / "下" / "月報.txt").rename(bench.folder / "下" / "年報.txt")


def moved_with_its_folder(bench: CrawlBench) -> None:
    (bench.folder / "0").rename(bench.folder / "八")


def deleted(bench: CrawlBench) -> None:
    (bench.folder / "写真.png").unlink()


def most_deleted(bench: CrawlBench) -> None:
    for number in range(7):
        shutil.rmtree(bench.folder / str(number))


def permitted_to_others(bench: CrawlBench) -> None:
    (bench.folder / "下" / "月報.txt").chmod(0o640)


def read_by_others(bench: CrawlBench) -> None:
    (bench.folder / ".locator-access.toml").write_text(RULES.replace('"*"', '"下"'), "utf-8")


def a_twin_in_the_usual_form(bench: CrawlBench) -> None:
    (bench.folder / "ガイド.txt").write_text("二つめの案内", "utf-8")


def in_the_usual_form(bench: CrawlBench) -> None:
    (bench.folder / APART).rename(bench.folder / "ガイド.txt")


def due_again(bench: CrawlBench) -> None:
    bench.registry.try_again(["failed"], bench.clock.now())


def waiting_for_a_model(bench: CrawlBench) -> None:
    bench.database.run("UPDATE file_state SET next_try_at = %s WHERE state = 'indexed'", [bench.clock.now()])


def let_go(bench: CrawlBench) -> None:
    bench.registry.mark_gone([bench.listed("下/月報.txt").file_id])


def missed_before(bench: CrawlBench) -> None:
    most_deleted(bench)
    bench.registry.mark_missing([*look(bench).known], bench.clock.now() - timedelta(hours=2))


def in_another_root(bench: CrawlBench) -> None:
    bench.source = LocalFolderSource([bench.folder, bench.folder / "下"], with_readers=True)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (edited, {"changed": 1}),
        (renamed, {"added": 1, "gone": 1}),
        (moved_with_its_folder, {"added": 4, "gone": 4}),
        (deleted, {"gone": 1}),
        (most_deleted, {"missing": 24}),
        (permitted_to_others, {"changed": 1}),
        (read_by_others, {"refreshed": 29}),
        (a_twin_in_the_usual_form, {"added": 1, "changed": 1}),
        (in_the_usual_form, {"changed": 1}),
        (due_again, {"retried": 1}),
        (waiting_for_a_model, {"changed": 28}),
        (let_go, {"changed": 1}),
        (missed_before, {"gone": 24}),
        (in_another_root, {"refreshed": 1, "gone": 0}),
    ],
)
def test_the_plan_is_that_of_a_source_that_cannot_tell(
    crawled: CrawlBench, change: Callable[[CrawlBench], None], outcome: dict[str, int]
) -> None:
    change(crawled)
    found, compared = look(crawled), look(crawled, CannotTell(crawled.source))
    assert in_order(found.plan) == in_order(compared.plan)
    assert replace(in_order(found.plan), unchanged=()) == replace(in_order(at_once(crawled)), unchanged=())
    assert found.listing.sizes == compared.listing.sizes
    assert found.refreshed.files == compared.refreshed.files
    assert found.listing.outcome() == compared.listing.outcome()
    counts = {name: len(getattr(found.plan, name)) for name in outcome if name != "refreshed"}
    counts |= {"refreshed": len(found.refreshed.files)} if "refreshed" in outcome else {}
    assert counts == outcome


def test_another_pipeline_works_on_every_file(crawled: CrawlBench) -> None:
    plan = look(crawled, version="another").plan
    assert (len(plan.to_index), len(plan.set_aside), plan.unchanged) == (29, 1, ())


def test_a_look_without_news_keeps_no_more_of_many_files_than_of_few(bench: CrawlBench) -> None:
    source = LocalFolderSource([bench.folder])
    peaks: dict[str, list[int]] = {"by marks": [], "file by file": []}
    for files in (2500, 6000):
        grown_to(bench, files)
        for way, each in (("by marks", source), ("file by file", CannotTell(source))):
            tracemalloc.start()
            listing = look(bench, each).listing
            peaks[way].append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert (len(listing.files), listing.sizes.total()) == (0, files)
    for few, many in peaks.values():
        assert (many - few) / 3500 < 60, peaks


def grown_to(bench: CrawlBench, files: int) -> None:
    """A folder of so many empty files, which are in the registry as if they had been read."""
    for number in range(files):
        path = bench.folder / f"{number % 40}" / f"{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    bench.registry.record_listing(LocalFolderSource([bench.folder]).list_files(), bench.clock.now())
    bench.database.run(
        "UPDATE file_state SET state = 'skipped', reason = 'empty', done_revision = revision, pipeline_version = %s",
        [bench.indexer.version],
    )


def test_an_index_answers_for_marks_of_which_the_planner_knows_nothing_yet(bench: CrawlBench) -> None:
    grown_to(bench, 2500)
    marks = [mark.hex for [mark] in bench.database.rows("SELECT mark FROM file_state LIMIT 100")]
    values = {"marks": marks, "now": bench.clock.now()}
    plan = "\n".join(line for [line] in bench.database.rows(f"EXPLAIN {SQL.unmatched}", values))
    assert "file_state_mark" in plan, plan
    assert "Seq Scan" not in plan, plan
