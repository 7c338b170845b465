"""Logging: one line per message on stderr, never with a secret, never with a character a terminal obeys."""

from __future__ import annotations

import json
import logging

from locator_search.config.settings import Settings
from locator_search.core.masking import mask
from locator_search.text.visible import printable_lines

OUR_PACKAGES = ("locator_search", "locator_assets", "streamlit_app")
REPEATED_AFTER = 30.0
"""Seconds."""
MOST_REMEMBERED = 1000


class OneLineFormatter(logging.Formatter):
    """Writes a record as one masked line; a stack trace follows it at LOG_LEVEL=DEBUG only."""

    def __init__(self, *, with_traces: bool = False) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", datefmt="%Y-%m-%dT%H:%M:%S%z")
        self._with_traces = with_traces

    def format(self, record: logging.LogRecord) -> str:
        """The line of one record."""
        line = " ".join(super().formatMessage(self._prepared(record)).splitlines())
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line += f": {type(error).__name__}: {' '.join(str(error).splitlines())}"
            if self._with_traces:
                line += "\n" + self.formatException(record.exc_info)
        return printable_lines(mask(line))

    def _prepared(self, record: logging.LogRecord) -> logging.LogRecord:
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, self.datefmt)
        return record


class JsonFormatter(OneLineFormatter):
    """Writes a record as one masked JSON object on a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """The object of one record."""
        self._prepared(record)
        told = {"time": record.asctime, "level": record.levelname, "logger": record.name, "message": record.message}
        if record.exc_info and record.exc_info[1] is not None:
            told["error"] = f"{type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
            if self._with_traces:
                told["trace"] = self.formatException(record.exc_info)
        return json.dumps({key: mask(value) for key, value in told.items()})


class NotTwice(logging.Filter):
    """Drops a sentence that was said just now: when a service is down, many threads have the same to say."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written; of two threads at the very same moment both may be heard."""
        sentence = (record.name, record.getMessage())
        if record.created - self._logged.get(sentence, float("-inf")) < REPEATED_AFTER:
            return False
        if len(self._logged) >= MOST_REMEMBERED:
            self._logged.clear()
        self._logged[sentence] = record.created
        return True


def configure_logging(settings: Settings) -> None:
    """Send this process's log to stderr: our own packages at LOG_LEVEL, the others when they warn."""
    debug = settings.log_level == "DEBUG"
    handler = logging.StreamHandler()
    formatter = JsonFormatter if settings.log_format == "json" else OneLineFormatter
    handler.setFormatter(formatter(with_traces=debug))
    if not debug:
        handler.addFilter(NotTwice())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for package in OUR_PACKAGES:
        logging.getLogger(package).setLevel(settings.log_level)
