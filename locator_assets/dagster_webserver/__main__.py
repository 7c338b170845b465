"""Dagster's UI: `python -m locator_assets.dagster_webserver --host 127.0.0.1 --port 3000`, with DAGSTER_HOME set."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from locator_assets.dagster_files import workspace_yaml
from locator_search.config.settings import language_set, load_settings
from locator_search.core.errors import LocatorError
from locator_search.guard import LOCALHOST, Guard, Health, names_of, read_sign_in, refuse_open_doors
from locator_search.locales.said import error_in_words

if TYPE_CHECKING:
    from starlette.middleware import Middleware

STATEMENT_SECONDS = 15
LIVE_DATA_MILLISECONDS = 2000
LAST_ANSWERS_SECONDS = 3
"""Time for answers that are under way when the server is told to end."""


def main() -> None:
    """Serve until the process is told to end. Wrong settings end it with exit status 2."""
    options = argparse.ArgumentParser(description="Dagster's UI, guarded.")
    options.add_argument("--host", default=LOCALHOST)
    options.add_argument("--port", type=int, default=3000)
    address = options.parse_args()
    try:
        stack = guards(address.host)
        workspace = workspace_yaml(Path(os.environ["DAGSTER_HOME"]))
    except LocatorError as error:
        print(*error_in_words(error, language_set()), sep="\n", file=sys.stderr)
        sys.exit(error.exit_code)
    serve(address.host, address.port, stack, workspace)


def guards(host: str) -> list[Middleware]:
    """The middleware in front of Dagster's UI that listens on a host, outermost first. Raises ConfigurationError."""
    from starlette.middleware import Middleware

    from locator_search.health.readiness import probes

    settings = load_settings()
    names = names_of(settings.locator_allowed_hosts, [settings.locator_dagster_url])
    always = [
        Middleware(Health, **probes(settings)),
        Middleware(Guard, names=names, language=settings.locator_language),
    ]
    sign_in = read_sign_in()
    refuse_open_doors(host, sign_in, settings.naming_people)
    if sign_in is None:
        return always
    from locator_assets.dagster_webserver.sign_in_wall import wall  # needs the extra `login`

    return [*always, *wall(sign_in, settings)]


def serve(host: str, port: int, stack: list[Middleware], workspace: Path) -> None:
    """Serve Dagster's application behind these guards, with the code locations of a workspace file."""
    import uvicorn
    from dagster import DagsterInstance
    from dagster._core.workspace.context import WorkspaceProcessContext
    from dagster._core.workspace.load_target import WorkspaceFileTarget
    from dagster_webserver.version import __version__
    from dagster_webserver.webserver import DagsterWebserver

    from locator_assets.dagster_webserver.counts import counting_ahead
    from locator_assets.dagster_webserver.kept_keys import keep_keys
    from locator_assets.instance import making_tables
    from locator_search.app.locator import open_locator

    class Guarded(DagsterWebserver):  # type: ignore[type-arg]  # its parameters are inferred from what it is given
        def build_middleware(self) -> list[Middleware]:
            return [*stack, *super().build_middleware()]

    # Not Dagster's way, which does for SIGTERM what is done for Ctrl-C: nothing, in the background of a script.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with open_locator() as locator, making_tables(locator):
        opened = DagsterInstance.get()
    with opened as instance:
        instance.optimize_for_webserver(STATEMENT_SECONDS * 1000, pool_recycle=3600, max_overflow=20)
        keep_keys(instance)
        with WorkspaceProcessContext(instance, WorkspaceFileTarget([str(workspace)]), version=__version__) as context:
            app = Guarded(context, live_data_poll_rate=LIVE_DATA_MILLISECONDS).create_asgi_app()
            with counting_ahead(instance):
                uvicorn.run(
                    app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=LAST_ANSWERS_SECONDS
                )


if __name__ == "__main__":
    main()
