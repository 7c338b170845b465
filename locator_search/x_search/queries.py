"""Turns a model's proposals into the queries of a session: valid, distinct, at least six. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from locator_search.core.errors import BadModelOutput
from locator_search.x_search.query_syntax import checked, identity

FEWEST_QUERIES = 6
MOST_QUERIES = 8
MOST_TRIES = 3
"""The number of times a model is asked for queries."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The queries that can be sent, and why others cannot."""

    queries: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Whether there are as many as the design asks for."""
        return len(self.queries) >= FEWEST_QUERIES


def enough_queries(propose: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    """The queries of a session, out of what `propose` writes; it is told what was wrong with those before, "" at first.

    Raises BadModelOutput when it does not come up with six.
    """
    problem = ""
    for _ in range(MOST_TRIES):
        proposal = accepted(propose(problem))
        if proposal.enough:
            return proposal.queries
        problem = "; ".join((f"only {len(proposal.queries)} can be used", *proposal.problems))[:1_000]
    raise BadModelOutput(
        f"The model did not come up with {FEWEST_QUERIES} distinct queries: {problem}.",
        hint="Say the question otherwise, or choose another model.",
    )


def accepted(proposed: Sequence[str]) -> Proposal:
    """The valid and distinct ones, at most MOST_QUERIES, in their order."""
    queries: dict[frozenset[str], str] = {}
    problems: list[str] = []
    for text in proposed:
        query, problem = checked(text)
        if problem:
            problems.append(f"{query[:80]}: {problem}")
        elif identity(query) in queries:
            problems.append(f"{query[:80]}: the same as another one")
        else:
            queries[identity(query)] = query
    return Proposal(tuple(queries.values())[:MOST_QUERIES], tuple(problems))
