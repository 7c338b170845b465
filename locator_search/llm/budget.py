"""The budget of an index: every paid call is entered, and none is begun that could go beyond the ceiling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from locator_search.core.errors import BudgetExhausted, ConfigurationError
from locator_search.core.usage import Usage, record
from locator_search.ports import UsageLog


class Budget:
    """Keeps the ceiling (US dollars over everything ever paid; None: no ceiling). Thread-safe.

    Calls under way in this process count with the most they may cost. Other processes are seen when their calls have
    ended, so together they can pass the ceiling by the calls in flight elsewhere, which are five at most.
    `promised`: what batches under way may still cost.
    """

    def __init__(
        self, log: UsageLog, ceiling_usd: float | None = None, promised: Callable[[], float] = lambda: 0.0
    ) -> None:
        self.ceiling_usd = ceiling_usd
        self._promised = promised
        self._log = log
        self._lock = Lock()
        self._reserved = 0.0

    @contextmanager
    def reserved(self, model: str, at_most: float | None) -> Iterator[None]:
        """Room for one call of at most so many US dollars (None: the price is not known), while the block runs.

        Raises BudgetExhausted, or ConfigurationError when a ceiling is set that nobody could keep.
        """
        if self.ceiling_usd is None:
            yield
            return
        if at_most is None:
            raise ConfigurationError(
                f"The price of {model} is not known, so LOCATOR_MAX_COST_USD cannot be kept.",
                hint="Choose a model with a known price, or leave LOCATOR_MAX_COST_USD blank.",
            )
        with self._lock:
            self._check(self.ceiling_usd, at_most)
            self._reserved += at_most
        try:
            yield
        finally:
            with self._lock:
                self._reserved -= at_most

    @property
    def spent_usd(self) -> float:
        """Everything ever paid."""
        return self._log.total().cost_usd

    @property
    def left_usd(self) -> float | None:
        """US dollars that may still be paid, without calls and batches under way; None where there is no ceiling."""
        if self.ceiling_usd is None:
            return None
        return self.ceiling_usd - self.spent_usd - self._reserved - self._promised()

    def exhausted(self) -> BudgetExhausted:
        """The error of a call that could go beyond the ceiling."""
        return BudgetExhausted(
            f"The ceiling on model costs is reached: ${self.spent_usd:.6f} of ${self.ceiling_usd or 0:g} are spent,"
            " and the next call could go beyond it.",
            hint="Raise LOCATOR_MAX_COST_USD and run it again: what was paid for is kept and never paid twice.",
        )

    def paid(self, task: str, model: str, usage: Usage) -> None:
        """Enter one call that was answered, for good."""
        self._log.add(task, model, usage)
        record(usage)

    def _check(self, ceiling: float, wanted: float) -> None:
        spent = self.spent_usd
        if spent >= ceiling or spent + self._reserved + self._promised() + wanted > ceiling:
            raise self.exhausted()
