"""Who answered in place of a model, and why, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from locator_search.core.model_results import ModelFailure, ModelFailureReason
from locator_search.locales.files import Language
from locator_search.locales.sections import Section


@dataclass(frozen=True)
class ModelFailures(Section, section="model_failures"):
    """Who answered instead, and half a sentence for each reason, with what to do about it."""

    without_chat_model: str
    without_embedding_model: str
    reasons: Mapping[ModelFailureReason, str]


def failure_reason(failure: ModelFailure, language: Language) -> str:
    """Why a model did not answer, as half a sentence."""
    return ModelFailures.of(language).reasons[failure.reason]


def without_chat_model(failure: ModelFailure, language: Language) -> str:
    """That a stand-in took the place of the language model, and why."""
    form = ModelFailures.of(language).without_chat_model
    return form.format(model=failure.model, reason=failure_reason(failure, language))


def without_embedding_model(failure: ModelFailure, language: Language) -> str:
    """That words alone were compared, and why."""
    form = ModelFailures.of(language).without_embedding_model
    return form.format(model=failure.model, reason=failure_reason(failure, language))
