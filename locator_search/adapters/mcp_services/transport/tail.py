"""The last lines a server wrote to stderr, and the one among them that says why it ended."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

KEPT_LINES = 40
LONGEST_LINE = 4000
"""Characters."""
_SERIOUS = re.compile(r"fatal|panic|crit|err", re.IGNORECASE)
_AROUND_AN_ERROR = re.compile(
    r"at .*[:(]|node:|Node\.js v|throw |\^|[\[\]{}()]+[,;]?$|\w+: (?:null|\d+|\[.*\]),?$|goroutine \d+|exit status \d+$"
)
"""Lines around the message of an uncaught error: frames of Node, fields of its errors, Go's goroutines."""


@dataclass
class Tail:
    """The last lines of stderr, with secrets blotted out."""

    mask: Callable[[str], str]
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))
    _unfinished: str = ""

    def take(self, piece: bytes) -> None:
        """Take the next piece of the stream."""
        *whole, rest = (self._unfinished + piece.decode("utf-8", "replace")).split("\n")
        self._unfinished = rest[-LONGEST_LINE:]
        self.lines.extend(line[:LONGEST_LINE] for line in (each.strip() for each in whole) if line)

    @property
    def reason(self) -> str:
        """The line that explains its end best: a serious one of a log in JSON, else the last that says something."""
        lines = [*self.lines, *filter(None, [self._unfinished.strip()])]
        serious = (_serious(line) for line in reversed(lines))
        line = next(filter(None, serious), "") or next(
            (line for line in reversed(lines) if not _AROUND_AN_ERROR.match(line)), ""
        )
        return self.mask(line)


def _serious(line: str) -> str:
    """The message in a line of a log in JSON, if its level is serious."""
    if not line.startswith("{"):
        return ""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    if not _SERIOUS.match(str(entry.get("level", ""))):
        return ""
    told = (entry.get(name) for name in ("message", "msg", "error", "err"))
    return ": ".join(str(each) for each in told if each)
