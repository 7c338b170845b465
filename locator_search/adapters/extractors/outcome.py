"""How a reading ends: what a format module tells besides its blocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from locator_search.adapters.extractors.limits import MAX_ARCHIVE_BYTES, MAX_ARCHIVE_MEMBERS
from locator_search.core.errors import ExtractionError
from locator_search.model import ExtractionState


class CannotExtract(ExtractionError):  # noqa: N818 - an outcome of reading, not a fault of the program
    """No (more) text can be had; the message is the reason, one sentence for a person."""

    def __init__(self, state: ExtractionState, reason: str) -> None:
        super().__init__(reason)
        self.state = state


@dataclass(slots=True)
class Allowance:
    """Files and bytes that the containers within one file may still give, nested ones included."""

    members: int = MAX_ARCHIVE_MEMBERS
    bytes: int = MAX_ARCHIVE_BYTES


class Attached(NamedTuple):
    """A file within a file; `name` is "" where it is a part of the text. `has_picture`: the file around it shows it."""

    name: str
    content: bytes
    has_picture: bool = False


@dataclass(slots=True)
class Notes:
    """Notes of a format module about the whole file, made while it yields blocks.

    `page_count` stays None where the format has no pages. Each of `shortfalls` is a sentence about text that is
    missing and makes the result `partial`; each of `suspicions` is about text that looks garbled and makes it
    `suspicious`. `when_empty` is the reason given when no text came out.
    `attached` are read like any file when the module has ended. `depth` counts the containers around the file.
    """

    page_count: int | None = None
    shortfalls: list[str] = field(default_factory=list)
    suspicions: list[str] = field(default_factory=list)
    when_empty: str = "The file holds no text."
    attached: list[Attached] = field(default_factory=list)
    depth: int = 0
    allowance: Allowance = field(default_factory=Allowance)

    def allowed_members(self, count: int, noun: str) -> int:
        """How many of `count` files within the file may be read; the rest is noted."""
        allowed = min(count, self.allowance.members)
        if allowed < count:
            self.shortfalls.append(f"Only the first {allowed} of {count} {noun} were read.")
        self.allowance.members -= allowed
        return allowed


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
        if self.state == "unsupported":
            return not self.mime_type.startswith(("image/", "audio/", "video/"))
        return self.state not in ("ok", "empty")
