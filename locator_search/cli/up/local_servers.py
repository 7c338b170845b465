"""The parts that `up` starts: which address, which command, and whether they answer."""

from __future__ import annotations

import http.client
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from locator_search.core.errors import ConfigurationError, LocatorError
from locator_search.guard import LOCALHOST

PAGE_PORT = 8501
DAGSTER_PORT = 3000
CODE_SERVER_PORT = 4266
NEIGHBOURS = 20
LONGEST_PLACE = 80
"""Bytes. The name of a socket has at most 103 of them on every system, and Dagster adds a dozen."""
CODE_SERVER = "dagster api grpc"
"""Part of the command line of the code server that a Dagster webserver starts and does not watch."""


@dataclass(frozen=True)
class LocalServer:
    """An address of ours and the path that answers 200 once the server is ready."""

    host: str
    port: int
    health_path: str

    @property
    def url(self) -> str:
        """The address that a person on this machine opens."""
        host = _reachable(self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def answers(self) -> bool:
        """Whether it is ready."""
        connection = http.client.HTTPConnection(_reachable(self.host), self.port, timeout=5)
        try:
            connection.request("GET", self.health_path, headers={"Host": "localhost"})  # a name the guard knows
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def page_server(host: str = LOCALHOST, port: int | None = None) -> LocalServer:
    """The Streamlit page, on this port, or on its usual one or the next free one. Raises LocatorError."""
    return LocalServer(host, free_port(PAGE_PORT, host) if port is None else named_port(port, host), "/_stcore/health")


def dagster_server(host: str = LOCALHOST, port: int | None = None) -> LocalServer:
    """The Dagster UI, on this port, or on its usual one or the next free one. Raises LocatorError."""
    return LocalServer(host, free_port(DAGSTER_PORT, host) if port is None else named_port(port, host), "/server_info")


def named_port(port: int, host: str) -> int:
    """A port that somebody named. Raises ConfigurationError where it cannot be listened on."""
    if not _is_free(port, host):
        raise ConfigurationError(
            f"Port {port} of {host} cannot be listened on.", hint="Name a free port, and an address of this machine."
        )
    return port


def free_port(preferred: int, host: str = LOCALHOST) -> int:
    """The preferred port when nothing listens there, else a free one near it."""
    for port in range(preferred, preferred + NEIGHBOURS):
        if _is_free(port, host):
            return port
    last = preferred + NEIGHBOURS - 1
    raise LocatorError(f"All ports from {preferred} to {last} are taken.", hint="Free one of them and try again.")


def _is_free(port: int, host: str) -> bool:
    try:
        [(family, *_, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        [(_, *_, reachable), *_] = socket.getaddrinfo(_reachable(host), port, family, socket.SOCK_STREAM)
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
        with socket.socket(family) as probe:
            return probe.connect_ex(reachable) != 0
    except OSError:
        return False


def _reachable(host: str) -> str:
    """Where this machine reaches a server that listens on a host."""
    return {"0.0.0.0": LOCALHOST, "": LOCALHOST, "::": "::1"}.get(host, host)  # noqa: S104 - all addresses, of IPv4 and 6


def page_command(server: LocalServer) -> list[str]:
    """Serve the Streamlit page, asking nothing and reporting to nobody."""
    options = {
        "server.headless": "true",
        "server.address": server.host,
        "server.port": str(server.port),
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    page = str(files("streamlit_app") / "app.py")
    return [*_module("streamlit"), "run", page, *(f"--{name}={value}" for name, value in options.items())]


def dagster_command(server: LocalServer) -> list[str]:
    """Serve the Dagster UI behind our guard."""
    return [*_module("locator_assets.dagster_webserver"), "--host", server.host, "--port", str(server.port)]


def daemon_command(workspace: Path) -> list[str]:
    """Run sensors, schedules and queued runs of the code locations in a workspace file."""
    return [*_module("dagster._daemon"), "run", "-w", str(workspace)]


def code_server_command(host: str, port: int) -> list[str]:
    """Serve the product's assets to Dagster servers of other machines, and run what they ask for."""
    address = ["-h", host, "-p", str(port)]
    return [*_module("dagster"), "code-server", "start", *address, "-m", "locator_assets.definitions"]


def crawl_command() -> list[str]:
    """Crawl once."""
    return [*_module("locator_search.cli.main"), "crawler"]


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", name]


def environment(place: Path, **settings: str) -> Mapping[str, str]:
    """The environment of a child: ours, the settings named, and nothing that writes to the terminal unasked.

    Its temporary files lie in `place` and go with it, unless a socket there would have too long a name: a code server
    of Dagster that is killed leaves its socket behind.
    """
    quiet = {
        "PYTHONWARNINGS": "ignore",  # Dagster's preview and beta notices
        "PYTHONUNBUFFERED": "1",  # a log must be complete when its process is killed
        "PYTHONSAFEPATH": "1",  # a stray gql.py in the current folder would shadow the package of that name
        "DAGSTER_DISABLE_TELEMETRY": "1",
    }
    if len(os.fsencode(place)) <= LONGEST_PLACE:
        quiet["TMPDIR"] = str(place)
    return {**os.environ, **quiet, **settings}
