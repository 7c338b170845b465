"""Configurations of live services for tests, and gateways over them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from locator_search.adapters.mcp_services import McpServiceGateway, open_gateway
from locator_search.model import SearchReply, ServiceQuery
from locator_search.settings import Settings

PROGRAM = Path(__file__).parents[1] / "fakes" / "scripted_mcp_server.py"
QUICK = {"start_seconds": 5, "search_seconds": 2, "fetch_seconds": 2}
"""Of one call; machines are busy."""


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
    path = folder / "servers.yaml"
    content = {
        "version": 1,
        "question_seconds": 6,
        "patience_seconds": 30,
        "defaults": QUICK,
        "servers": services,
        **top,
    }
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), "utf-8")
    return path


@contextmanager
def opened(folder: Path, services: dict[str, Any], **top: Any) -> Iterator[McpServiceGateway]:
    """A gateway over these services, with settings of nobody."""
    path = servers_file(folder, services, **top)
    gateway = open_gateway(Settings(locator_servers=path, locator_home=folder / "home", allow_real=None))
    try:
        yield gateway
    finally:
        gateway.close()


def ask(gateway: McpServiceGateway, **queries: str) -> dict[str, SearchReply]:
    """One query for each service, by name; replies by name."""
    asked = [ServiceQuery(name, "thing", query) for name, query in queries.items()]
    return {reply.query.service: reply for reply in gateway.search(asked)}
