"""Links to a download that hold for a while and cannot be made by anybody else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from itsdangerous import BadData, URLSafeSerializer

from locator_search.core.errors import AccessDenied, ConfigurationError
from locator_search.ports import Clock

SheetFormat = Literal["docx", "md"]

VALID_FOR = timedelta(hours=24)
SHORTEST_SECRET = 32
"""Bytes."""


@dataclass(frozen=True, slots=True)
class SheetLink:
    """The sheet a link leads to."""

    analysis_id: str
    format: SheetFormat
    valid_until: datetime


class LinkSigner:
    """Makes and reads tokens. Whoever holds a valid one may download that one sheet, and nothing else."""

    def __init__(self, secret: bytes, clock: Clock) -> None:
        if len(secret) < SHORTEST_SECRET:
            raise ConfigurationError(f"The secret for links has less than {SHORTEST_SECRET} bytes.")
        self._clock = clock
        self._serializer = URLSafeSerializer(
            secret, salt="review sheet", signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
        )

    def token(self, analysis_id: str, sheet_format: SheetFormat, valid_for: timedelta = VALID_FOR) -> str:
        """A token for one sheet, fit for an address."""
        until = int((self._clock.now() + valid_for).timestamp())
        return str(self._serializer.dumps([analysis_id, sheet_format, until]))

    def read(self, token: str) -> SheetLink:
        """The sheet of a token. Raises AccessDenied for one that was changed, or is no longer valid."""
        try:
            analysis_id, sheet_format, seconds = self._serializer.loads(token)
        except (BadData, ValueError):  # ValueError: characters no token has
            raise AccessDenied(
                "This download link is not valid.", hint="Make a new one on the page of the analysis."
            ) from None
        until = datetime.fromtimestamp(seconds, UTC)
        if until < self._clock.now():
            raise AccessDenied("This download link has expired.", hint="Make a new one on the page of the analysis.")
        return SheetLink(analysis_id, sheet_format, until)
