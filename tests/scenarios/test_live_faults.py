"""Fifty questions with known targets while one of seven things is out of order: each gets an answer in time, with
what the healthy services have."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from locator_search.adapters.mcp_services import McpServiceGateway
from tests.builders.live_questions import FIRST_HALF, FURTHER, SECOND_HALF
from tests.builders.services import PATIENT, opened
from tests.fakes.faulty_server import FAULTS, faulty_server
from tests.fakes.searchable_services import SERVICE_OF, offered
from tests.scenarios.test_live_deadlines import asking

ROOT = Path(__file__).parents[2]
QUESTIONS = [*FIRST_HALF, *SECOND_HALF, *FURTHER]
OF_A_SERVICE = ("hang", "die", "429", "nonsense", "huge")
OF_THE_MODEL = ("hangs", "a refused key")
SECONDS, MOST_SECONDS = 8.0, 60.0


class World:
    """Four services as processes, and what is out of order with each."""

    def __init__(self, folder: Path, gateway: McpServiceGateway) -> None:
        self.gateway = gateway
        self._folder = folder

    def breaks(self, service: str, fault: str) -> None:
        for name in SERVICE_OF:
            (self._folder / name).write_text(fault if name == service else "")
            self.gateway._servers[name]._starts.clear()  # as a minute after the last question


def described(folder: Path, name: str) -> dict[str, Any]:
    service = next(one for one in offered() if one.name == name)
    result = {"format": "json", "title": "{{ item.title }}", "uri": "{{ item.uri }}", "snippet": "{{ item.snippet }}"}
    return {
        "label": service.label,
        "transport": {
            "command": sys.executable,
            "args": ["-m", "tests.fakes.searchable_mcp_server", name, str(folder / name)],
            "cwd": str(ROOT),
        },
        "searches": {
            search.kind: {
                "tool": "search",
                "args": {"kind": search.kind, "query": "{{ query }}"},
                "understands_or": search.understands_or,
                "operators": dict(search.operators),
                "addresses": search.addresses,
                "result": result,
            }
            for search in service.searches
        },
        "fetch": {search.kind: {"tool": "read", "args": {"uri": "{{ item.uri }}"}} for search in service.searches},
    }


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("faults")
    limits = PATIENT | {"search_seconds": 2, "fetch_seconds": 2}
    with opened(folder, {name: described(folder, name) for name in SERVICE_OF}, defaults=limits) as gateway:
        opened_world = World(folder, gateway)
        opened_world.breaks("", "")
        gateway.services()
        yield opened_world


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.large) for part in range(1, 10))])
def test_each_is_answered_in_time_from_the_services_that_are_well(world: World, part: int) -> None:
    faults = [(name, fault) for fault in OF_A_SERVICE for name in ("drive", "slack", "github", "wiki")]
    missed = []
    for number in range(part, len(QUESTIONS), 10):
        question, target = QUESTIONS[number]
        kind = number % 7
        service = "" if kind >= len(OF_A_SERVICE) else faults[(number * 3 + kind) % len(faults)][0]
        world.breaks(service, OF_A_SERVICE[kind] if service else "")
        with ExitStack() as stack:
            model = stack.enter_context(faulty_server())
            model.faults = {"": FAULTS["drops the connection" if service else OF_THE_MODEL[kind - len(OF_A_SERVICE)]]}
            search = stack.enter_context(asking(world.gateway, model.url, SECONDS))
            began = monotonic()
            outcome = search.ask(question)
        assert monotonic() - began < MOST_SECONDS
        assert not [one for one in outcome.evidence if one.service == service], "what a broken service says is none"
        if not target.startswith(SERVICE_OF[service] if service else "-") and target not in {
            one.uri for one in outcome.evidence
        }:
            missed.append((question, service, OF_A_SERVICE[kind] if service else kind))
    assert missed == []
