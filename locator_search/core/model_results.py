"""Who answered in place of a model, and why: results that say where they come from. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from locator_search.core.errors import (
    BadModelOutput,
    BudgetExhausted,
    KeyRefused,
    LocatorError,
    ModelTimedOut,
    ModelUnavailable,
    UnknownModel,
)

Value = TypeVar("Value")
Language = Literal["ja", "en"]
ModelFailureReason: TypeAlias = Literal[
    "late", "unavailable", "key_refused", "unknown", "too_dear", "unusable", "refused"
]

KEYWORDS_ONLY = "keywords-only"
"""Stands where the name of an embedding model would, when words alone were compared."""
TOGETHER = " + "
"""Between the names of several models that answered one question."""


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """Why the model of that name did not answer a question."""

    model: str
    reason: ModelFailureReason

    def sentence(self, language: Language) -> str:
        """The reason as half a sentence, with what to do about it."""
        return _REASONS[language][self.reason]


@dataclass(frozen=True, slots=True)
class ModelResult(Generic[Value]):
    """A result that a model had a part in. `model` names who answered in the end, "" nobody; `failure` says why it was
    not the model that was chosen."""

    value: Value
    model: str
    failure: ModelFailure | None = None


def is_stand_in(models: str) -> bool:
    """Whether one of the models named here is none, but rules over words."""
    return any(model.startswith("offline-") or model == KEYWORDS_ONLY for model in models.split(TOGETHER))


def failure_of(error: LocatorError, model: str) -> ModelFailure:
    """The failure of a model that raised this."""
    reason = next((reason for kind, reason in _REASONS_OF if isinstance(error, kind)), None)
    return ModelFailure(model, reason or "refused")


def without_chat_model(failure: ModelFailure, language: Language) -> str:
    """That a stand-in took the place of the language model, and why."""
    return _WITHOUT_CHAT_MODEL[language].format(model=failure.model, reason=failure.sentence(language))


def without_embedding_model(failure: ModelFailure, language: Language) -> str:
    """That words alone were compared, and why."""
    return _WITHOUT_EMBEDDING_MODEL[language].format(model=failure.model, reason=failure.sentence(language))


_REASONS_OF: tuple[tuple[type[LocatorError], ModelFailureReason], ...] = (
    (ModelTimedOut, "late"),
    (ModelUnavailable, "unavailable"),
    (KeyRefused, "key_refused"),
    (UnknownModel, "unknown"),
    (BudgetExhausted, "too_dear"),
    (BadModelOutput, "unusable"),
)

_REASONS: dict[Language, dict[ModelFailureReason, str]] = {
    "ja": {
        "late": "時間内に応答がありませんでした",
        "unavailable": "応答がありません。サービスの状態と OPENAI_BASE_URL を確認してください",
        "key_refused": "キーが受け付けられませんでした。OPENAI_API_KEY と OPENAI_ORG を確認してください",
        "unknown": "モデル名かアドレスが違います。"
        "OPENAI_CHAT_MODEL、OPENAI_EMBEDDING_MODEL、OPENAI_BASE_URL を確認してください",
        "too_dear": "費用の上限に達したか、残高がありません。LOCATOR_MAX_COST_USD を確認してください",
        "unusable": "使える回答がありませんでした",
        "refused": "エラーが返りました",
    },
    "en": {
        "late": "it did not answer in time",
        "unavailable": "it cannot be reached or does not work; check the service and OPENAI_BASE_URL",
        "key_refused": "the key was refused; check OPENAI_API_KEY and OPENAI_ORG",
        "unknown": "no such model or address; check OPENAI_CHAT_MODEL, OPENAI_EMBEDDING_MODEL and OPENAI_BASE_URL",
        "too_dear": "the ceiling of its costs is reached, or its account is empty; check LOCATOR_MAX_COST_USD",
        "unusable": "it gave no usable answer",
        "refused": "it answered with an error",
    },
}

_WITHOUT_CHAT_MODEL: dict[Language, str] = {
    "ja": "言語モデル（{model}）を使えないため、オフラインの代役が答えました（{reason}）。",
    "en": "An offline stand-in answered in place of the language model {model} ({reason}).",
}

_WITHOUT_EMBEDDING_MODEL: dict[Language, str] = {
    "ja": "埋め込みモデル（{model}）を使えないため、言葉の一致だけで検索しました（{reason}）。",
    "en": "Only words were compared, without the embedding model {model} ({reason}).",
}
