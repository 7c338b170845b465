"""The tasks over passages and posts that were found: claims, answers, and what to look for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from locator_search.adapters.offline.analysis import (
    ClaimsOf,
    answers,
    claims_of_one,
    claims_of_revisions,
    claims_of_several,
)
from locator_search.adapters.offline.inputs import cards_of, items_of, text_of
from locator_search.adapters.offline.live_answer import live_answer
from locator_search.adapters.offline.live_queries import live_queries
from locator_search.adapters.offline.posts import post_answer, post_positions, post_queries
from locator_search.ports import Prompt


def _analyse_contribution(prompt: Prompt[Any]) -> dict[str, object]:
    return _claims(prompt, claims_of_one)


def _compare_contributions(prompt: Prompt[Any]) -> dict[str, object]:
    return _claims(prompt, claims_of_several)


def _compare_revisions(prompt: Prompt[Any]) -> dict[str, object]:
    return _claims(prompt, claims_of_revisions)


def _claims(prompt: Prompt[Any], claims_of: ClaimsOf) -> dict[str, object]:
    evidence, question = cards_of(prompt.inputs, "evidence"), text_of(prompt.inputs, "question")
    asked = answers(question, evidence) if question else []
    covers = prompt.inputs.get("covers")
    known = covers if isinstance(covers, Mapping) else {}
    return {"claims": [*asked, *claims_of(evidence, cards_of(prompt.inputs, "changes"), known, prompt.language)][:40]}


def _more_evidence(_prompt: Prompt[Any]) -> dict[str, object]:
    return {"calls": []}


def _live_queries(prompt: Prompt[Any]) -> dict[str, object]:
    searches = [one for one in items_of(prompt.inputs, "searches") if isinstance(one, Mapping)]
    return dict(live_queries(text_of(prompt.inputs, "question"), searches))


def _live_answer(prompt: Prompt[Any]) -> dict[str, object]:
    return {
        "answer": live_answer(text_of(prompt.inputs, "question"), cards_of(prompt.inputs, "evidence"), prompt.language)
    }


def _x_queries(prompt: Prompt[Any]) -> dict[str, object]:
    return {"queries": post_queries(text_of(prompt.inputs, "question"), prompt.language)}


def _x_answer(prompt: Prompt[Any]) -> dict[str, object]:
    question, posts = text_of(prompt.inputs, "question"), cards_of(prompt.inputs, "posts")
    return {
        "sentences": post_answer(question, posts, prompt.language),
        "positions": post_positions(posts, prompt.language),
    }


TASKS: Mapping[str, Callable[[Prompt[Any]], dict[str, object]]] = {
    "analyse_contribution": _analyse_contribution,
    "compare_contributions": _compare_contributions,
    "compare_revisions": _compare_revisions,
    "more_evidence": _more_evidence,
    "live_queries": _live_queries,
    "live_answer": _live_answer,
    "x_queries": _x_queries,
    "x_answer": _x_answer,
}
