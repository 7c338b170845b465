"""Fixtures of scenarios with paid models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.model_office import Office, answer
from tests.fakes.openai_server import OpenAiServer, openai_server


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with openai_server() as started:
        started.handler = answer
        yield started


@pytest.fixture
def office(tmp_path: Path, database_url: str, server: OpenAiServer) -> Office:
    return Office(tmp_path, database_url, server)
