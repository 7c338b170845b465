"""The tasks over a file or a question: summaries, keywords, what a search asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from locator_search.adapters.offline.inputs import items_of, numbers_of, text_of, texts_of
from locator_search.adapters.offline.keywords import document_keywords, question_keywords, without_the_vaguest
from locator_search.adapters.offline.search_tasks import narrowing_question, ranked_ids, rewritten
from locator_search.adapters.offline.summary import summarise
from locator_search.ports import Prompt


def _summarise(prompt: Prompt[Any]) -> dict[str, object]:
    text = text_of(prompt.inputs, "text")
    return {"summary": summarise(text, prompt.max_length), "keywords": document_keywords(text)}


def _search_keywords(prompt: Prompt[Any]) -> dict[str, object]:
    return {"keywords": question_keywords(text_of(prompt.inputs, "question"))}


def _narrowing_question(prompt: Prompt[Any]) -> dict[str, object]:
    question, facet = text_of(prompt.inputs, "question"), text_of(prompt.inputs, "facet")
    return {"question": narrowing_question(question, facet, prompt.language, prompt.max_length)}


def _rerank(prompt: Prompt[Any]) -> dict[str, object]:
    files = [file for file in items_of(prompt.inputs, "files") if isinstance(file, Mapping)]
    return {"file_ids": ranked_ids(text_of(prompt.inputs, "question"), files)}


def _rewrite(prompt: Prompt[Any]) -> dict[str, object]:
    query, keywords = rewritten(
        text_of(prompt.inputs, "question"), texts_of(prompt.inputs, "keywords"), texts_of(prompt.inputs, "summaries")
    )
    return {"query": query, "keywords": keywords}


def _relax(prompt: Prompt[Any]) -> dict[str, object]:
    return {"keywords": without_the_vaguest(texts_of(prompt.inputs, "keywords"), numbers_of(prompt.inputs, "telling"))}


TASKS: Mapping[str, Callable[[Prompt[Any]], dict[str, object]]] = {
    "summarise": _summarise,
    "search_keywords": _search_keywords,
    "narrowing_question": _narrowing_question,
    "rerank": _rerank,
    "rewrite": _rewrite,
    "relax": _relax,
}
