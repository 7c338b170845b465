"""An X search as a flow: read `search_posts` from top to bottom, it is the specification's six phases."""

from __future__ import annotations

from dataclasses import dataclass

from locator_search.core.errors import BadModelOutput
from locator_search.core.flow import Flow, Steps, perform
from locator_search.x_search.budget import next_page
from locator_search.x_search.effects import (
    CloseQueries,
    EmbedPosts,
    Enter,
    FetchPage,
    KeepQueries,
    LookAtQueries,
    RankPosts,
    RerankPosts,
    SaveScores,
    Searching,
    WriteAnswer,
    WriteQueries,
)
from locator_search.x_search.queries import FEWEST_QUERIES, accepted

MOST_TRIES = 3
"""So often is a model asked for queries."""


@dataclass(frozen=True, slots=True)
class XSearchInputs:
    """Everything one session depends on."""

    question: str
    page_size: int


def search_posts(inputs: XSearchInputs) -> Steps[None]:
    """The whole session. Raises BadModelOutput when a model does not come up with six queries."""
    yield from perform(Enter("query_generation"))
    searching = yield from _queries(inputs.question)

    yield from perform(Enter("searching"))
    while wanted := next_page(searching.queries, inputs.page_size, searching.affordable):
        searching = yield from perform(FetchPage(wanted))
    yield from perform(CloseQueries())

    yield from perform(Enter("embedding"))
    while (yield from perform(EmbedPosts())):
        pass

    yield from perform(Enter("ranking"))
    found = yield from perform(RankPosts(inputs.question))

    yield from perform(Enter("reranking"))
    if found:
        yield from perform(RerankPosts(inputs.question))

    yield from perform(Enter("saving"))
    yield from perform(SaveScores())
    yield from perform(WriteAnswer(inputs.question))


X_SEARCH = Flow("x_search", "1", XSearchInputs, search_posts)


def _queries(question: str) -> Steps[Searching]:
    searching = yield from perform(LookAtQueries())
    if searching.queries:
        return searching
    problem = ""
    for _ in range(MOST_TRIES):
        proposal = accepted((yield from perform(WriteQueries(question, problem))))
        if proposal.enough:
            return (yield from perform(KeepQueries(proposal.queries)))
        problem = "; ".join((f"only {len(proposal.queries)} can be used", *proposal.problems))[:1_000]
    raise BadModelOutput(
        f"The model did not come up with {FEWEST_QUERIES} distinct queries: {problem}.",
        hint="Say the question otherwise, or choose another model.",
    )
