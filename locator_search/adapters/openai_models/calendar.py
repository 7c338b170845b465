"""The days on which models leave the API: those this program knows, and those the service names, asked once a day."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path

from locator_search.adapters.openai_models.client import OpenAiClient
from locator_search.adapters.openai_models.prices import announced_shutdown
from locator_search.core.errors import LocatorError
from locator_search.ports import Clock

ASKED_EVERY = timedelta(days=1)

logger = logging.getLogger(__name__)


class ModelCalendar:
    """Remembers the service's dates in a file. Never fails: a date that cannot be read or asked for is not known."""

    def __init__(self, client: OpenAiClient, file: Path, clock: Clock) -> None:
        self._client = client
        self._file = file
        self._clock = clock

    def shutdown_of(self, model: str) -> date | None:
        """The day on which a model leaves the API; None where none is announced."""
        shutdown = self._kept_lately(model)
        if shutdown is None and self._client.has_key:
            shutdown = self._ask(model)
        return _day(shutdown) or announced_shutdown(model)

    def note(self, model: str, shutdown_date: str | None) -> None:
        """Keep the date the service names now."""
        kept = self._kept()
        kept[model] = {"shutdown_date": shutdown_date or "", "asked_at": self._clock.now().isoformat()}
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            fresh.replace(self._file)

    def _kept_lately(self, model: str) -> str | None:
        """The date, "" where the service named none, None where it was not asked within a day."""
        entry = self._kept().get(model)
        with suppress(KeyError, TypeError, ValueError):
            if entry and self._clock.now() - datetime.fromisoformat(entry["asked_at"]) < ASKED_EVERY:
                return str(entry["shutdown_date"])
        return None

    def _ask(self, model: str) -> str:
        shutdown = ""
        try:
            found = self._client.look_up(model)
            shutdown = (found.shutdown_date if found else None) or ""
        except LocatorError as error:
            logger.debug("When %s shuts down could not be asked: %s", model, error.message)
        self.note(model, shutdown)
        return shutdown

    def _kept(self) -> dict[str, dict[str, str]]:
        with suppress(OSError, ValueError):
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            if isinstance(kept, dict):
                return kept
        return {}


def _day(shutdown: str | None) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(shutdown or "")
    return None
