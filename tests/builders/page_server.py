"""The pages behind a real server on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import streamlit_app
from locator_search.cli.up.local_servers import free_port

APP = Path(streamlit_app.__file__).with_name("app.py")


def free_test_port() -> int:
    """One that the system gives to nobody who asks for any, and other processes of the tests do not try at once."""
    return free_port(20_000 + os.getpid() % 10_000)


@contextmanager
def page_server(folder: Path, settings: Mapping[str, str], port: int | None = None) -> Iterator[str]:
    """The address of the pages with these settings, started in a folder, where its log `page.log` stands, too."""
    port = port or free_test_port()
    options = {"server.port": port, "server.headless": "true", "server.fileWatcherType": "none"}
    told = [f"--{name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *told]
    # On a busy machine every search is a long one: what is shown meanwhile is looked at by a test of its own.
    given = {"LOCATOR_WORDS_FIRST_SECONDS": "0", **settings}
    environment = {**os.environ, **given, "PYTHONPATH": str(APP.parents[1])}
    with (
        (folder / "page.log").open("w") as log,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log) as server,
        until_the_end(server, f"http://127.0.0.1:{port}/_stcore/health"),
    ):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def until_the_end(server: subprocess.Popen[bytes], url: str) -> Iterator[None]:
    """A server of ours from its first answer at a URL until the block ends, and it with it."""
    try:
        wait_until_it_answers(server, url)
        yield
    finally:
        server.terminate()
        server.wait(100)


def wait_until_it_answers(server: subprocess.Popen[bytes], url: str) -> None:
    """Until a server of ours is ready; fails when it ends instead."""
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        assert server.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(url, timeout=5)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError("the server did not answer in time")
