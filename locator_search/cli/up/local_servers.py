"""The servers that `up` starts, on loopback: which port, which command, and whether they answer."""

from __future__ import annotations

import http.client
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from locator_search.config.bundled import bundled
from locator_search.core.errors import LocatorError

HOST = "127.0.0.1"
PAGE_PORT = 8501
DAGSTER_PORT = 3000
NEIGHBOURS = 20
LONGEST_PLACE = 80
"""Bytes. The name of a socket has at most 103 of them on every system, and Dagster adds a dozen."""
CODE_SERVER = "dagster api grpc"
"""Part of the command line of the code server that a Dagster webserver starts and does not watch."""


@dataclass(frozen=True)
class LocalServer:
    """A port of ours and the path that answers 200 once the server is ready."""

    port: int
    health_path: str

    @property
    def url(self) -> str:
        """The address that a person opens."""
        return f"http://{HOST}:{self.port}"

    def answers(self) -> bool:
        """Whether it is ready."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", self.health_path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def page_server() -> LocalServer:
    """The Streamlit page, on its usual port or the next free one."""
    return LocalServer(free_port(PAGE_PORT), "/_stcore/health")


def dagster_server() -> LocalServer:
    """The Dagster UI, on its usual port or the next free one."""
    return LocalServer(free_port(DAGSTER_PORT), "/server_info")


def free_port(preferred: int) -> int:
    """The preferred port when nothing listens there, else a free one near it."""
    for port in range(preferred, preferred + NEIGHBOURS):
        if _is_free(port):
            return port
    last = preferred + NEIGHBOURS - 1
    raise LocatorError(f"All ports from {preferred} to {last} are taken.", hint="Free one of them and try again.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if probe.connect_ex((HOST, port)) == 0:
            return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def page_command(server: LocalServer) -> list[str]:
    """Serve the Streamlit page, asking nothing and reporting to nobody."""
    options = {
        "server.headless": "true",
        "server.address": HOST,
        "server.port": str(server.port),
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    page = str(files("streamlit_app") / "app.py")
    return [*_module("streamlit"), "run", page, *(f"--{name}={value}" for name, value in options.items())]


def dagster_command(server: LocalServer) -> list[str]:
    """Serve the Dagster UI behind our guard."""
    return [*_module("locator_assets.dagster_webserver"), "--port", str(server.port)]


def daemon_command() -> list[str]:
    """Run sensors, schedules and queued runs."""
    return [*_module("dagster._daemon"), "run", "-w", str(bundled("workspace.yaml"))]


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
