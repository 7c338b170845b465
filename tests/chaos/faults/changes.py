"""Faults of a source that changes during a crawl: files and their times, the clock, and others who crawl too."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

from tests.chaos.documents import ANSWERING, FOLDER_NAME, make_documents
from tests.chaos.moments import Moment, some_moment
from tests.chaos.scenario import Fault
from tests.chaos.world import World

FULL = ("--mode", "full")
FAR_TIMES = (0, 1, 946_684_800, 4_102_444_800, 7_258_118_400)
"""1970, 2000, 2100 and 2200: cameras without a battery, clocks that went wrong."""


def edit_files(world: World) -> None:
    """People write, rename, move and delete while a crawl reads."""
    crawl = world.start_crawl()
    edits = (_rewrite, _append, _rename, _move, _delete, _empty, _replace_by_folder, _add, _lead_outside, _take_rights)
    for _ in range(world.chance.randint(4, 9)):
        kind = world.chance.choice(("read", "asked", "indexed"))
        if Moment(kind, world.chance.randint(1, max(2, world.files // 10))).wait(world, lambda: crawl.has_ended):
            files = [path for path in _files(world.folder) if path.name != ANSWERING]
            world.chance.choice(edits)(world.chance.choice(files), world.chance)
            world.note_strike()
    world.end(crawl, "a crawl while files were edited")


def _files(folder: Path) -> Sequence[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _rewrite(path: Path, chance: Random) -> None:
    path.write_text(f"書き直した本文 {chance.random()}\n", "utf-8")


def _append(path: Path, chance: Random) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n追記 {chance.random()}\n")


def _rename(path: Path, chance: Random) -> None:
    path.rename(path.with_name(f"改名{chance.randint(0, 10**9)}{path.suffix}"))


def _move(path: Path, chance: Random) -> None:
    folder = path.parent / f"移した{chance.randint(0, 3)}"
    folder.mkdir(exist_ok=True)
    path.rename(folder / path.name)


def _delete(path: Path, _chance: Random) -> None:
    path.unlink()


def _empty(path: Path, _chance: Random) -> None:
    path.write_bytes(b"")


def _replace_by_folder(path: Path, chance: Random) -> None:
    path.unlink()
    path.mkdir()
    (path / "中の文書.md").write_text(f"# 中の文書\n\n{chance.random()}\n", "utf-8")


def _add(path: Path, chance: Random) -> None:
    shutil.copyfile(path, path.with_name(f"新しい{chance.randint(0, 10**9)}{path.suffix}"))


def _lead_outside(path: Path, _chance: Random) -> None:
    outside = path.parents[len(path.parents) - 3] / "outside.txt"
    outside.write_text("フォルダの外の文書は見えてはならない。", "utf-8")
    path.unlink()
    path.symlink_to(outside)


def _take_rights(path: Path, _chance: Random) -> None:
    path.chmod(0)  # which stops everybody but root


def change_times(world: World) -> None:
    """Files are dated in the far past and future, and dates jump back while contents change."""
    crawl = world.start_crawl()
    for _ in range(world.chance.randint(4, 9)):
        if Moment("indexed", world.chance.randint(1, world.files // 10)).wait(world, lambda: crawl.has_ended):
            path = world.chance.choice(_files(world.folder))
            if world.chance.random() < 0.5 and path.name != ANSWERING:
                _append(path, world.chance)
            when = world.chance.choice(FAR_TIMES)
            os.utime(path, (when, when))
            world.note_strike()
    world.end(crawl, "a crawl while dates jumped")


def jump_clock(world: World) -> None:
    """The clock of the crawling process jumps in its middle by hours or years; the next crawl's is right again."""
    hours = world.chance.choice((-24 * 365, -25, -1, 1, 25, 24 * 365))
    crawl = world.start_crawl(before=partial(_make_clock_jump, hours, world.chance.randint(1, world.files)))
    world.end(crawl, f"a crawl whose clock jumped by {hours} hours")
    world.note_strike()


def _make_clock_jump(hours: int, after: int) -> None:
    """At the seam where the product asks for the time; the system's clock is everybody's."""
    from locator_search.core.clock import SystemClock

    right, asked = SystemClock.now, iter(range(10**9))

    def now(self: SystemClock) -> datetime:
        return right(self) + (timedelta(hours=hours) if next(asked) >= after else timedelta())

    SystemClock.now = now  # type: ignore[method-assign]


def crawl_twice_at_once(world: World) -> None:
    """Two crawls of one home begin together; sometimes one of them is killed."""
    _crawl_together(world, {})


def crawl_from_two_homes(world: World) -> None:
    """Two machines with one database crawl the same folder."""
    (world.place / "other-home").mkdir()
    _crawl_together(world, {"LOCATOR_HOME": str(world.place / "other-home")})


def _crawl_together(world: World, settings: dict[str, str]) -> None:
    crawls = [world.start_crawl(), world.start_crawl(settings=settings)]
    if world.chance.random() < 0.5:
        doomed = world.chance.choice(crawls)
        if some_moment(world.chance, world.files).wait(world, lambda: doomed.has_ended):
            world.strike(lambda: os.kill(doomed.pid, signal.SIGKILL))
    for crawl in crawls:
        world.end(crawl, "one of two crawls")
    world.note_strike()


def crawl_two_folders(world: World) -> None:
    """Two machines with one database crawl a folder each, in turns and at once; neither speaks for the other's."""
    other = make_documents(world.place / "elsewhere" / FOLDER_NAME, Random(world.chance.random()), 24)
    (other / ANSWERING).unlink()
    world.other_folders.append(other)
    home = world.place / "other-home"
    home.mkdir()
    there = {"LOCATOR_HOME": str(home), "LOCATOR_FOLDERS": str(other)}
    for _ in range(world.chance.randint(1, 2)):
        crawls = [world.start_crawl(), world.start_crawl(settings=there)]
        for crawl in crawls:
            world.end(crawl, "a crawl of one of two folders")
        world.note_strike()


FAULTS = (
    Fault("edit-files", edit_files, changes=True),
    Fault("change-times", change_times, changes=True, options=FULL),
    Fault("clock-jump", jump_clock, options=FULL),
    Fault("two-crawls", crawl_twice_at_once),
    Fault("two-homes", crawl_from_two_homes),
    Fault("two-folders", crawl_two_folders),
)
