"""The database goes away: its connections, one of its processes, all of it, or the space on its disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import psutil
import psycopg

from tests.chaos import disk
from tests.chaos.moments import some_moment
from tests.chaos.proxy import proxy
from tests.chaos.scenario import Fault
from tests.chaos.world import World

FREE_MB = (1, 20)
"""Free space when the crawl begins: enough for no file, or for most of them."""


def terminate_connections(world: World) -> None:
    """An administrator ends every connection of the database."""
    _strike_during_crawl(
        world,
        lambda: world.observer.rows("""
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
        """),
    )


def cut_connections(world: World) -> None:
    """The network between product and database fails for a few seconds."""
    _with_a_wire(world, hold=False)


def hold_connections(world: World) -> None:
    """The network passes nothing on for a few seconds, and then everything."""
    _with_a_wire(world, hold=True)


def _with_a_wire(world: World, *, hold: bool) -> None:
    assert world.database_url is not None
    with proxy(world.database_url) as wire:
        world.settings["DATABASE_URL"] = wire.url
        crawl = world.start_crawl()
        if some_moment(world.chance, world.files).wait(world, lambda: crawl.has_ended):

            def go_on() -> None:
                time.sleep(world.chance.uniform(0.2, 5))
                wire.mend()
                world.end(crawl, "a crawl whose connections failed")

            # What it cannot write it may go on to pay for until it ends.
            world.strike(wire.hold if hold else wire.cut, until=go_on)
        else:
            world.end(crawl, "a crawl")
        del world.settings["DATABASE_URL"]


def kill_backend(world: World) -> None:
    """`kill -9` of one process of PostgreSQL, which makes it end all others and recover."""

    def kill() -> None:
        backends = [one for one in postmaster(world).children() if "postgres: postgres" in " ".join(one.cmdline())]
        world.chance.choice(backends).kill()

    _strike_during_crawl(world, kill)


def kill_postmaster(world: World) -> None:
    """`kill -9` of the server of PostgreSQL."""
    _strike_during_crawl(world, lambda: postmaster(world).kill())


def _strike_during_crawl(world: World, action: Callable[[], object]) -> None:
    crawl = world.start_crawl()
    if some_moment(world.chance, world.files).wait(world, lambda: crawl.has_ended):
        with suppress(psutil.NoSuchProcess, psycopg.Error):
            world.strike(action, until=lambda: world.end(crawl, "a crawl that lost its database"))
            return
    world.end(crawl, "a crawl")


def postmaster(world: World) -> psutil.Process:
    """The server of PostgreSQL of the home."""
    pid = (world.home / "postgres/data/postmaster.pid").read_text().partition("\n")[0]
    return psutil.Process(int(pid))


def fill_disk(world: World) -> None:
    """The disk of the home is full soon after the crawl began, and roomy again afterwards."""
    disk.move_to_disk(world.home)
    world.cleanups.append(lambda: disk.remove_disk(world.home))
    disk.leave_free(world.home, world.chance.randint(*FREE_MB) * 1_000_000)
    crawl = world.start_crawl()
    while not crawl.has_ended and not disk.is_full(world.home):
        time.sleep(0.02)
    world.strike(lambda: None, until=lambda: world.end(crawl, "a crawl on a full disk"))
    world.search()
    disk.leave_free(world.home, disk.ROOMY)


FAULTS = (
    Fault("terminate-connections", terminate_connections, options=("--mode", "full")),
    Fault("cut-connections", cut_connections, options=("--mode", "full")),
    Fault("hold-connections", hold_connections, options=("--mode", "full")),
    Fault("kill-backend", kill_backend, own_server=True, options=("--mode", "full")),
    Fault("kill-postmaster", kill_postmaster, own_server=True, options=("--mode", "full")),
    Fault("disk-full", fill_disk, own_server=True, options=("--mode", "full"), missing=disk.why_not),
)
