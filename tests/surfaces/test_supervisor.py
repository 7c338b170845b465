"""The supervisor: children are watched, and a stop leaves none of them behind, nor what they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from locator_search.cli.up import supervisor as module
from locator_search.cli.up.local_servers import free_port
from locator_search.cli.up.supervisor import StopRequested, Supervisor
from locator_search.core.errors import LocatorError, StoreUnavailable

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
        from locator_search.cli.up.supervisor import Supervisor, adopt_orphans
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


def keep_looking(supervisor: Supervisor, done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not done():
        assert time.monotonic() < deadline
        supervisor.pause(0.02)


def test_a_child_that_is_killed_is_started_again_and_its_log_goes_on(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    with Supervisor(tmp_path, tell=lambda name, status: told.append((name, status))) as supervisor:
        log = tmp_path / "child.log"
        process = start(supervisor, "import time; print('ready', flush=True); time.sleep(250)")
        wait_for(log, "ready")
        process.kill()
        keep_looking(supervisor, lambda: log.read_text().count("ready") == 2)
    assert told == [("child", -signal.SIGKILL)]


def test_a_child_that_dies_again_and_again_is_reported_with_the_end_of_its_log(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_DELAY_SECONDS", 0.05)
    start(supervisor, "print('the port is taken'); raise SystemExit(3)")
    with pytest.raises(LocatorError) as raised:
        keep_looking(supervisor, lambda: False)
    assert f"child ended {module.SHORT_LIVES} times in a row (exit status 3)" in raised.value.message
    assert "child.log" in raised.value.hint
    assert raised.value.hint.count("the port is taken") == module.SHORT_LIVES


def test_a_child_without_the_process_it_needs_is_started_again(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    child = supervisor.start("child", [sys.executable, "-c", PARENT], os.environ, needs="signal.SIG_IGN")
    log = tmp_path / "child.log"
    wait_for(log, "ready")
    former = psutil.Process(child.process.pid)
    (needed,) = former.children()
    keep_looking(supervisor, lambda: child.had_it)
    needed.kill()
    keep_looking(supervisor, lambda: log.read_text().count("ready") == 2)
    assert child.process.pid != former.pid


def test_a_child_waits_while_the_database_is_out_of_reach(tmp_path: Path) -> None:
    class Reachable:
        answers = False

        def look(self) -> None:
            pass

        def require(self) -> None:
            if not self.answers:
                raise StoreUnavailable("The database is away.")

    database = Reachable()
    with Supervisor(tmp_path, database) as supervisor:  # type: ignore[arg-type]
        child = supervisor.start("child", [sys.executable, "-c", "import time; time.sleep(250)"], os.environ)
        child.process.kill()
        for _ in range(20):
            supervisor.pause(0.02)
        assert child.exit_status is not None
        database.answers = True
        keep_looking(supervisor, lambda: child.exit_status is None)


def test_what_a_child_writes_is_for_nobody_else(supervisor: Supervisor, tmp_path: Path) -> None:
    start(supervisor, f"open({str(tmp_path / 'written')!r}, 'w').close(); print('ready', flush=True)")
    wait_for(tmp_path / "child.log", "ready")
    assert {(tmp_path / name).stat().st_mode & 0o077 for name in ("written", "child.log")} == {0}


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
