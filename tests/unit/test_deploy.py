"""The files of `deploy/` name commands, settings, ports and paths that exist. No container is built here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from locator_search.cli.main import app
from locator_search.cli.up import local_servers
from locator_search.config.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
PARTS = {name: part for name, part in COMPOSE["services"].items() if part["image"] == "document-locator"}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_runs_a_command_of_ours_with_its_options(name: str) -> None:
    command: Any = typer.main.get_command(app)
    words = list(PARTS[name]["command"])
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands"), "a group is no command"
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_given_settings_that_exist(name: str) -> None:
    assert set(PARTS[name]["environment"]) <= {field.upper() for field in Settings.model_fields}


def test_everything_that_is_copied_into_the_image_exists_and_the_package_is_whole() -> None:
    copied = {
        path for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE) for path in line.split()
    }
    assert [path for path in copied if not (ROOT / path).exists()] == []
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    included = re.findall(r'^"(\S+)" = "locator_search/_bundled/', project, re.MULTILINE)
    assert {*included, "locator_search", "locator_assets", "streamlit_app"} <= copied


def test_the_image_runs_as_nobody_in_particular_and_installs_only_what_the_hashes_admit() -> None:
    final = DOCKERFILE.split("\nFROM ")[-1]
    assert "\nUSER locator\n" in final
    assert re.findall(r"apt|pip|gcc", final) == []
    for installs in re.findall(r"^RUN .*pip install (.*)$", DOCKERFILE, re.MULTILINE):
        assert "--require-hashes" in installs or "--no-deps --no-build-isolation" in installs


def test_the_ports_are_those_of_the_commands_and_only_the_proxy_is_reached_from_outside() -> None:
    workspace = yaml.safe_load((ROOT / "deploy" / "workspace.yaml").read_text("utf-8"))
    [location] = workspace["load_from"]
    assert (location["grpc_server"]["host"], location["grpc_server"]["port"]) == (
        "code-server",
        local_servers.CODE_SERVER_PORT,
    )
    proxied = dict(re.findall(r" ([a-z0-9-]+):(\d+)", (ROOT / "deploy" / "Caddyfile").read_text("utf-8")))
    page, dagster = str(local_servers.PAGE_PORT), str(local_servers.DAGSTER_PORT)
    assert proxied == {"page-1": page, "page-2": page, "dagster": dagster}
    assert {*proxied, "code-server"} <= set(COMPOSE["services"])
    assert [name for name, part in COMPOSE["services"].items() if "ports" in part] == ["proxy"]
