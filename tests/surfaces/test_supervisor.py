"""The supervisor: children are watched, and a stop leaves none of them behind, nor what they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from locator_search.cli import supervisor as module
from locator_search.cli.local_servers import free_port
from locator_search.cli.supervisor import StopRequested, Supervisor
from locator_search.errors import LocatorError

STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(250)"
)
PARENT = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {STUBBORN!r}]); time.sleep(250)"


@pytest.fixture
def supervisor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.6)
    with Supervisor(tmp_path) as one:
        yield one


def start(supervisor: Supervisor, code: str) -> psutil.Process:
    child = supervisor.start("child", [sys.executable, "-c", code], os.environ)
    return psutil.Process(child.process.pid)


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(log: Path, text: str) -> None:
    deadline = time.monotonic() + 60
    while text not in log.read_text():
        assert time.monotonic() < deadline, f"{text!r} never appeared"
        time.sleep(0.02)


def has_ended(process: psutil.Process) -> bool:
    """A killed process may take a moment to be gone."""
    deadline = time.monotonic() + 30
    while is_alive(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(process)


def test_a_stop_ends_a_child(supervisor: Supervisor) -> None:
    process = start(supervisor, "import time; time.sleep(250)")
    supervisor.stop()
    assert has_ended(process)


def test_a_stop_kills_grandchildren_that_do_not_listen(supervisor: Supervisor, tmp_path: Path) -> None:
    process = start(supervisor, PARENT)
    wait_for(tmp_path / "child.log", "ready")
    (grandchild,) = process.children()
    supervisor.stop()
    assert has_ended(process)
    assert has_ended(grandchild)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to a foster parent")
def test_a_stop_finds_grandchildren_whose_parent_died(tmp_path: Path) -> None:
    # In a process of its own, because adopting orphans cannot be undone.
    program = textwrap.dedent(f"""
        import os, pathlib, sys, time, psutil
        from locator_search.cli.supervisor import Supervisor, adopt_orphans
        adopt_orphans()
        one = Supervisor(pathlib.Path({str(tmp_path)!r}))
        code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(250)']," \\
               " start_new_session=True); print(p.pid, flush=True)"
        child = one.start("short", [sys.executable, "-c", code], os.environ)
        child.process.wait()
        orphan = psutil.Process(int(child.log.read_text()))
        one.stop()
        print("left behind" if orphan.is_running() else "gone")
    """)
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout == "gone\n"


def test_a_child_that_dies_is_reported_with_the_end_of_its_log(supervisor: Supervisor) -> None:
    code = "print('the port is taken'); raise SystemExit(3)"
    supervisor.start("child", [sys.executable, "-c", code], os.environ).process.wait()
    with pytest.raises(LocatorError) as raised:
        supervisor.pause(0)
    assert "child ended unexpectedly (exit status 3)" in raised.value.message
    assert "the port is taken" in raised.value.hint


def test_a_signal_asks_for_a_stop(supervisor: Supervisor) -> None:
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, signal.SIG_DFL) for number in wanted}  # whoever started the tests
    try:
        supervisor.listen()
        for number in before:
            supervisor._stop_requests = 0
            os.kill(os.getpid(), number)
            with pytest.raises(StopRequested):
                supervisor.pause(0)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_taken_port_is_replaced_by_a_free_one() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(port) != port
