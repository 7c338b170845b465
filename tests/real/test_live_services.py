"""Real Drive, Slack and GitHub, three hits each at most: `ALLOW_REAL=1 pytest -m real`, with keys in the environment.

Fixed data of one's own: LIVE_TEST_QUERY is a word that occurs in a document, a message and an issue made for this.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator

import pytest

from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings_to_ask_live
from locator_search.model import Service, ServiceQuery

pytestmark = pytest.mark.real

QUERY = os.environ.get("LIVE_TEST_QUERY", "test")


@pytest.fixture(scope="module")
def locator() -> Iterator[Locator]:
    with open_locator(load_settings_to_ask_live()) as opened:
        yield opened


@pytest.fixture
def service(locator: Locator, request: pytest.FixtureRequest) -> Service:
    """One service, if its keys are there."""
    found = next(one for one in locator.live.gateway.services() if one.name == request.param)
    if found.missing:
        reason = f"{', '.join(found.missing)} not set"
        warnings.warn(f"{found.label} was left out: {reason}", stacklevel=1)
        pytest.skip(reason)
    return found


@pytest.mark.parametrize("service", ["drive", "slack", "github"], indirect=True)
def test_a_service_finds_at_most_three_things_with_links_and_reads_them(locator: Locator, service: Service) -> None:
    assert service.failure is None, service.failure
    replies = locator.live.gateway.search(
        [ServiceQuery(service.name, search.kind, QUERY) for search in service.searches]
    )
    assert [reply.failure for reply in replies] == [None] * len(replies)
    hits = [hit for reply in replies for hit in reply.hits[:3]]
    assert hits, f"LIVE_TEST_QUERY={QUERY} finds nothing"
    assert all(hit.uri.startswith("https://") for hit in hits)
    assert any(body.text for body in locator.live.gateway.fetch(hits[:3]))


def test_one_question_is_answered_by_a_real_model_with_citations(locator: Locator) -> None:
    if not locator.settings.uses_openai:
        warnings.warn("The question was not asked: OPENAI_API_KEY is not set", stacklevel=1)
        pytest.skip("OPENAI_API_KEY not set")
    outcome = locator.live.search().ask(QUERY)
    assert len(outcome.evidence) <= 9
    assert not outcome.evidence or any(one.cited for one in outcome.evidence)
    assert outcome.usage.tokens <= 12_000
