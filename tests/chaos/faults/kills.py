"""Processes of a crawl are killed, or asked to end, while they work."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import psutil

from tests.builders.commands import StartedCommand
from tests.chaos.moments import Moment, some_moment
from tests.chaos.scenario import Fault
from tests.chaos.world import World

KILLS_IN_A_ROW = 5


def kill_crawl(world: World) -> None:
    """`kill -9` of the process that runs the crawl: it is the worker of its run."""
    signal_a_crawl(world, signal.SIGKILL, some_moment(world.chance, world.files))


def kill_crawl_five_times(world: World) -> None:
    """One crawl after the other is killed soon after it began to work."""
    for _ in range(KILLS_IN_A_ROW):
        kind = world.chance.choice(("asked", "read", "indexed", "writing"))
        signal_a_crawl(world, signal.SIGKILL, Moment(kind, world.chance.randint(1, 12)))


def terminate_crawl(world: World) -> None:
    """As a service manager ends it."""
    signal_a_crawl(world, signal.SIGTERM, some_moment(world.chance, world.files))


def interrupt_crawl(world: World) -> None:
    """As Ctrl-C in a terminal does."""
    signal_a_crawl(world, signal.SIGINT, some_moment(world.chance, world.files))


def signal_a_crawl(world: World, number: signal.Signals, moment: Moment) -> None:
    """Start a crawl and send it a signal at a moment, if that comes before its end."""
    crawl = world.start_crawl()
    if moment.wait(world, lambda: crawl.has_ended):
        world.strike(lambda: _send(crawl, number), until=lambda: world.end(crawl, f"a crawl at {number.name}"))
    else:
        world.end(crawl, "a crawl")


def _send(crawl: StartedCommand, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(crawl.pid, number)


def kill_reading_workers(world: World) -> None:
    """The processes that read files are killed, as by a system that is short of memory; the crawl goes on."""
    crawl = world.start_crawl()
    for _ in range(world.chance.randint(2, 4)):
        if Moment("read", world.chance.randint(2, world.files // 6)).wait(world, lambda: crawl.has_ended):
            world.strike(lambda: _kill_one_of(world.extraction_workers(crawl), world.chance))
    world.end(crawl, "a crawl whose reading workers were killed")


def _kill_one_of(processes: Sequence[psutil.Process], chance: Random) -> None:
    with suppress(psutil.NoSuchProcess, IndexError):
        chance.choice(processes).kill()


FAULTS = (
    Fault("kill-crawl", kill_crawl),
    Fault("kill-crawl-5", kill_crawl_five_times),
    Fault("terminate-crawl", terminate_crawl),
    Fault("interrupt-crawl", interrupt_crawl),
    Fault("kill-readers", kill_reading_workers),
)
