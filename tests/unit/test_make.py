"""The Makefile and the build server's entry: what the README promises about them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MAKE = shutil.which("make")

needs_make = pytest.mark.skipif(MAKE is None, reason="make is not installed")


def make(*words: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(MAKE), *words],
        cwd=folder,
        env={**os.environ, "MAKEFLAGS": "", **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


@needs_make
def test_a_machine_without_a_new_enough_python_is_told_what_to_do(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).touch()
    result = make("run", folder=tmp_path, PATH="")
    assert result.returncode == 2
    assert "Python 3.11 or newer" in result.stderr
    assert "PYTHON=" in result.stderr


@needs_make
def test_a_second_run_installs_nothing(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.lock", "pyproject.toml", ".venv/bin/python", ".venv/.runtime-installed"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    planned = make("--dry-run", "run", folder=tmp_path).stdout
    assert "document-locator up" in planned
    assert "pip" not in planned


@needs_make
@pytest.mark.parametrize(("second", "code"), [(0, 0), (1, 2)])
def test_what_fails_in_the_crowd_runs_again_alone_and_that_run_counts(tmp_path: Path, second: int, code: int) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml", ".venv/bin/python"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    python = tmp_path / ".venv/bin/python"
    python.write_text(f'#!/bin/sh\necho "$@" >> asked\ncase "$*" in *--last-failed*) exit {second} ;; esac\nexit 1\n')
    python.chmod(0o755)
    for name in (".runtime-installed", ".dev-installed"):
        (tmp_path / ".venv" / name).touch()
    assert make("test", folder=tmp_path).returncode == code
    first, again = (tmp_path / "asked").read_text().splitlines()
    assert "--numprocesses" in first
    assert "--last-failed" in again
    assert "--numprocesses" not in again


@needs_make
def test_help_names_the_targets_people_need() -> None:
    text = make("help").stdout
    for target in ("run", "test", "check", "format", "lock", "samples", "wheel", "clean"):
        assert f"make {target} " in text


def test_the_build_server_runs_the_test_command_of_the_readme() -> None:
    entry = ROOT / ".ci" / "run"
    assert os.access(entry, os.X_OK)
    subprocess.run(["sh", "-n", entry], check=True)
    assert entry.read_text("utf-8").rstrip().splitlines()[-1] == "exec make test </dev/null"
    assert "$ make test\n" in (ROOT / "README.md").read_text("utf-8")


def test_every_make_target_of_a_workflow_or_hook_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    written = [*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / ".pre-commit-config.yaml"]
    for path in written:
        text = path.read_text("utf-8")
        assert yaml.safe_load(text), path.name
        assert set(re.findall(r"\bmake (?:--silent )?([a-z-]+)", text)) <= targets, path.name


def test_a_release_is_what_a_commit_must_pass_and_the_wheel() -> None:
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))["jobs"]["build"][
        "steps"
    ]
    assert [step["run"] for step in steps if str(step.get("run", "")).startswith("make")] == [
        "make check",
        "make wheel",
    ]
