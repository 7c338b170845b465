"""Questions handed over to a model service in bulk, answered within a day at half price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from locator_search.core.usage import Usage
from locator_search.ports.models import Answer, Prompt


@dataclass(frozen=True, slots=True)
class BatchedQuestion:
    """One question as a line of a batch file, and the most its answer may cost (None: the price is not known)."""

    line: bytes
    at_most_usd: float | None


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """The result of one question: the validated answer as JSON, or the problem. `expired`: it was never asked."""

    key: str
    answer: str | None
    usage: Usage
    problem: str = ""
    expired: bool = False


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a batch has come. `ending` is one word, empty while it runs; `problem` says why all of it was refused."""

    ending: str = ""
    done: int = 0
    problem: str = ""


class BatchService(Protocol):
    """A model service that answers many questions within a day at half price.

    Methods raise ModelUnavailable, ModelError or ConfigurationError.
    """

    def question(self, key: str, prompt: Prompt[Answer]) -> BatchedQuestion:
        """The line that asks `prompt`; its answer comes back under `key`."""
        ...

    def submit(self, file: Path, token: str) -> str:
        """Hand over a file of lines; returns the id of the batch. With a token used before: the batch made then."""
        ...

    def find(self, token: str) -> str | None:
        """The id of the batch that was submitted with a token, None where there is none."""
        ...

    def progress(self, batch_id: str) -> BatchProgress | None:
        """How far a batch has come; None where the service knows of none."""
        ...

    def answers(self, batch_id: str, model: str, output_model: type[Answer]) -> list[BatchAnswer]:
        """The answers and errors of an ended batch, in any order."""
        ...

    def forget(self, batch_id: str) -> None:
        """Delete the files of a batch at the service. Never fails."""
        ...


@dataclass(frozen=True, slots=True)
class WaitingBatch:
    """A batch whose answers were not collected yet. `batch_id` is None as long as its submission is not confirmed."""

    number: int
    token: str
    batch_id: str | None
    model: str
    task: str
    prompt_version: str
    requests: int
    files: int
    estimated_usd: float
    submitted_at: datetime


class BatchLog(Protocol):
    """Remembers which batches are under way and which files wait for them. Everything is committed at once."""

    def prepare(
        self,
        *,
        model: str,
        task: str,
        prompt_version: str,
        keys: Mapping[str, str],
        estimated_usd: float,
        now: datetime,
    ) -> WaitingBatch:
        """Enter a batch before it is submitted. `keys`: of the answer each file waits for, by file id."""
        ...

    def submitted(self, number: int, batch_id: str) -> None:
        """The service has accepted it."""
        ...

    def join(self, number: int, file_id: str, key: str) -> None:
        """Add a file that waits for an answer that was asked for already."""
        ...

    def waiting(self) -> list[WaitingBatch]:
        """Batches that have not ended, oldest first."""
        ...

    def keys(self, number: int) -> dict[str, str]:
        """The key of the answer each file waits for, by file id."""
        ...

    def end(self, number: int, ending: str, answered: int, now: datetime) -> None:
        """End a batch: no file waits for it any more."""
        ...
