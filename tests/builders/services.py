"""Configurations of live services for tests, and gateways over them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from locator_search.adapters.mcp_services import DEFAULT_SERVERS, McpServiceGateway, open_gateway
from locator_search.adapters.mcp_services.configuration import load_servers
from locator_search.config.settings import Settings
from locator_search.model import SearchReply, ServiceQuery
from tests.fakes.sign_ins import MemorySignIns

PROGRAM = Path(__file__).parents[1] / "fakes" / "scripted_mcp_server.py"
PATIENT = {"start_seconds": 120, "search_seconds": 120, "fetch_seconds": 120}
"""Where time limits are not what a test is about."""


def patient_servers(folder: Path, **more: Any) -> Path:
    """The servers.yaml of the product, and services beside its own, with time limits that a slow machine keeps."""
    content = yaml.safe_load(DEFAULT_SERVERS.read_text("utf-8"))
    services = {name: {**entry, "limits": PATIENT} for name, entry in {**content["servers"], **more}.items()}
    return _written(folder, {**content, "question_seconds": 200, "patience_seconds": 200, "servers": services})


def played(name: str) -> dict[str, Any]:
    """A service as the product describes it, played by the program of its mock: to the host it is real."""
    entry = load_servers().servers[name].model_dump(exclude_unset=True)
    return {**entry, "transport": entry["mock"], "credentials": []}


def scripted(start: str = "well", *words: str, **changes: Any) -> dict[str, Any]:
    """A service behind the scripted server."""
    return {
        "label": "Scripted",
        "transport": {"command": sys.executable, "args": ["-I", "-S", str(PROGRAM), start, *words]},
        "searches": {
            "thing": {
                "tool": "search",
                "args": {"query": "{{ query }}", "limit": "{{ max_results }}"},
                "syntax": {"tool_description": True},
                "result": {
                    "format": "json",
                    "items": "results",
                    "title": "{{ item.title }}",
                    "uri": "{{ item.url | default('') }}",
                },
            }
        },
        "fetch": {"thing": {"tool": "read", "args": {"id": "{{ item.id }}"}}},
        **changes,
    }


def servers_file(folder: Path, services: dict[str, Any], **top: Any) -> Path:
    """A servers.yaml with these services."""
    content = {
        "version": 1,
        "question_seconds": 200,
        "patience_seconds": 200,
        "defaults": PATIENT,
        "servers": services,
        **top,
    }
    return _written(folder, content)


def _written(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "servers.yaml"
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), "utf-8")
    return path


@contextmanager
def opened(folder: Path, services: dict[str, Any], **top: Any) -> Iterator[McpServiceGateway]:
    """A gateway over these services, with settings of nobody."""
    path = servers_file(folder, services, **top)
    gateway = open_gateway(
        Settings(locator_servers=path, locator_home=folder / "home", allow_real=None), MemorySignIns()
    )
    try:
        yield gateway
    finally:
        gateway.close()


def allow(gateway: McpServiceGateway, service: str, **seconds: float) -> None:
    """Other time limits for a service from now on."""
    server = gateway._servers[service]
    server.limits = server.limits.model_copy(update=seconds)


def ask(gateway: McpServiceGateway, **queries: str) -> dict[str, SearchReply]:
    """One query for each service, by name; replies by name."""
    asked = [ServiceQuery(name, "thing", query) for name, query in queries.items()]
    return {reply.query.service: reply for reply in gateway.search(asked)}
