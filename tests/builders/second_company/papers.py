"""A document of the second company before it becomes a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Paper:
    """A document at `path` below the folder, in the markup of `sample_company.markup`, last changed on `day`.

    `asked` is how somebody asks for it who does not know its words; empty for papers nobody asks for so.
    """

    path: str
    text: str
    day: date
    asked: str = ""
