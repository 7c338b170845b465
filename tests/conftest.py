"""One real embedded PostgreSQL per test session, a fresh database per test, and no way out of this machine."""

from __future__ import annotations

import ipaddress
import os
import shutil
import signal
import socket
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import psycopg
import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.postgres import Database, migrate
from locator_search.adapters.postgres.server.embedded import SERVER_OPTIONS, EmbeddedServer
from locator_search.config.settings import Settings
from locator_search.core.masking import mask

if TYPE_CHECKING:
    from locator_search.dev.drive_emulator import DriveEmulator
    from tests.builders.crawl import CrawlBench
    from tests.builders.drive import DriveBench

FAST_AND_FORGETFUL = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off"

# The same examples everywhere, however slow the machine. To look for others: pytest --hypothesis-profile=default.
hypothesis.settings.load_profile("ci")
# A mutant is noticed by the first example that fails, and nobody reads a smaller one.
hypothesis.settings.register_profile(
    "mutants",
    parent=hypothesis.settings.get_profile("ci"),
    max_examples=25,
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
)
if "MUTANT_UNDER_TEST" in os.environ:
    hypothesis.settings.load_profile("mutants")

KEPT_SETTINGS = {"LOCATOR_DEVSET", "ALLOW_REAL", "TZ"}


def pytest_configure() -> None:
    """A shell that starts the tests in the background has them ignore Ctrl-C; several press it."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything that is not `real` is `mock`, the default job, except the long forms of tests."""
    for item in items:
        if item.get_closest_marker("real") is None and item.get_closest_marker("large") is None:
            item.add_marker("mock")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--mock", action="store_true", help="Nothing real is asked, whatever is marked `real` or allowed.")


def may_be_real(only_mock: bool, allowed: str | None) -> bool:
    """Whether tests may talk to anything real: with ALLOW_REAL=1, and never with --mock."""
    return allowed == "1" and not only_mock


@pytest.fixture(autouse=True)
def _real_only_when_allowed(request: pytest.FixtureRequest) -> None:
    """A test marked `real` runs with ALLOW_REAL=1 and without --mock; else it is skipped, and a warning says so."""
    if request.node.get_closest_marker("real") is None:
        return
    if not may_be_real(request.config.getoption("--mock"), os.environ.get("ALLOW_REAL")):
        reason = "real services are asked with ALLOW_REAL=1 and without --mock only"
        warnings.warn(f"{request.node.name} was skipped: {reason}", stacklevel=1)
        pytest.skip(reason)


@pytest.fixture(autouse=True)
def _settings_of_nobody(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the person who runs the tests reaches them, except those of tests marked `real`."""
    if request.node.get_closest_marker("real") is not None:
        return
    if Path(".env").exists():  # that of the checkout: a test that wants one brings its own folder
        monkeypatch.setitem(Settings.model_config, "env_file", None)
    ours = {name.upper() for name in Settings.model_fields} - KEPT_SETTINGS
    for name in list(os.environ):
        if name in ours or name.startswith(("PG", "LANGSMITH_", "LANGCHAIN_")):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _whole_results_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page shows no first documents meanwhile, however slow the machine: a test that wants them says so."""
    monkeypatch.setenv("LOCATOR_WORDS_FIRST_SECONDS", "0")


@pytest.fixture(autouse=True)
def _secrets_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The secrets of one test are plain words to the next."""
    monkeypatch.setattr(mask, "_forms", set())
    monkeypatch.setattr(mask, "_by_value", None)


@pytest.fixture(autouse=True)
def _stays_on_this_machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that is not `real` fails when it connects to another machine."""
    if request.node.get_closest_marker("real") is not None:
        return
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse_other_machines(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_other_machines(self, address)
        return connect_ex(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)


def _refuse_other_machines(connecting: socket.socket, address: Any) -> None:
    if connecting.family == socket.AF_UNIX or _is_loopback(str(address[0])):
        return
    pytest.fail(f"A test tried to connect to {address!r}; only tests marked `real` may leave this machine.")


def _is_loopback(host: str) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(scope="session")
def database_server() -> Iterator[EmbeddedServer]:
    """The embedded server of this test session, with a migrated database named `template` to copy."""
    # Under the system's temporary folder and not pytest's: a socket's path must be short.
    home = Path(tempfile.mkdtemp(prefix="locator-tests-"))
    server = EmbeddedServer(home, f"{SERVER_OPTIONS} {FAST_AND_FORGETFUL}")
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE template")
    with Database(_url_of(server, "template")) as template:
        migrate(template)
    yield server
    server.close()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def empty_database_url(database_server: EmbeddedServer) -> Iterator[str]:
    """The URL of a database without our tables."""
    with _new_database(database_server, template="template1") as url:
        yield url


@pytest.fixture(scope="session")
def template_with_dagster(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a template that holds Dagster's tables, too: to make them takes longer than many a crawl."""
    from tests.builders.dagster_tables import make_dagster_tables

    name = "template_with_dagster"
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template")
    make_dagster_tables(_url_of(database_server, name), tmp_path_factory.mktemp("dagster"))
    return name


@pytest.fixture
def database_url(database_server: EmbeddedServer, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a fresh, migrated database; for tests marked `dagster_tables` with those in it."""
    with_dagster = request.node.get_closest_marker("dagster_tables") is not None
    template = request.getfixturevalue("template_with_dagster") if with_dagster else "template"
    with _new_database(database_server, template) as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh, migrated database."""
    with Database(database_url) as opened:
        yield opened


_numbers = iter(range(1_000_000))


@contextmanager
def _new_database(server: EmbeddedServer, template: str) -> Iterator[str]:
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        yield _url_of(server, name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _url_of(server: EmbeddedServer, name: str) -> str:
    return server.url.replace("/postgres?", f"/{name}?", 1)


@pytest.fixture(scope="session")
def extractor() -> Iterator[IsolatedExtractor]:
    """The real extractor; starting its workers once is enough."""
    with IsolatedExtractor(workers=2) as opened:
        yield opened


@pytest.fixture
def bench(tmp_path: Path, database: Database, extractor: IsolatedExtractor) -> CrawlBench:
    """An empty folder and all the parts that crawl it."""
    from tests.builders.crawl import CrawlBench

    folder = tmp_path / "共有"
    folder.mkdir()
    return CrawlBench(folder, database, extractor)


@pytest.fixture
def drive() -> Iterator[DriveEmulator]:
    """An empty Google Drive."""
    from locator_search.dev.drive_emulator import DriveEmulator

    with DriveEmulator() as emulator:
        yield emulator


@pytest.fixture
def drive_bench(drive: DriveEmulator, tmp_path: Path, database: Database, extractor: IsolatedExtractor) -> DriveBench:
    """A target folder in it, and all the parts that crawl it."""
    from tests.builders.drive import DriveBench

    return DriveBench(drive, tmp_path, database, extractor)
