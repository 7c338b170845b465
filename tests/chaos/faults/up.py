"""Processes of `document-locator up` are killed while a run of its sensor writes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

from tests.chaos.documents import DEPARTMENTS
from tests.chaos.faults.database import postmaster
from tests.chaos.moments import some_moment
from tests.chaos.scenario import Fault
from tests.chaos.served import Served, served
from tests.chaos.world import World

LAST_WORDS = "Ctrl-C"
"""The last line that `up` prints when all is started."""
NOTICE_SECONDS = 15.0
"""So long it may take `up` to notice, and to end or to mend it."""

Victim = Callable[[World, Served], psutil.Process]


def _of_kind(kind: str) -> Victim:
    return lambda world, up: world.chance.choice(up.processes(kind))


def _run_worker(world: World, up: Served) -> psutil.Process:
    return world.chance.choice(up.run_workers())


def _postmaster(world: World, _up: Served) -> psutil.Process:
    return postmaster(world)


def _backend(world: World, _up: Served) -> psutil.Process:
    return world.chance.choice([one for one in postmaster(world).children() if "[local]" in " ".join(one.cmdline())])


def _kill_during_a_run(victim: Victim) -> Callable[[World], None]:
    """Let `up` serve a few files, bring the others, and kill while its sensor's run works on them."""

    def act(world: World) -> None:
        aside = world.place / "aside"
        aside.mkdir()
        brought = [world.folder / name for name in sorted({name.partition("/")[0] for name in DEPARTMENTS})]
        for folder in brought:
            folder.rename(aside / folder.name)
        with served(world) as up:
            _wait_for_first_crawl(world, up)
            for folder in brought:
                shutil.move(aside / folder.name, folder)
            up.wait_for(LAST_WORDS)
            if some_moment(world.chance, world.files // 2).wait(world, lambda: up.has_ended):
                with suppress(psutil.NoSuchProcess, IndexError):
                    world.strike(lambda: victim(world, up).kill(), until=lambda: _wait_for_notice(up))

    return act


def _wait_for_first_crawl(world: World, up: Served) -> None:
    while not world.observer.number("SELECT count(*) FROM drive_sync_state WHERE finished_at IS NOT NULL"):
        if up.has_ended:
            raise RuntimeError(f"`up` ended: {up.printed[-500:]}")
        time.sleep(0.05)


def _wait_for_notice(up: Served) -> None:
    deadline = time.monotonic() + NOTICE_SECONDS
    while not up.has_ended and time.monotonic() < deadline:
        time.sleep(0.1)


def _kill_up(world: World, up: Served) -> psutil.Process:
    return psutil.Process(up.pid)


VICTIMS: dict[str, Victim] = {
    "kill-run-worker": _run_worker,
    "kill-code-server": _of_kind("code server"),
    "kill-daemon": _of_kind("daemon"),
    "kill-webserver": _of_kind("webserver"),
    "kill-page": _of_kind("page"),
    "kill-up": _kill_up,
    "kill-up-postmaster": _postmaster,
    "kill-up-backend": _backend,
}

FAULTS = tuple(
    Fault(name, _kill_during_a_run(victim), own_server=True, changes=True, options=("--mode", "full"))
    for name, victim in VICTIMS.items()
)
