"""Opaque tokens: pages of a listing, and places in a change log."""

from __future__ import annotations

import base64
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass

from locator_search.dev.drive_emulator.errors import invalid_value, token_refused

_MOST_LISTINGS_OPEN = 10_000


@dataclass(frozen=True)
class Place:
    """Where the next page of a listing begins."""

    ids: list[str]
    start: int
    asked: tuple[object, ...]


class ListingTokens:
    """Page tokens of files.list and drives.list. A token belongs to the parameters of its first page."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._lock = threading.Lock()

    def issue(self, place: Place) -> str:
        """A token for a place; the oldest of very many is forgotten."""
        token = "~!!~" + secrets.token_urlsafe(48)
        with self._lock:
            self._places[token] = place
            if len(self._places) > _MOST_LISTINGS_OPEN:
                self._places.popitem(last=False)
        return token

    def redeem(self, token: str, asked: tuple[object, ...]) -> Place:
        """The place of a token. Raises ApiError 400 for one that is unknown, expired or of another listing."""
        with self._lock:
            place = self._places.get(token)
        if place is None or place.asked != asked:
            raise invalid_value("pageToken")
        return place

    def expire(self) -> None:
        """Refuse every token issued so far."""
        with self._lock:
            self._places.clear()


class ChangeTokens:
    """Tokens of changes.list: a change number, sealed to one corpus and one life of the emulator."""

    def __init__(self) -> None:
        self._seal = secrets.token_hex(4)
        self._refusal = 400

    def issue(self, corpus: str | None, number: int) -> str:
        """A token for everything after change `number`."""
        return base64.urlsafe_b64encode(f"{self._seal}:{number}:{corpus or ''}".encode()).decode().rstrip("=")

    def redeem(self, token: str, corpus: str | None) -> int:
        """The change number of a token. Raises ApiError for one that is expired or of another corpus."""
        try:
            padded = token + "=" * (-len(token) % 4)
            seal, number, sealed_corpus = base64.urlsafe_b64decode(padded).decode().split(":")
            place = int(number)
        except ValueError:
            raise invalid_value("pageToken") from None
        if seal != self._seal:
            raise token_refused(self._refusal)
        if sealed_corpus != (corpus or ""):
            raise invalid_value("pageToken")
        return place

    def expire(self, status: int = 400) -> None:
        """Refuse every token issued so far, with 400 or 410."""
        self._seal = secrets.token_hex(4)
        self._refusal = status
