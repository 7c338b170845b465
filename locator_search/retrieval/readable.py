"""Shows a person only what the source confirms now, and what that person may read now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from locator_search.model import Evidence
from locator_search.ports import AccessChecker


class ReadableAlone:
    """An `AccessChecker` behind another one, whose answers it takes at their word: what is refused, or not confirmed in
    time, is not shown."""

    def __init__(self, checker: AccessChecker, readable: Callable[[Sequence[str]], Collection[str]]) -> None:
        self._checker = checker
        self._readable = readable

    def check(self, evidence: Sequence[Evidence], *, names_alone: bool = False) -> list[Evidence]:
        """The evidence that may be shown, in its order. Raises AccessDenied where nobody is named."""
        confirmed = [item for item in self._checker.check(evidence, names_alone=names_alone) if item.verified]
        readable = self._readable([item.file_id for item in confirmed])
        return [item for item in confirmed if item.file_id in readable]
