"""Faults by rule, as data. Which requests are hit depends on the seed and the order of requests only.

{"seed": 7, "rules": [
  {"faults": ["429", "503", "reset_before_headers"], "probability": 0.1, "method": "files.*"},
  {"faults": ["429"], "every": 20, "retry_after": 2},
  {"faults": ["slow"], "seconds": 5, "probability": 0.02},
  {"faults": ["cannotDownloadFile"], "method": "files.media", "file_id": "1AbC"},
  {"faults": ["404"], "method": "files.media", "every": 10},
  {"faults": ["lostPageToken", "expiredPageToken"], "method": "changes.list", "first": 1}
]}
"""

from __future__ import annotations

import re
import threading
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from locator_search.core.errors import ConfigurationError
from locator_search.dev.drive_emulator.errors import (
    FORBIDDEN,
    SERVER_ERRORS,
    ApiError,
    file_not_found,
    forbidden,
    server_error,
    token_refused,
)

StatusFault = Literal["429", "500", "502", "503", "504"]
ReasonFault = Literal[
    "rateLimitExceeded",
    "userRateLimitExceeded",
    "dailyLimitExceeded",
    "exportSizeLimitExceeded",
    "cannotDownloadFile",
    "downloadRestrictions",
    "insufficientFilePermissions",
    "insufficientPermissions",
    "domainPolicy",
    "appNotAuthorizedToFile",
    "cannotDownloadAbusiveFile",
    "fileNotDownloadable",
    "fileNotExportable",
]
LossFault = Literal["404", "lostPageToken", "expiredPageToken"]
"""A file that is not there, or may not be known of; a page token that is refused with 400, or 410. They hit only
requests that name a file, and that bring a page token."""
WireFault = Literal["reset_before_headers", "reset_after_headers", "truncated_body", "html", "slow"]
"""Connection reset before anything is sent, or after the headers; body cut short with a clean end; 200 with a
page of HTML as a proxy sends it; the right answer, late."""

Fault = StatusFault | ReasonFault | LossFault | WireFault

_OF_TOKENS: frozenset[Fault] = frozenset(("lostPageToken", "expiredPageToken"))
_EVERY_FAULT = (*map(str, SERVER_ERRORS), *FORBIDDEN, *get_args(LossFault), *get_args(WireFault))


class FaultRule(BaseModel):
    """A fault, the requests it hits, and how often.

    A request matches when all of `method`, `path` (both with `*`) and `file_id` do. Methods are named as in the
    API (`files.list`, `changes.list` ...), and `files.media` (alt=media), `exportLink` and `oauth.token`. Without
    `probability`, `every` (each n-th matching request) and `first` (the first n) every matching request is hit.
    `retry_after` (seconds) adds the header; `seconds` is how late `slow` is. One of several faults is drawn.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    faults: Annotated[tuple[Fault, ...], Field(min_length=1)]
    method: str = "*"
    path: str = "*"
    file_id: str | None = None
    probability: Annotated[float, Field(ge=0, le=1)] | None = None
    every: Annotated[int, Field(ge=1)] | None = None
    first: Annotated[int, Field(ge=0)] | None = None
    retry_after: Annotated[int, Field(ge=0)] | None = None
    seconds: Annotated[float, Field(ge=0, le=600)] = 5.0

    def matches(self, method: str, path: str, file_id: str | None) -> bool:
        """Whether the rule is about such a request."""
        if not fnmatchcase(method, self.method) or not fnmatchcase(path, self.path):
            return False
        return self.file_id is None or self.file_id == file_id

    def fits(self, file_id: str | None, *, has_token: bool) -> bool:
        """Whether the request has what every one of the faults takes away."""
        lost = set(self.faults)
        return ("404" not in lost or file_id is not None) and (not lost & _OF_TOKENS or has_token)

    def draw(self, count: int, seed: str) -> Fault | None:
        """The fault that hits the `count`-th (from 1) matching request, None where it is spared."""
        chance = Random(f"{seed}:{count}")  # noqa: S311 - a game of chance, no secret
        if self.first is not None and count > self.first:
            return None
        if self.every is not None and count % self.every:
            return None
        if self.probability is not None and chance.random() >= self.probability:
            return None
        return chance.choice(self.faults)


class FaultPlan(BaseModel):
    """The rules of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 0
    rules: tuple[FaultRule, ...] = ()


class Hit(BaseModel):
    """A fault that was drawn, with the rule it came from."""

    fault: Fault
    rule: FaultRule
    file_id: str | None = None

    def error(self) -> ApiError | None:
        """The error answer of a status or reason; None for faults of the wire."""
        if self.fault in get_args(StatusFault):
            error = server_error(int(self.fault))
        elif self.fault in FORBIDDEN:
            error = forbidden(self.fault)
        elif self.fault == "404":
            error = file_not_found(self.file_id or "")
        elif self.fault in get_args(LossFault):
            error = token_refused(410 if self.fault == "expiredPageToken" else 400)
        else:
            return None
        if self.rule.retry_after is not None:
            error.headers["Retry-After"] = str(self.rule.retry_after)
        return error


class Faults:
    """Decides which request is hit. The first rule that hits wins; `slow` comes on top of the others."""

    def __init__(self, rules: tuple[FaultRule, ...] = (), seed: int = 0) -> None:
        self._lock = threading.Lock()
        self.set(rules, seed)

    def set(self, rules: tuple[FaultRule, ...], seed: int = 0) -> None:
        """Put other rules in force and count from the beginning."""
        with self._lock:
            self._rules, self._seed, self._counts = rules, seed, [0] * len(rules)

    def hits(self, method: str, path: str, file_id: str | None, *, has_token: bool = False) -> list[Hit]:
        """The faults of this request: at most one `slow` and one other."""
        found: dict[bool, Hit] = {}
        with self._lock:
            for number, rule in enumerate(self._rules):
                if rule.matches(method, path, file_id) and rule.fits(file_id, has_token=has_token):
                    self._counts[number] += 1
                    fault = rule.draw(self._counts[number], f"{self._seed}:{number}")
                    if fault is not None:
                        found.setdefault(fault == "slow", Hit(fault=fault, rule=rule, file_id=file_id))
        return list(found.values())


def read_plan(path: Path) -> FaultPlan:
    """The plan in a JSON file. Raises ConfigurationError with one sentence."""
    try:
        return FaultPlan.model_validate_json(path.read_bytes())
    except OSError as error:
        cause = error.strerror or type(error).__name__
        raise ConfigurationError(f"The fault file {path} cannot be read: {cause}.") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        is_a_name = first["type"] == "literal_error"
        raise ConfigurationError(
            f"The fault file {path} is wrong: {_flaw(first)}.",
            hint=f"Faults are: {', '.join(_EVERY_FAULT)}." if is_a_name else "",
        ) from None


def _flaw(first: ErrorDetails) -> str:
    where = ".".join(str(part) for part in first["loc"][:4])
    if first["type"] == "literal_error":
        return f"{where} is no fault"
    if first["type"] == "json_invalid":
        line = "".join(re.findall(r"line (\d+)", first["msg"])) or "1"
        return f"from line {line} on it is no JSON"
    return f"{where}: {first['msg']}" if where else first["msg"]
