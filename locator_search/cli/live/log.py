"""`live --debug`: what happened in each question, as masked lines of JSON. No body, title or answer is ever in it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from locator_search.live_search.masking import masked

if TYPE_CHECKING:
    from locator_search.live_search.outcome import LiveOutcome
    from locator_search.live_search.progress import ProgressStep
    from locator_search.ports import Clock


class DebugLog:
    """Appends to a file that its owner alone may read. Raises OSError where that cannot be written."""

    def __init__(self, path: Path, clock: Clock, secrets: Sequence[str]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._clock = clock
        self._secrets = tuple(secrets)

    def asked(self, question: str) -> None:
        """A question begins."""
        self._write("question", {"question": question})

    def step(self, step: ProgressStep) -> None:
        """Something happens for a service, or for the question as a whole."""
        self._write("step", {"service": step.row, "state": step.state, "line": step.line})

    def ended(self, outcome: LiveOutcome) -> None:
        """Log which services were asked and how much came back, in numbers."""
        from locator_search.live_search.as_json import query_as_json

        self._write(
            "outcome",
            {
                "queries": [query_as_json(one) for one in outcome.queries],
                "evidence": [{"number": one.number, "uri": one.uri, "cited": one.cited} for one in outcome.evidence],
                "bodies": [{**asdict(one), "seconds": round(one.seconds, 3)} for one in outcome.bodies],
                "warnings": [f"{one.service}: {one.message}" for one in outcome.warnings],
                "answer_characters": len(outcome.answer),
                "models": dict(outcome.models),
                "tokens": outcome.usage.tokens,
                "estimated_tokens": outcome.tokens,
                "cost_usd": outcome.usage.cost_usd,
            },
        )

    def broke_off(self, reason: str) -> None:
        """A question ended without an outcome."""
        self._write("broken_off", {"reason": reason})

    def _write(self, event: str, fields: Mapping[str, object]) -> None:
        line = {"time": self._clock.now().isoformat(), "event": event, **fields}
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(json.dumps(self._masked(line), ensure_ascii=False) + "\n")

    def _masked(self, value: object) -> object:
        if isinstance(value, str):
            return masked(value, self._secrets)
        if isinstance(value, Mapping):
            return {key: each if key == "time" else self._masked(each) for key, each in value.items()}
        return [self._masked(each) for each in value] if isinstance(value, list) else value
