"""Links to a download that hold for a while and cannot be made by anybody else: HMAC-SHA256 over what is linked to and
until when."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, cast

from locator_search.core.errors import AccessDenied, ConfigurationError
from locator_search.ports import Clock

SheetFormat = Literal["docx", "md"]

VALID_FOR = timedelta(hours=24)
SHORTEST_SECRET = 32
"""Bytes."""
_TOKEN = re.compile(
    r"(?P<payload>(?P<analysis>[A-Za-z0-9_-]{1,64})\.(?P<format>docx|md)\.(?P<until>\d{1,12}))\.(?P<mac>[A-Za-z0-9_-]{43})"
)


@dataclass(frozen=True, slots=True)
class SheetLink:
    """The target of a link."""

    analysis_id: str
    format: SheetFormat
    valid_until: datetime


class LinkSigner:
    """Makes and reads tokens. Whoever holds a valid one may download that one sheet, and nothing else."""

    def __init__(self, secret: bytes, clock: Clock) -> None:
        if len(secret) < SHORTEST_SECRET:
            raise ConfigurationError(f"The secret for links has less than {SHORTEST_SECRET} bytes.")
        self._secret = secret
        self._clock = clock

    def token(self, analysis_id: str, sheet_format: SheetFormat, valid_for: timedelta = VALID_FOR) -> str:
        """A token for one sheet, fit for an address."""
        until = int((self._clock.now() + valid_for).timestamp())
        payload = f"{analysis_id}.{sheet_format}.{until}"
        return f"{payload}.{self._mac(payload)}"

    def read(self, token: str) -> SheetLink:
        """The target of a token. Raises AccessDenied for one that was changed, or is no longer valid."""
        found = _TOKEN.fullmatch(token)
        if found is None or not hmac.compare_digest(found["mac"].encode(), self._mac(found["payload"]).encode()):
            raise AccessDenied("This download link is not valid.", hint="Make a new one on the page of the analysis.")
        until = datetime.fromtimestamp(int(found["until"]), UTC)
        if until < self._clock.now():
            raise AccessDenied("This download link has expired.", hint="Make a new one on the page of the analysis.")
        return SheetLink(found["analysis"], cast(SheetFormat, found["format"]), until)

    def _mac(self, payload: str) -> str:
        digest = hmac.new(self._secret, f"review sheet\n{payload}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
