"""One scenario's world: a folder, a home, a database, the processes that work on them, and what was done to those."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import MappingProxyType
from urllib.parse import quote

import psutil

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.config.settings import Settings
from tests.builders.commands import StartedCommand
from tests.chaos.documents import QUESTION
from tests.chaos.models import ModelService
from tests.chaos.observer import Observer

POISON = Path(__file__).with_name("poison")
CRAWL_SECONDS = 240
SEARCH_SECONDS = 60
MOST_LINES = 40
NEVER_SAID = ("Traceback (most recent call last)", "[SQL:", "fault of the program")
"""Words that no person should read, whatever happened."""


@dataclass(frozen=True)
class Strike:
    """When something was struck, and until when its effect lasted (seconds of the monotonic clock).

    `answers_lost`: answers that were on their way may be lost by it, and have to be paid again.
    """

    began: float
    ended: float
    answers_lost: bool = True


@dataclass
class World:
    """`database_url` is None where the home has a server of its own. `files` is how many the folder held at first;
    `other_folders` are those that others crawl into the same database.

    `complaints` are broken promises, one sentence each; `cleanups` are called when it is cleared away.
    """

    place: Path
    folder: Path
    home: Path
    files: int
    database_url: str | None
    models: ModelService
    chance: Random
    settings: dict[str, str] = field(default_factory=dict)
    other_folders: list[Path] = field(default_factory=list)
    strikes: list[Strike] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    cleanups: list[Callable[[], object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.temporary = self.place / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.observer = Observer(self.database_url or own_server_url(self.home))

    @property
    def environment(self) -> dict[str, str]:
        """Of every process of this world: nothing of whoever runs it but what a process needs."""
        settings = {
            "LOCATOR_HOME": str(self.home),
            "LOCATOR_FOLDERS": str(self.folder),
            "LOCATOR_LANGUAGE": "en",
            "DATABASE_URL": self.database_url or "",
            "OPENAI_BASE_URL": self.models.url,
            "OPENAI_API_KEY": "sk-chaos",
            "TMPDIR": str(self.temporary),
            "PYTHONPATH": str(POISON),
        }
        return neutral_environment() | settings | self.settings

    def start_crawl(
        self,
        *options: str,
        before: Callable[[], None] | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> StartedCommand:
        """A crawl in a process of its own, with other settings where named; `before` is called in it."""
        return StartedCommand(("crawler", "--json", *options), self.environment | dict(settings), self.place, before)

    def search(self) -> subprocess.CompletedProcess[str]:
        """One search, in a process of its own."""
        return self.end(
            StartedCommand(("search", QUESTION, "--json", "--no-input"), self.environment, self.place),
            "search",
            SEARCH_SECONDS,
        )

    def end(
        self, command: StartedCommand, name: str, seconds: float = CRAWL_SECONDS
    ) -> subprocess.CompletedProcess[str]:
        """Wait for the end of a command; a hang, a trace or a flood of words is a complaint."""
        try:
            ended = command.end(seconds)
        except AssertionError:
            self.complaints.append(f"{name} hung for {seconds:.0f} seconds")
            os.killpg(command.pid, signal.SIGKILL)
            ended = command.end(seconds)
        self.judge_words(name, ended.stderr)
        return ended

    def judge_words(self, name: str, words: str) -> None:
        """Complain of what no person should read."""
        for never in NEVER_SAID:
            if never in words:
                excerpt = " ".join(words[max(0, words.find(never) - 200) :][:400].split())
                self.complaints.append(f"{name} said: {excerpt}")
                return
        if words.count("\n") > MOST_LINES:
            self.complaints.append(f"{name} said {words.count(chr(10))} lines")

    @contextmanager
    def database_up(self) -> Iterator[None]:
        """A block during which the database answers, also where it is the home's own."""
        if self.database_url is not None:
            yield
            return
        server = EmbeddedServer(self.home)
        try:
            yield
        finally:
            self.observer.close()
            server.close()

    def strike(self, action: Callable[[], object], until: Callable[[], object] = lambda: None) -> None:
        """Do something bad, note when, and wait for what it brings about."""
        began = time.monotonic()
        action()
        until()
        self.strikes.append(Strike(began, time.monotonic()))

    def note_strike(self) -> None:
        """Something bad went on until now, by which no answer is lost."""
        self.strikes.append(Strike(time.monotonic(), time.monotonic(), answers_lost=False))

    def extraction_workers(self, command: StartedCommand) -> list[psutil.Process]:
        """The processes in which a crawl reads files."""
        return [one for one in descendants(command.pid) if "extractors.worker" in command_line(one)]


def own_server_url(home: Path) -> str:
    """Where the embedded server of a home listens."""
    return f"postgresql://postgres@/postgres?host={quote(str(home / 'postgres' / 'data'), safe='')}&port=5432"


def neutral_environment() -> dict[str, str]:
    """This process's environment without settings of the product, of PostgreSQL and of Dagster."""
    ours = {name.upper() for name in Settings.model_fields}
    strange = ("PG", "DAGSTER", "LOCATOR_", "LANGSMITH_", "LANGCHAIN_", "PYTEST_")
    return {name: value for name, value in os.environ.items() if name not in ours and not name.startswith(strange)}


def descendants(pid: int) -> list[psutil.Process]:
    """Everything a process started that still lives."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def command_line(process: psutil.Process) -> str:
    """How a process was started; empty when it is gone."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
