"""The steps of the search that a language model takes. Its answers are cut to size here and judged by `policy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel

from locator_search.core.model_results import ModelResult
from locator_search.drive_search import prompts
from locator_search.drive_search.effects import (
    ExtractKeywords,
    RelaxKeywords,
    Rerank,
    Rewrite,
    RewrittenQuery,
    WordQuestion,
)
from locator_search.drive_search.flow import Handlers
from locator_search.llm.question_models import QuestionChatModel
from locator_search.locales import Language
from locator_search.ports import Prompt

Answer = TypeVar("Answer", bound=BaseModel)
Read = TypeVar("Read")

MOST_KEYWORDS = 5
LONGEST_QUESTION = 120
"""Characters of a narrowing question."""


class ModelSteps:
    """Asks the chat model of one question, in one language. Each result says who answered."""

    def __init__(self, chat_model: QuestionChatModel, language: Language) -> None:
        self._chat_model = chat_model
        self._language = language

    def handlers(self) -> Handlers:
        """The functions that perform the effects of models."""
        return {
            ExtractKeywords: self.extract_keywords,
            WordQuestion: self.word_question,
            Rerank: self.rerank,
            Rewrite: self.rewrite,
            RelaxKeywords: self.relax_keywords,
        }

    def extract_keywords(self, effect: ExtractKeywords) -> ModelResult[tuple[str, ...] | None]:
        """At most five keywords, none blank."""
        prompt = prompts.keywords_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: _keywords(answer.keywords))

    def word_question(self, effect: WordQuestion) -> ModelResult[str | None]:
        """One question on one line."""
        prompt = prompts.question_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: " ".join(answer.question.split())[:LONGEST_QUESTION] or None)

    def rerank(self, effect: Rerank) -> ModelResult[tuple[str, ...] | None]:
        """The ids as the model ordered them, invented ones among them."""
        prompt = prompts.rerank_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: tuple(answer.file_ids))

    def rewrite(self, effect: Rewrite) -> ModelResult[RewrittenQuery | None]:
        """A better query and at most five keywords."""
        prompt = prompts.rewrite_prompt(effect, self._language)
        return self._asked(
            prompt,
            lambda answer: RewrittenQuery(
                " ".join(answer.query.split()) or effect.question, _keywords(answer.keywords)
            ),
        )

    def relax_keywords(self, effect: RelaxKeywords) -> ModelResult[tuple[str, ...] | None]:
        """The keywords the model would keep."""
        prompt = prompts.relax_prompt(effect, self._language)
        return self._asked(prompt, lambda answer: tuple(answer.keywords))

    def _asked(self, prompt: Prompt[Answer], read: Callable[[Answer], Read]) -> ModelResult[Read | None]:
        result = self._chat_model.ask(prompt)
        value = None if result.value is None else read(result.value)
        return ModelResult(value, result.model, result.failure)


def _keywords(words: list[str]) -> tuple[str, ...]:
    cleaned = (" ".join(word.split()) for word in words)
    return tuple(dict.fromkeys(word for word in cleaned if word))[:MOST_KEYWORDS]
