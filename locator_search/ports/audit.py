"""The audit log: who asked what, and who opened which file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A question, or the opening of a file. `file_name` is with its folder, as it was then."""

    at: datetime
    person: str
    kind: Literal["asked", "opened"]
    surface: str
    question: str
    file_id: str
    file_name: str


class AuditLog(Protocol):
    """Keeps questions and openings for administrators, for a time."""

    def asked(self, question: str, surface: str, file_id: str = "") -> None:
        """Who reads asked a question, or for what is like a file. Raises AccessDenied where nobody is named."""
        ...

    def opened(self, file_id: str, surface: str) -> None:
        """Who reads was shown the text of a file, or the file itself. Raises as `asked` does."""
        ...

    def entries(self, since: datetime | None = None) -> Sequence[AuditEntry]:
        """Everything kept from that time on, oldest first. Raises AccessDenied for people who are no administrators."""
        ...
