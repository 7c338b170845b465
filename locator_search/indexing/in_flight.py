"""Joins equal requests of several threads: the first asks, and the others wait for its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")
_Asked = Future[Value | None]
"""None once it failed."""


class InFlight(Generic[Value]):
    """Requests under way in this process, by key. The first thread asks; its failure is its own."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked: dict[str, _Asked[Value]] = {}

    def get(self, keys: Sequence[str], ask: Callable[[Sequence[str]], Mapping[str, Value]]) -> dict[str, Value]:
        """A value for each key. `ask` gets those keys for which nobody else asks at the moment, and has to make its
        answer known elsewhere before it returns. Raises what `ask` raises; the failure of another thread is not handed
        on: its keys are asked for again.
        """
        found: dict[str, Value] = {}
        while missing := [key for key in dict.fromkeys(keys) if key not in found]:
            mine, others = self._claim(missing)
            if mine:
                found |= self._ask(mine, ask)
            # Wait only after our own request is done, so that no two threads wait for each other.
            found |= {key: value for key, future in others.items() if (value := future.result()) is not None}
        return found

    def _claim(self, keys: Sequence[str]) -> tuple[dict[str, _Asked[Value]], dict[str, _Asked[Value]]]:
        with self._lock:
            others = {key: self._asked[key] for key in keys if key in self._asked}
            mine: dict[str, _Asked[Value]] = {key: Future() for key in keys if key not in others}
            self._asked |= mine
        return mine, others

    def _ask(
        self, mine: Mapping[str, _Asked[Value]], ask: Callable[[Sequence[str]], Mapping[str, Value]]
    ) -> Mapping[str, Value]:
        answers: Mapping[str, Value] = {}
        try:
            answers = ask(list(mine))
        finally:
            with self._lock:
                for key in mine:
                    del self._asked[key]
            for key, future in mine.items():
                future.set_result(answers.get(key))
        return answers
