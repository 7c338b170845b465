"""What the build server does: nothing real and no secret on a push; real services by hand and by the calendar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import may_be_real

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"


def workflow(name: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The text, when it runs, and its one job."""
    text = (WORKFLOWS / name).read_text("utf-8")
    tree = yaml.safe_load(text)
    (job,) = tree["jobs"].values()
    return text, tree[True], job  # YAML 1.1 reads the key `on` as true


def test_pushes_and_pull_requests_ask_nothing_real_and_see_no_secret() -> None:
    text, when, job = workflow("test.yml")
    assert set(when) == {"push", "pull_request"}
    assert job["env"]["ALLOW_REAL"] == "0"
    assert "secrets." not in text
    assert "make check" in text


def test_real_services_are_asked_by_hand_and_by_the_calendar_and_the_result_is_told() -> None:
    text, when, job = workflow("real.yml")
    assert set(when) == {"workflow_dispatch", "schedule"}
    assert job["env"]["ALLOW_REAL"] == "1"
    assert "make real" in text
    last = job["steps"][-1]
    assert last["if"] == "always()"
    assert "SLACK_WEBHOOK_URL" in last["env"]["WEBHOOK"]


@pytest.mark.parametrize("name", ["test.yml", "real.yml"])
def test_workflows_may_read_the_code_and_no_more(name: str) -> None:
    text, _, job = workflow(name)
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    assert job["timeout-minutes"] <= 30
    assert "${{ inputs." not in "".join(str(step.get("run", "")) for step in job["steps"]), "inputs are data, not code"


@pytest.mark.parametrize("name", ["test.yml", "real.yml"])
def test_workflows_run_what_the_makefile_has_and_what_gets_tokens_is_pinned(name: str) -> None:
    _, _, job = workflow(name)
    commands = [str(step["run"]) for step in job["steps"] if "run" in step]
    targets = [command.removeprefix("make ") for command in commands if command.startswith("make ")]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
    packages = [word for command in commands for word in command.split() if "mcp-server" in word]
    assert [package for package in packages if "@" not in package] == []


@pytest.mark.parametrize(("only_mock", "allowed"), [(False, None), (False, "0"), (False, "true"), (True, "1")])
def test_real_services_are_asked_with_permission_and_never_with_mock(only_mock: bool, allowed: str | None) -> None:
    assert not may_be_real(only_mock, allowed)
    assert may_be_real(only_mock=False, allowed="1")
