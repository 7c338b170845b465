"""`document-locator up`: everything at once, on this machine, until Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.lines import show_line
from locator_search.cli.shared.output import for_operators
from locator_search.core.errors import ConfigurationError, LocatorError
from locator_search.guard import LOCALHOST

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.cli.up.local_servers import LocalServer
    from locator_search.cli.up.one_daemon import OneDaemon
    from locator_search.cli.up.supervisor import Child, Supervisor

ANSWER_WITHIN_SECONDS = 180

HostOption = Annotated[
    str, typer.Option("--host", help="The address to listen on. Other than this machine's own, it needs sign-in.")
]


@for_operators
def up(
    folder: Annotated[
        list[Path] | None, typer.Option("--folder", metavar="PATH", help="Crawl this folder; may be given repeatedly.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page in a browser.")] = False,
    host: HostOption = LOCALHOST,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="The page's port; 8501 or the next free one.")
    ] = None,
    dagster_port: Annotated[
        int | None, typer.Option("--dagster-port", min=1, max=65535, help="Dagster's; 3000 or the next free one.")
    ] = None,
) -> None:
    """Start database, Dagster, page and a first crawl, print the addresses, and stop it all on Ctrl-C.

    Example: document-locator up --folder ~/Documents
    """
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.cli.up import local_servers
    from locator_search.cli.up.supervision import supervision
    from locator_search.cli.up.supervisor import StopRequested
    from locator_search.config.folders import remember_folders
    from locator_search.config.settings import load_settings
    from locator_search.guard import read_sign_in, refuse_open_doors

    if folder:
        folders, before = _comma_separated(folder), load_settings()
        if before.locator_folder_names:  # these belong to other folders; folders of `up --folder` go by their paths
            os.environ["LOCATOR_FOLDER_NAMES"] = folders
        if "locator_folders" in before.model_fields_set:  # else what is remembered counts, and the page may add to it
            os.environ["LOCATOR_FOLDERS"] = folders
    settings = load_settings()
    # Raises, also where sign-in is set up in part: then nothing starts.
    refuse_open_doors(host, read_sign_in(), settings.naming_people)
    if folder:
        remember_folders(settings, [Path(one) for one in folders.split(",")])
    texts = OperatingTexts.of(settings.locator_language)
    with _alone(settings.home):
        servers = local_servers.page_server(host, port), local_servers.dagster_server(host, dagster_port)
        with supervision(settings) as (locator, supervisor, place):
            try:
                _run(locator, supervisor, place, texts, *servers, open_browser=not no_browser)
            except (StopRequested, LocatorError):
                if not supervisor.stop_requested:
                    raise
            show_line(texts.stopping)
        show_line(texts.stopped)


def _run(
    locator: Locator,
    supervisor: Supervisor,
    place: Path,
    texts: OperatingTexts,
    page: LocalServer,
    dagster: LocalServer,
    *,
    open_browser: bool,
) -> None:
    """Start everything and watch it; `place` is for temporary files. Ends by StopRequested, or by LocatorError when
    something dies again and again.
    """
    from locator_assets.dagster_files import workspace_yaml
    from locator_assets.instance import dagster_environment
    from locator_search.cli.up import local_servers
    from locator_search.cli.up.one_daemon import OneDaemon
    from locator_search.cli.up.supervisor import adopt_orphans
    from locator_search.health.root_texts import sentence

    show_line(texts.starting_database.format(home=locator.settings.home))
    locator.upkeep.apply()
    supervisor.pause(0)
    adopt_orphans()  # only from here on, because other commands may be using the database server

    workspace = workspace_yaml(locator.settings.home / "dagster")
    show_line(texts.starting_servers)
    addresses = {"locator_dagster_url": dagster.url, "locator_page_url": page.url}
    unnamed = addresses.keys() - locator.settings.model_fields_set  # others are as browsers reach them through a proxy
    environment = local_servers.environment(
        place, **{name.upper(): addresses[name] for name in unnamed}, **dagster_environment(locator)
    )
    supervisor.start("page", local_servers.page_command(page), environment)
    supervisor.start("dagster", local_servers.dagster_command(dagster), environment, needs=local_servers.CODE_SERVER)
    show_line(texts.crawling.format(folders=", ".join(str(folder) for folder in locator.folders)))
    for warning in locator.root_warnings():
        show_line(sentence(warning, locator.settings.locator_language))
    crawl = supervisor.start_here("crawl", local_servers.crawl_command(), environment)

    _wait_until_it_answers(page, supervisor)
    show_line(texts.page.format(url=page.url))
    _wait_until_it_answers(dagster, supervisor)
    show_line(texts.dagster.format(url=dagster.url))
    # The daemon starts only now, so that its sensor finds the first crawl at work and asks for none of its files.
    daemon = OneDaemon(
        locator.daemon_turn,
        supervisor,
        lambda: supervisor.start("daemon", local_servers.daemon_command(workspace), environment),
        lambda: show_line(texts.daemon_elsewhere),
    )
    daemon.look()
    show_line(texts.how_to_stop)
    if open_browser:
        _open_browser(page.url)

    _wait_for_crawl(crawl, supervisor, daemon, texts)
    while True:
        supervisor.pause()
        daemon.look()


def _wait_until_it_answers(server: LocalServer, supervisor: Supervisor) -> None:
    deadline = time.monotonic() + ANSWER_WITHIN_SECONDS
    while not server.answers():
        supervisor.pause()
        if time.monotonic() > deadline:
            raise LocatorError(f"Nothing answered at {server.url} within {ANSWER_WITHIN_SECONDS} seconds.")


def _wait_for_crawl(crawl: Child, supervisor: Supervisor, daemon: OneDaemon, texts: OperatingTexts) -> None:
    while crawl.exit_status is None:
        supervisor.pause()
        daemon.look()
    supervisor.release(crawl)
    if crawl.exit_status != 0:
        show_line(texts.crawl_failed)


def _open_browser(url: str) -> None:
    """Open the page where a person sits at a desktop; never a browser inside the terminal."""
    has_desktop = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_desktop and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(url)


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Hold the home against a second `up`. Raises LocatorError."""
    from locator_search.config.folders import private_home

    private_home(home)
    os.umask(0o077)  # what we and our children write is for nobody else
    try:
        (home / "logs").mkdir(mode=0o700, exist_ok=True)
        lock = (home / "up.lock").open("a")
    except OSError as error:
        raise ConfigurationError(
            f"LOCATOR_HOME cannot be written to: {home} ({error.strerror})",
            hint="Set LOCATOR_HOME to a folder of yours.",
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LocatorError(
                f"Document Locator is already running with {home}.",
                hint="Use its page, stop it with Ctrl-C where it runs, or set another LOCATOR_HOME.",
            ) from None
        yield


def _comma_separated(folders: list[Path]) -> str:
    """The folders in the form of LOCATOR_FOLDERS. Raises ConfigurationError."""
    absolute = [folder.expanduser().absolute() for folder in folders]
    for folder in absolute:
        if not folder.is_dir():
            raise ConfigurationError(f"No such folder: {folder}", hint="Name a folder that exists with --folder.")
        if "," in str(folder):
            raise ConfigurationError(
                f"LOCATOR_FOLDERS cannot express a path with a comma in it: {folder}",
                hint="Name a link to it that has none.",
            )
    return ",".join(map(str, absolute))
