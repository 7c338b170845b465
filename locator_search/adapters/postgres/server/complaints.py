"""Why PostgreSQL's programs failed, as one whole sentence."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

_SERIOUS = r"(?:FATAL|PANIC|ERROR|error): +(.+)"

_TOLD_TO_CLIENTS = ("the database system is", "terminating connection", "sorry, too many clients")


def last_complaint(log: Path, already_there: int) -> str:
    """The last serious line of the server's log after so many bytes, with the detail that follows it; else nothing."""
    with suppress(OSError):
        written = log.read_bytes()[already_there:].decode(errors="replace")
        serious = re.split(r"(?:FATAL|PANIC|ERROR): +", written)[1:]
        for complaint in reversed(serious):
            if not complaint.startswith(_TOLD_TO_CLIENTS):
                return _with_details(complaint)
    return ""


def first_complaint(output: str) -> str:
    """The first complaint in the output; after it `initdb` tells how it clears up."""
    found = re.search(_SERIOUS, output)
    return found[1].rstrip(".") if found else one_line(output)


def one_line(text: str) -> str:
    """The last line that says anything."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "no reason was given"


def _with_details(complaint: str) -> str:
    first, *more = complaint.splitlines() or [""]
    details = [found[1].strip() for line in more if (found := re.search(r"(?:DETAIL|HINT): +(.+)", line))]
    return ". ".join(part.rstrip(".") for part in (first, *details) if part)
