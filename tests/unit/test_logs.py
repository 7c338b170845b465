"""The log: one line per message, no secrets, no stack traces unless asked."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from locator_search.config.logging import configure_logging
from locator_search.config.settings import Settings
from locator_search.core.masking import mask

LOGGER = logging.getLogger("locator_search.indexing.anything")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("locator_search")
    handlers, level, our_level = root.handlers[:], root.level, ours.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    ours.setLevel(our_level)


def settings(**values: object) -> Settings:
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


def test_a_secret_is_masked_wherever_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(settings(openai_api_key="sk-0123456789"))
    LOGGER.warning("refused key %s (header: Bearer sk-0123456789)", "sk-0123456789")
    line = capsys.readouterr().err
    assert "sk-0123456789" not in line
    assert line.count("***") == 2


def test_the_password_inside_a_url_is_a_secret_of_its_own() -> None:
    settings(database_url="postgresql://me:hunter22@db.example/locator")
    assert mask("auth failed: hunter22") == "auth failed: ***"


def test_nothing_a_terminal_obeys_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(settings())
    LOGGER.warning("a\x1b]0;owned\x07b\x9b31mc\u202ed\ud800e")
    line = capsys.readouterr().err
    assert line.rstrip("\n").endswith("a ]0;owned b 31mc d e")


def test_a_message_with_line_breaks_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(settings())
    LOGGER.info("first\nsecond\r\nthird")
    assert capsys.readouterr().err.count("\n") == 1


def test_an_exception_is_one_line_and_a_stack_trace_at_debug(capsys: pytest.CaptureFixture[str]) -> None:
    for level, expects_trace in (("INFO", False), ("DEBUG", True)):
        configure_logging(settings(log_level=level, openai_api_key="sk-0123456789"))
        error = ValueError("a bad value\nsk-0123456789")
        LOGGER.error("It failed", exc_info=error)
        text = capsys.readouterr().err
        assert "It failed: ValueError: a bad value" in text
        assert (text.count("\n") > 1) is expects_trace
        assert "sk-0123456789" not in text


def test_other_packages_speak_only_when_they_warn(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(settings(log_level="DEBUG"))
    logging.getLogger("some_vendor").info("chatter")
    logging.getLogger("some_vendor").warning("trouble")
    text = capsys.readouterr().err
    assert "chatter" not in text
    assert "trouble" in text


def test_a_sentence_is_not_said_twice_in_a_row_by_many_threads(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(settings())
    for count in (1, 2):
        for _ in range(7):
            LOGGER.warning("Trying again in %d s.", count)
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_sentence_is_said_again_after_a_while_and_always_when_debugging(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[float] = []
    monkeypatch.setattr("time.time", lambda: times[-1])
    configure_logging(settings())
    for seconds in (1_000.0, 1_029.0, 1_031.0):
        times.append(seconds)
        LOGGER.warning("again")
    assert len(capsys.readouterr().err.splitlines()) == 2
    configure_logging(settings(log_level="DEBUG"))
    LOGGER.warning("again")
    LOGGER.warning("again")
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_json_lines_hold_one_message_each_without_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(settings(log_format="JSON", openai_api_key="sk-0123456789"))
    LOGGER.warning('said "no" to %s', "sk-0123456789", exc_info=ValueError("two\nlines with sk-0123456789"))
    [line] = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["level"], told["logger"], told["message"]) == ("WARNING", LOGGER.name, 'said "no" to ***')
    assert told["error"] == "ValueError: two\nlines with ***"
