"""Tokens for links: each names a few things and an end, and nobody without the secret can make or change one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from itsdangerous import BadData, URLSafeSerializer

from locator_search.core.clock import Clock
from locator_search.core.errors import AccessDenied, ConfigurationError

SHORTEST_SECRET = 32
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Signed:
    """The content of a token."""

    names: tuple[str, ...]
    valid_until: datetime


class TokenSigner:
    """Makes and reads the tokens of one purpose; those of another are refused. `renewal` says where new ones come
    from."""

    def __init__(self, secret: bytes, purpose: str, clock: Clock, renewal: str) -> None:
        if len(secret) < SHORTEST_SECRET:
            raise ConfigurationError(f"The secret for links has less than {SHORTEST_SECRET} bytes.")
        self._clock = clock
        self._renewal = renewal
        self._serializer = URLSafeSerializer(
            secret, salt=purpose, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
        )

    def token(self, names: Sequence[str], valid_for: timedelta) -> str:
        """A token fit for an address."""
        until = int((self._clock.now() + valid_for).timestamp())
        return str(self._serializer.dumps([*names, until]))

    def read(self, token: str) -> Signed:
        """The names in a token. Raises AccessDenied for one that was changed, or is no longer valid."""
        try:
            *names, seconds = self._serializer.loads(token)
        except (BadData, ValueError):  # ValueError: characters no token has
            raise AccessDenied("This link is not valid.", hint=self._renewal) from None
        until = datetime.fromtimestamp(seconds, UTC)
        if until < self._clock.now():
            raise AccessDenied("This link has expired.", hint=self._renewal)
        return Signed(tuple(names), until)
