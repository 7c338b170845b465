"""Results of models with the name of who answered, and why it was not the chosen model. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from locator_search.core.errors import (
    BadModelOutput,
    BudgetExhausted,
    DimensionMismatch,
    KeyRefused,
    LocatorError,
    ModelTimedOut,
    ModelUnavailable,
    UnknownModel,
)

Value = TypeVar("Value")
ModelFailureReason: TypeAlias = Literal[
    "late", "unavailable", "key_refused", "unknown", "too_dear", "unusable", "refused", "another_index"
]

KEYWORDS_ONLY = "keywords-only"
"""Shown in place of the name of an embedding model when words alone were compared."""
TOGETHER = " + "
"""Joins the names of several models that answered one question."""


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """Why the model of that name did not answer a question."""

    model: str
    reason: ModelFailureReason


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


_REASONS_OF: tuple[tuple[type[LocatorError], ModelFailureReason], ...] = (
    (ModelTimedOut, "late"),
    (ModelUnavailable, "unavailable"),
    (KeyRefused, "key_refused"),
    (UnknownModel, "unknown"),
    (BudgetExhausted, "too_dear"),
    (BadModelOutput, "unusable"),
    (DimensionMismatch, "another_index"),
)
