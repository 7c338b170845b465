"""Links to the download of a review sheet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from locator_search.core.signing import TokenSigner
from locator_search.ports import Clock
from locator_search.ports.sheets import SheetFormat

VALID_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class SheetLink:
    """The sheet a link leads to."""

    analysis_id: str
    format: SheetFormat
    valid_until: datetime


class LinkSigner:
    """Makes and reads tokens. Whoever holds a valid one may download that one sheet, and nothing else."""

    def __init__(self, secret: bytes, clock: Clock) -> None:
        self._signer = TokenSigner(secret, "review sheet", clock, "Make a new one on the page of the analysis.")

    def token(self, analysis_id: str, sheet_format: SheetFormat, valid_for: timedelta = VALID_FOR) -> str:
        """A token for one sheet, fit for an address."""
        return self._signer.token((analysis_id, sheet_format), valid_for)

    def read(self, token: str) -> SheetLink:
        """The sheet of a token. Raises AccessDenied for one that was changed, or is no longer valid."""
        signed = self._signer.read(token)
        analysis_id, sheet_format = signed.names
        return SheetLink(analysis_id, cast(SheetFormat, sheet_format), signed.valid_until)
