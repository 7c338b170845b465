"""A chat model without a model: each task is answered by rules over the words of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from locator_search.core.computing import COMPUTING
from locator_search.core.errors import BadModelOutput
from locator_search.ports import Answer, Prompt

if TYPE_CHECKING:
    from locator_search.adapters.offline.analysis import ClaimsOf

_LONGEST_INPUT = 100_000
"""Characters of one input that are looked at; the rules need time in proportion to it."""


class OfflineChatModel:
    """A `ChatModel` that needs no key and no network. It answers the tasks of `answers.py` and never fails on
    what a file or a person wrote."""

    model_name = "offline-extractive-1"

    def answer(self, prompt: Prompt[Answer]) -> Answer:
        """The answer to one task. Raises BadModelOutput for a task it does not know."""
        task = _TASKS.get(prompt.task)
        if task is None:
            raise BadModelOutput(f"The offline model knows no task called {prompt.task!r}.")
        try:
            return prompt.output_model.model_validate(task(prompt))
        except ValidationError as error:
            raise BadModelOutput(f"The offline model's answer to {prompt.task!r} does not fit its schema.") from error


def _summarise(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.keywords import document_keywords
    from locator_search.adapters.offline.summary import summarise

    text = _text(prompt.inputs, "text")
    with COMPUTING:
        return {"summary": summarise(text, prompt.max_length), "keywords": document_keywords(text)}


def _search_keywords(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.keywords import question_keywords

    return {"keywords": question_keywords(_text(prompt.inputs, "question"))}


def _narrowing_question(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.search_tasks import narrowing_question

    question, facet = _text(prompt.inputs, "question"), _text(prompt.inputs, "facet")
    return {"question": narrowing_question(question, facet, prompt.language, prompt.max_length)}


def _rerank(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.search_tasks import ranked_ids

    files = [file for file in _items(prompt.inputs, "files") if isinstance(file, Mapping)]
    return {"file_ids": ranked_ids(_text(prompt.inputs, "question"), files)}


def _rewrite(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.search_tasks import rewritten

    query, keywords = rewritten(
        _text(prompt.inputs, "question"), _texts(prompt.inputs, "keywords"), _texts(prompt.inputs, "summaries")
    )
    return {"query": query, "keywords": keywords}


def _relax(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.keywords import without_the_vaguest

    return {"keywords": without_the_vaguest(_texts(prompt.inputs, "keywords"), _numbers(prompt.inputs, "telling"))}


def _analyse_contribution(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.analysis import claims_of_one

    return _claims(prompt, claims_of_one)


def _compare_contributions(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.analysis import claims_of_several

    return _claims(prompt, claims_of_several)


def _compare_revisions(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.analysis import claims_of_revisions

    return _claims(prompt, claims_of_revisions)


def _claims(prompt: Prompt[Answer], claims_of: ClaimsOf) -> dict[str, object]:
    from locator_search.adapters.offline.analysis import answers

    evidence, question = _cards(prompt, "evidence"), _text(prompt.inputs, "question")
    asked = answers(question, evidence) if question else []
    covers = prompt.inputs.get("covers")
    known = covers if isinstance(covers, Mapping) else {}
    return {"claims": [*asked, *claims_of(evidence, _cards(prompt, "changes"), known, prompt.language)][:40]}


def _more_evidence(_prompt: Prompt[Answer]) -> dict[str, object]:
    return {"calls": []}


def _live_queries(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.live_queries import live_queries

    searches = [one for one in _items(prompt.inputs, "searches") if isinstance(one, Mapping)]
    return dict(live_queries(_text(prompt.inputs, "question"), searches))


def _live_answer(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.live_answer import live_answer

    return {"answer": live_answer(_text(prompt.inputs, "question"), _cards(prompt, "evidence"), prompt.language)}


def _x_queries(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.posts import post_queries

    return {"queries": post_queries(_text(prompt.inputs, "question"), prompt.language)}


def _x_answer(prompt: Prompt[Answer]) -> dict[str, object]:
    from locator_search.adapters.offline.posts import post_answer, post_positions

    question, posts = _text(prompt.inputs, "question"), _cards(prompt, "posts")
    return {
        "sentences": post_answer(question, posts, prompt.language),
        "positions": post_positions(posts, prompt.language),
    }


_TASKS: dict[str, Callable[[Prompt[Answer]], dict[str, object]]] = {
    "analyse_contribution": _analyse_contribution,
    "compare_contributions": _compare_contributions,
    "compare_revisions": _compare_revisions,
    "live_answer": _live_answer,
    "live_queries": _live_queries,
    "more_evidence": _more_evidence,
    "summarise": _summarise,
    "search_keywords": _search_keywords,
    "narrowing_question": _narrowing_question,
    "rerank": _rerank,
    "rewrite": _rewrite,
    "relax": _relax,
    "x_queries": _x_queries,
    "x_answer": _x_answer,
}


def _cards(prompt: Prompt[Answer], name: str) -> list[Mapping[str, Any]]:
    return [card for card in _items(prompt.inputs, name) if isinstance(card, Mapping)]


def _text(inputs: Mapping[str, object], name: str) -> str:
    value = inputs.get(name)
    return "" if value is None else str(value)[:_LONGEST_INPUT]


def _items(inputs: Mapping[str, object], name: str) -> list[object]:
    value = inputs.get(name)
    return list(value) if isinstance(value, (list, tuple)) else []


def _numbers(inputs: Mapping[str, object], name: str) -> list[float]:
    return [item for item in _items(inputs, name) if isinstance(item, (int, float))]


def _texts(inputs: Mapping[str, object], name: str) -> list[str]:
    return [str(item)[:_LONGEST_INPUT] for item in _items(inputs, name)]
