"""What the build server does: nothing real and no secret on a push; real services by hand and by the calendar."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import may_be_real

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"


def workflow(name: str) -> tuple[str, dict[str, Any]]:
    """The text, and what it says."""
    text = (WORKFLOWS / name).read_text("utf-8")
    return text, yaml.safe_load(text)


def when(tree: dict[Any, Any]) -> set[str]:
    return set(tree[True])  # YAML 1.1 reads the key `on` as true


def steps(tree: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in tree["jobs"].values() for step in job["steps"]]


def commands(tree: dict[str, Any]) -> list[str]:
    return [str(step["run"]) for step in steps(tree) if "run" in step]


def test_pushes_and_pull_requests_ask_nothing_real_and_see_no_secret() -> None:
    text, tree = workflow("test.yml")
    assert when(tree) == {"push", "pull_request"}
    assert tree["env"]["ALLOW_REAL"] == "0"
    assert "secrets." not in text


def test_pushes_run_the_test_command_of_the_readme_on_every_python_the_package_names() -> None:
    _, tree = workflow("test.yml")
    jobs = tree["jobs"]
    assert "$ make test\n" in (ROOT / "README.md").read_text("utf-8")
    assert "make test" in [step.get("run") for step in jobs["linux"]["steps"]]
    assert "make check" in [step.get("run") for step in jobs["check"]["steps"]]
    (checked,) = (
        step["with"]["python-version"] for step in jobs["check"]["steps"] if "setup-python" in step.get("uses", "")
    )
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    named = [line.rpartition(" ")[2] for line in classifiers if line.startswith("Programming Language :: Python :: 3.")]
    assert [checked, *jobs["linux"]["strategy"]["matrix"]["python"]] == named
    assert jobs["macos"]["runs-on"].startswith("macos")


def test_no_test_of_a_push_skips_for_want_of_a_program_that_the_build_server_installs() -> None:
    _, tree = workflow("test.yml")
    entry = (ROOT / ".ci" / "run").read_text("utf-8")
    wanted = {name for words in re.findall(r'missing="([^"]+)"', entry) for name in words.split() if name != "$missing"}
    [installed] = (step["run"] for step in tree["jobs"]["check"]["steps"] if "apt-get install" in step.get("run", ""))
    assert "pgbouncer" in wanted
    assert wanted - set(installed.split()) == {"chromium"}, "Chrome is on the machines of GitHub"


def test_real_services_are_asked_by_hand_and_by_the_calendar_and_the_result_is_told() -> None:
    text, tree = workflow("real.yml")
    assert when(tree) == {"workflow_dispatch", "schedule"}
    (job,) = tree["jobs"].values()
    assert job["env"]["ALLOW_REAL"] == "1"
    assert "make real" in text
    last = job["steps"][-1]
    assert last["if"] == "always()"
    assert "SLACK_WEBHOOK_URL" in last["env"]["WEBHOOK"]


@pytest.mark.parametrize("name", ["test.yml", "real.yml"])
def test_workflows_may_read_the_code_and_no_more(name: str) -> None:
    _, tree = workflow(name)
    assert tree["permissions"] == {"contents": "read"}
    assert [name for name, job in tree["jobs"].items() if job["timeout-minutes"] > 30] == []
    assert "${{ inputs." not in "".join(commands(tree)), "inputs are data, not code"


@pytest.mark.parametrize("name", ["test.yml", "real.yml"])
def test_packages_that_get_tokens_are_pinned(name: str) -> None:
    _, tree = workflow(name)
    packages = [word for command in commands(tree) for word in command.split() if "mcp-server" in word]
    assert [package for package in packages if "@" not in package] == []


def test_a_release_publishes_the_section_of_the_changelog_for_the_version_of_the_package() -> None:
    _, tree = workflow("release.yml")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    (notes,) = (command for command in commands(tree) if "CHANGELOG.md" in command)
    done = subprocess.run(
        ["sh", "-euc", notes.replace("dist/NOTES.md", "/dev/stdout").splitlines()[0]],
        cwd=ROOT, env={**os.environ, "GITHUB_REF_NAME": f"v{version}"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "### Added" in done.stdout
    assert "## [" not in done.stdout
    assert any("--notes-file dist/NOTES.md" in command for command in commands(tree))


@pytest.mark.parametrize(("only_mock", "allowed"), [(False, None), (False, "0"), (False, "true"), (True, "1")])
def test_real_services_are_asked_with_permission_and_never_with_mock(only_mock: bool, allowed: str | None) -> None:
    assert not may_be_real(only_mock, allowed)
    assert may_be_real(only_mock=False, allowed="1")
