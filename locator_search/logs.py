"""Logging: one line per message on stderr, never with one of the secrets among the settings."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

from locator_search.settings import Settings

OUR_PACKAGES = ("locator_search", "locator_assets", "streamlit_app")
MASK = "***"


def secret_values(settings: Settings) -> tuple[str, ...]:
    """The values that must never be printed: every setting marked as a secret, and the password inside a URL."""
    names = [name for name, field in Settings.model_fields.items() if not field.repr]
    values = [value for name in names if isinstance(value := getattr(settings, name), str)]
    passwords = [urlsplit(value).password for value in values if "://" in value]
    return tuple(value for value in (*values, *passwords) if value)


def mask(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret blotted out, longer ones first so that no part of one remains."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


class OneLineFormatter(logging.Formatter):
    """Writes a record as one masked line; a stack trace follows it at LOG_LEVEL=DEBUG only."""

    def __init__(self, secrets: Iterable[str] = (), *, with_traces: bool = False) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%Y-%m-%dT%H:%M:%S%z")
        self._secrets = tuple(secrets)
        self._with_traces = with_traces

    def format(self, record: logging.LogRecord) -> str:
        """The line of one record."""
        line = " ".join(super().formatMessage(self._prepared(record)).splitlines())
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line += f": {type(error).__name__}: {' '.join(str(error).splitlines())}"
            if self._with_traces:
                line += "\n" + self.formatException(record.exc_info)
        return mask(line, self._secrets)

    def _prepared(self, record: logging.LogRecord) -> logging.LogRecord:
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, self.datefmt)
        return record


def configure_logging(settings: Settings) -> None:
    """Send this process's log to stderr: our own packages at LOG_LEVEL, the others when they warn."""
    debug = settings.log_level == "DEBUG"
    handler = logging.StreamHandler()
    handler.setFormatter(OneLineFormatter(secret_values(settings), with_traces=debug))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for package in OUR_PACKAGES:
        logging.getLogger(package).setLevel(settings.log_level)
