"""`document-locator serve`: one part of `up` alone, for a deployment of several machines or containers.

A part that ends ends its command: what runs the command decides whether to start it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locator_search.cli.shared.lines import show_line
from locator_search.cli.shared.output import reports_errors
from locator_search.cli.up import local_servers
from locator_search.cli.up.command import HostOption
from locator_search.guard import LOCALHOST, read_sign_in, refuse_open_doors

if TYPE_CHECKING:
    from locator_search.cli.up.local_servers import LocalServer
    from locator_search.cli.up.supervisor import Child

app = typer.Typer(
    help="Serve one part of `up` alone: page, dagster, daemon, code-server. / 部品を一つだけ起動します。",
    no_args_is_help=True,
)
PortOption = Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")]


@app.command()
@reports_errors
def page(host: HostOption = LOCALHOST, port: PortOption = local_servers.PAGE_PORT) -> None:
    """Serve the search page. Several may run, on one machine or many.

    Example: document-locator serve page --port 8502
    """
    _refuse_open_doors(host)
    server = local_servers.page_server(host, port)
    _serve("page", local_servers.page_command(server), server)


@app.command()
@reports_errors
def dagster(host: HostOption = LOCALHOST, port: PortOption = local_servers.DAGSTER_PORT) -> None:
    """Serve Dagster's UI.

    Example: document-locator serve dagster --port 3001
    """
    _refuse_open_doors(host)
    server = local_servers.dagster_server(host, port)
    _serve("dagster", local_servers.dagster_command(server), server, needs=local_servers.CODE_SERVER)


@app.command()
@reports_errors
def daemon(
    dagster_home: Annotated[
        Path | None,
        typer.Option("--dagster-home", help="Where a dagster.yaml lies that others write; it is taken as it is."),
    ] = None,
    workspace: Annotated[
        Path | None, typer.Option("--workspace", "-w", help="The workspace.yaml to use, instead of that of the home.")
    ] = None,
) -> None:
    """Run sensors, schedules and queued runs: the crawls. One per database: a second one waits for its turn.

    Example: document-locator serve daemon
    """
    from locator_assets.dagster_files import workspace_yaml
    from locator_search.config.settings import load_settings

    command = local_servers.daemon_command(workspace or workspace_yaml(load_settings().home / "dagster"))
    _serve("daemon", command, needs=local_servers.CODE_SERVER, one_per_database=True, dagster_home=dagster_home)


@app.command()
@reports_errors
def code_server(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on: whoever reaches it may run anything as you.")
    ] = LOCALHOST,
    port: PortOption = local_servers.CODE_SERVER_PORT,
) -> None:
    """Serve the assets to daemon and UI on other machines, which name it in workspace.yaml; crawls then run here.

    Example: document-locator serve code-server --port 4266
    """
    local_servers.named_port(port, host)
    _serve("code-server", local_servers.code_server_command(host, port), needs=local_servers.CODE_SERVER)


def _refuse_open_doors(host: str) -> None:
    from locator_search.config.settings import load_settings

    refuse_open_doors(host, read_sign_in(), load_settings().naming_people)


def _serve(
    name: str,
    command: Sequence[str],
    server: LocalServer | None = None,
    *,
    needs: str = "",
    one_per_database: bool = False,
    dagster_home: Path | None = None,
) -> None:
    """Run a part until it ends or is told to, with the Dagster home given, else ours.

    Exit status 2 where it refuses its settings, else 1.
    """
    from locator_assets.instance import dagster_environment
    from locator_search.cli.operating.texts import OperatingTexts
    from locator_search.cli.up.one_daemon import OneDaemon
    from locator_search.cli.up.supervision import supervision
    from locator_search.cli.up.supervisor import StopRequested, adopt_orphans
    from locator_search.config.settings import load_settings

    settings = load_settings()
    texts = OperatingTexts.of(settings.locator_language)
    with supervision(settings) as (locator, supervisor, place):
        variables = dict(dagster_environment(locator))
        if dagster_home is not None:
            variables["DAGSTER_HOME"] = str(dagster_home)
        environment = local_servers.environment(place, **variables)
        adopt_orphans()

        def start() -> Child:
            return supervisor.start_here(name, command, environment, needs)

        def tell_waiting() -> None:
            show_line(texts.daemon_elsewhere)

        daemon = OneDaemon(locator.daemon_turn, supervisor, start, tell_waiting) if one_per_database else None
        child = None if daemon else start()
        try:
            while child is None or child.exit_status is None:
                supervisor.pause()
                if daemon is not None:
                    daemon.look()
                    child = daemon.child
                if server is not None and server.answers():
                    show_line(texts.serving.format(name=name, url=server.url))
                    server = None
        except StopRequested:
            return
        raise typer.Exit(2 if child.exit_status == 2 else 1)
