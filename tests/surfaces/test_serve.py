"""Every part of `up` alone: it answers where it was told to, keeps strangers out, and leaves nothing behind."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psutil
import pytest
import yaml

from locator_search.adapters.postgres.server.address import dagster_url
from locator_search.cli.up.local_servers import LocalServer
from tests.builders.page_server import free_test_port, wait_until_it_answers
from tests.builders.waiting import wait_until

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.dagster_tables


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> dict[str, str]:
    return {"DATABASE_URL": database_url, "LOCATOR_HOME": str(tmp_path / "home"), "LOCATOR_LANGUAGE": "en"}


def serving(settings: dict[str, str], folder: Path, *words: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A part in a process of its own, whose output stands in `serve.log`."""
    return running(settings, folder, [sys.executable, "-m", "locator_search.cli.main", "serve", *words])


@contextmanager
def running(settings: dict[str, str], folder: Path, command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / "serve.log").open("wb") as log:
        part = subprocess.Popen(command, cwd=folder, env={**os.environ, **settings}, stdout=log, stderr=log)
    try:
        yield part
    finally:
        part.terminate()
        part.wait(100)


def daemons(part: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return [child for child in psutil.Process(part.pid).children() if "dagster._daemon" in child.cmdline()]


def test_a_second_daemon_of_a_database_waits_and_takes_over(settings: dict[str, str], tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with serving(settings, folders[0], "daemon") as first:
        wait_until(lambda: bool(daemons(first)))
        elsewhere = {**settings, "LOCATOR_HOME": str(tmp_path / "another home")}
        with serving(elsewhere, folders[1], "daemon") as second:
            wait_until(lambda: "A daemon runs for this database already" in (folders[1] / "serve.log").read_text())
            assert daemons(second) == []
            first.terminate()
            wait_until(lambda: bool(daemons(second)))
            assert first.poll() == 0, "the first one ends before the second one starts"


def test_the_daemon_of_dagsters_chart_waits_too_and_keeps_the_files_of_the_chart(
    settings: dict[str, str], database_url: str, tmp_path: Path
) -> None:
    chart, ours = tmp_path / "chart", tmp_path / "ours"
    ours.mkdir()
    chart.mkdir()
    records = {"storage": {"postgres": {"postgres_url": {"env": "RECORDS_OF_THE_CHART"}}}}
    (chart / "dagster.yaml").write_text(yaml.safe_dump(records))
    workspace = chart / "workspace.yaml"
    workspace.write_text((ROOT / "workspace.yaml").read_text())
    pod = {
        **settings,
        "LOCATOR_HOME": str(tmp_path / "home of the image"),
        "PATH": os.pathsep.join([str(ROOT / "deploy"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "DAGSTER_HOME": str(chart),
        "RECORDS_OF_THE_CHART": dagster_url(database_url),
    }
    with serving(settings, ours, "daemon") as first:
        wait_until(lambda: bool(daemons(first)))
        with running(pod, chart, ["/bin/sh", "-c", f"exec dagster-daemon run -w {workspace}"]) as second:
            wait_until(lambda: "A daemon runs for this database already" in (chart / "serve.log").read_text())
            assert daemons(second) == []
            first.terminate()
            wait_until(lambda: bool(daemons(second)))
            [daemon] = daemons(second)
            assert daemon.environ()["DAGSTER_HOME"] == str(chart)
            assert daemon.cmdline()[-2:] == ["-w", str(workspace)]
            wait_until(lambda: "Instance is configured with the following daemons" in (chart / "serve.log").read_text())


def test_other_words_of_the_charts_daemon_are_dagsters_own(tmp_path: Path) -> None:
    found = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = str(ROOT / "deploy" / "dagster-daemon")
    result = subprocess.run(
        [program, "liveness-check", "--help"],
        env={**os.environ, "PATH": found},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (result.returncode, "heartbeat" in result.stdout) == (0, True), result.stderr


def refused(settings: dict[str, str], folder: Path, *words: str) -> str:
    """What a command that refuses its options says."""
    command = [sys.executable, "-m", "locator_search.cli.main", *words]
    result = subprocess.run(
        command, cwd=folder, env={**os.environ, **settings}, capture_output=True, text=True, timeout=200, check=False
    )
    assert result.returncode == 2, result.stderr
    return result.stderr


def probed(port: int, path: str) -> tuple[int, dict[str, str]]:
    """The answer to a probe that knows no name of ours."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=100)
    connection.request("GET", path, headers={"Host": f"10.0.0.7:{port}"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


@pytest.mark.parametrize(("name", "path"), [("page", "/_stcore/health"), ("dagster", "/server_info")])
def test_a_server_alone_answers_at_the_port_it_was_given_and_ends_with_all_it_started(
    name: str, path: str, settings: dict[str, str], tmp_path: Path
) -> None:
    port = free_test_port()
    with serving(settings, tmp_path, name, "--port", str(port)) as part:
        wait_until_it_answers(part, f"http://127.0.0.1:{port}{path}")
        assert probed(port, "/healthz") == (200, {"status": "alive"})
        assert probed(port, "/readyz") == (200, {"status": "ready", "database": "reachable", "schema": "current"})
        family = psutil.Process(part.pid).children(recursive=True)
        assert family
        part.send_signal(signal.SIGTERM)
        assert part.wait(100) == 0, (tmp_path / "serve.log").read_text()
    _, alive = psutil.wait_procs(family, timeout=60)
    assert alive == []


def test_a_code_server_alone_serves_the_assets(settings: dict[str, str], tmp_path: Path) -> None:
    port = free_test_port()
    with serving(settings, tmp_path, "code-server", "--port", str(port)) as part:
        check = [sys.executable, "-m", "dagster", "api", "grpc-health-check", "-p", str(port)]
        while subprocess.run(check, capture_output=True, timeout=200, check=False).returncode != 0:
            assert part.poll() is None, (tmp_path / "serve.log").read_text()


def test_a_part_that_dies_ends_its_command(settings: dict[str, str], tmp_path: Path) -> None:
    port = free_test_port()
    with serving(settings, tmp_path, "page", "--port", str(port)) as part:
        wait_until_it_answers(part, f"http://127.0.0.1:{port}/_stcore/health")
        for child in psutil.Process(part.pid).children():
            child.kill()
        assert part.wait(100) == 1


@pytest.mark.parametrize("words", [("up", "--no-browser"), ("serve", "page"), ("serve", "dagster")])
def test_no_server_opens_to_the_network_without_sign_in(
    words: tuple[str, ...], settings: dict[str, str], tmp_path: Path
) -> None:
    message = refused(settings, tmp_path, *words, "--host", "0.0.0.0")
    assert "open to everybody on the network (0.0.0.0)" in message
    assert len(message.splitlines()) == 2


@pytest.mark.parametrize(
    "words", [("up", "--no-browser"), ("serve", "page"), ("serve", "dagster"), ("mcp", "--http", "--port", "0")]
)
@pytest.mark.parametrize("named", [{"LOCATOR_ALLOWED_USERS": "example.com"}, {"LOCATOR_PERMISSIONS": "1"}])
def test_nothing_is_served_without_sign_in_where_settings_name_people(
    words: tuple[str, ...], named: dict[str, str], settings: dict[str, str], tmp_path: Path
) -> None:
    message = refused({**settings, **named}, tmp_path, *words)
    assert f"{next(iter(named))} " in message
    assert "sign-in" in message
    assert "[auth]" in message
    assert len(message.splitlines()) == 2


@pytest.mark.parametrize("words", [("serve", "page"), ("serve", "dagster")])
def test_a_section_of_the_sign_in_with_a_mistyped_name_is_refused(
    words: tuple[str, ...], settings: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text('[auht]\ncookie_secret = "0123456789"\n')
    assert "stand in secrets.toml under auht" in refused(settings, tmp_path, *words)


@pytest.mark.parametrize(
    "words",
    [("up", "--port"), ("up", "--dagster-port"), ("serve", "page", "--port"), ("serve", "code-server", "--port")],
)
def test_a_port_that_was_named_and_is_taken_is_not_replaced_by_another(
    words: tuple[str, ...], settings: dict[str, str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refused(settings, tmp_path, *words, str(port))
    assert f"Port {port} of 127.0.0.1 cannot be listened on." in message


def test_a_server_on_all_addresses_is_reached_on_this_machine() -> None:
    assert LocalServer("0.0.0.0", 8501, "/").url == "http://127.0.0.1:8501"
    assert LocalServer("::", 8501, "/").url == "http://[::1]:8501"
    assert LocalServer("192.0.2.7", 8501, "/").url == "http://192.0.2.7:8501"
