"""The steps of the search that a language model takes. Its answers are cut to size here and judged by `policy`.

Each step answers None when the model cannot: a search goes on without its help.
"""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from locator_search.drive_search import prompts
from locator_search.drive_search.effects import (
    ExtractKeywords,
    RelaxKeywords,
    Rerank,
    Rewrite,
    RewrittenQuery,
    WordQuestion,
)
from locator_search.drive_search.inputs import Language
from locator_search.errors import ModelError
from locator_search.flow import Handlers
from locator_search.ports import ChatModel, Prompt

Answer = TypeVar("Answer", bound=BaseModel)

MOST_KEYWORDS = 5
LONGEST_QUESTION = 120
"""Characters of a narrowing question."""


class ModelSteps:
    """Asks one chat model, in one language."""

    def __init__(self, chat_model: ChatModel, language: Language) -> None:
        self._chat_model = chat_model
        self._language = language

    def handlers(self) -> Handlers:
        """What performs each effect of a model."""
        return {
            ExtractKeywords: self.extract_keywords,
            WordQuestion: self.word_question,
            Rerank: self.rerank,
            Rewrite: self.rewrite,
            RelaxKeywords: self.relax_keywords,
        }

    def extract_keywords(self, effect: ExtractKeywords) -> tuple[str, ...] | None:
        """At most five keywords, none blank."""
        answer = self._ask(prompts.keywords_prompt(effect, self._language))
        return None if answer is None else _keywords(answer.keywords)

    def word_question(self, effect: WordQuestion) -> str | None:
        """One question on one line."""
        answer = self._ask(prompts.question_prompt(effect, self._language))
        return None if answer is None else " ".join(answer.question.split())[:LONGEST_QUESTION] or None

    def rerank(self, effect: Rerank) -> tuple[str, ...] | None:
        """The ids as the model ordered them, invented ones among them."""
        answer = self._ask(prompts.rerank_prompt(effect, self._language))
        return None if answer is None else tuple(answer.file_ids)

    def rewrite(self, effect: Rewrite) -> RewrittenQuery | None:
        """A better query and at most five keywords."""
        answer = self._ask(prompts.rewrite_prompt(effect, self._language))
        return (
            None
            if answer is None
            else RewrittenQuery(" ".join(answer.query.split()) or effect.question, _keywords(answer.keywords))
        )

    def relax_keywords(self, effect: RelaxKeywords) -> tuple[str, ...] | None:
        """The keywords the model would keep."""
        answer = self._ask(prompts.relax_prompt(effect, self._language))
        return None if answer is None else tuple(answer.keywords)

    def _ask(self, prompt: Prompt[Answer]) -> Answer | None:
        try:
            return self._chat_model.answer(prompt)
        except ModelError:
            return None


def _keywords(words: list[str]) -> tuple[str, ...]:
    cleaned = (" ".join(word.split()) for word in words)
    return tuple(dict.fromkeys(word for word in cleaned if word))[:MOST_KEYWORDS]
