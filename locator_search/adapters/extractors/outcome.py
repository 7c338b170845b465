"""How a reading ends: what a format module tells besides its blocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from locator_search.core.errors import ExtractionError
from locator_search.model import ExtractionState


class CannotExtract(ExtractionError):  # noqa: N818 - an outcome of reading, not a fault of the program
    """No (more) text can be had; the message is the reason, one sentence for a person."""

    def __init__(self, state: ExtractionState, reason: str) -> None:
        super().__init__(reason)
        self.state = state


@dataclass(slots=True)
class Notes:
    """Notes of a format module about the whole file, made while it yields blocks.

    `page_count` stays None where the format has no pages. Each of `shortfalls` is a sentence about text that is
    missing and makes the result `partial`; each of `suspicions` is about text that looks garbled and makes it
    `suspicious`. `when_empty` is the reason given when no text came out.
    """

    page_count: int | None = None
    shortfalls: list[str] = field(default_factory=list)
    suspicions: list[str] = field(default_factory=list)
    when_empty: str = "The file holds no text."


@dataclass(frozen=True, slots=True)
class Ending:
    """The last word on one file."""

    state: ExtractionState
    reason: str
    mime_type: str
    page_count: int | None = None

    @property
    def lacks_text(self) -> bool:
        """Whether text that the file holds is missing."""
        return self.state not in ("ok", "empty", "unsupported")
