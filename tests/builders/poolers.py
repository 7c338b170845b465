"""PgBouncer in front of the database of a test, in one of its modes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.chaos.proxy import proxy

SETTINGS = """
[databases]
* = host=127.0.0.1 port={server} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = {connections}
logfile = {folder}/pgbouncer.log
"""


@contextmanager
def pgbouncer(database_url: str, mode: str, connections: int = 20) -> Iterator[str]:
    """The address of the database behind PgBouncer, which has so many connections to it."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed (apt-get install pgbouncer)")
    # Root may not run PgBouncer, and nobody else sees pytest's folders.
    with proxy(database_url) as server, tempfile.TemporaryDirectory(prefix="pgbouncer-") as folder:
        _, _, server_port = server.url.partition("@")[2].partition("/")[0].partition(":")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        settings = Path(folder) / "pgbouncer.ini"
        settings.parent.chmod(0o777)
        settings.write_text(
            SETTINGS.format(server=server_port, port=port, mode=mode, connections=connections, folder=folder)
        )
        somebody = ["-u", "nobody"] if os.geteuid() == 0 else []
        with subprocess.Popen([program, "-q", *somebody, str(settings)]) as process:
            try:
                url = server.url.replace(f":{server_port}/", f":{port}/")
                _wait_for(url)
                yield url
            finally:
                process.kill()


def _wait_for(url: str) -> None:
    for _ in range(100):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("PgBouncer did not start.")
