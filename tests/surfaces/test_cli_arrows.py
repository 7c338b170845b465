"""`document-locator search` on a terminal of its own: a narrowing question is answered key by key."""

from __future__ import annotations

import os
import re
import signal
import termios
from collections.abc import Iterator

import pytest

from tests.builders.terminal import Terminal

SEARCH = r"""
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from locator_search.app import locator
from locator_search.cli.main import main
from tests.fakes.scripted_index import folder_facet, retrieval
from tests.fakes.scripted_locator import ScriptedLocator
from tests.fakes.searches import ScriptedSearch
folders = (folder_facet(**{"経理部" * 8: 48, "営業部\x1b[2J\u202e": 12}),)
parts = ScriptedSearch((retrieval(60, facets=folders), retrieval(3)))
locator.open_locator = lambda settings: ScriptedLocator(parts)
sys.argv[1:] = ["search", "資料"]
try:
    main()
finally:
    asked = parts.index.asked
    print("folders:", [len(folder) for folder in asked[-1].filters.folders], "rounds:", len(asked))
"""
CHOOSE = r"""
import os, sys
from locator_search.app import locator
from locator_search.cli.main import main
from tests.fakes.scripted_index import retrieval
from tests.fakes.scripted_locator import ScriptedLocator
from tests.fakes.searches import ScriptedSearch
os.environ.pop("DISPLAY", None), os.environ.pop("WAYLAND_DISPLAY", None)
locator.open_locator = lambda settings: ScriptedLocator(ScriptedSearch((retrieval(3),)))
sys.argv[1:] = ["search", "資料", "--choose"]
main()
"""
UP, DOWN, ENTER, ESCAPE, CTRL_C, CTRL_D, ERASE = b"\x1b[A", b"\x1bOB", b"\r", b"\x1b", b"\x03", b"\x04", b"\x7f"
ACCOUNTS, SALES, NOBODY = "folders: [27]", "folders: [11]", "folders: []"


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal.running("-c", SEARCH, environment={**os.environ, "LOCATOR_LANGUAGE": "en"}) as opened:
        yield opened


def press(terminal: Terminal, *keys: bytes) -> int:
    """Press keys once the question stands there. The exit status."""
    terminal.read_until("Esc ends): ")
    for key in keys:
        os.write(terminal.fd, key)
    return terminal.read_to_the_end()


@pytest.mark.parametrize(
    ("keys", "folder"),
    [
        ([DOWN, ENTER], ACCOUNTS),
        ([DOWN + DOWN + ENTER], SALES),
        ([DOWN, DOWN, UP, ENTER], ACCOUNTS),
        ([UP, UP, ENTER], SALES),
        ([b"2", ENTER], SALES),
        ([DOWN, ERASE, b"2", ENTER], SALES),
        (["経理部".encode()[:4], ("経理部" * 8).encode()[4:], ENTER], ACCOUNTS),
        ([ENTER], NOBODY),
        (["経理部　の".encode(), ENTER], NOBODY),
        ([CTRL_D], NOBODY),
    ],
)
def test_arrows_numbers_and_words_answer_and_enter_alone_skips(
    terminal: Terminal, keys: list[bytes], folder: str
) -> None:
    assert press(terminal, *keys) == 0, terminal.shown
    assert folder in terminal.shown


@pytest.mark.parametrize(("key", "status"), [(ESCAPE, 128 + signal.SIGINT), (CTRL_C, 128 + signal.SIGINT)])
def test_escape_and_ctrl_c_end_it_and_leave_the_terminal_as_it_was(terminal: Terminal, key: bytes, status: int) -> None:
    assert press(terminal, DOWN, key) == status
    assert "Interrupted." in terminal.shown
    assert "rounds: 1" in terminal.shown
    assert termios.tcgetattr(terminal.fd) == terminal.before


def test_a_long_label_is_shown_whole_and_none_steers_the_terminal(terminal: Terminal) -> None:
    press(terminal, ENTER)
    assert "\x1b[2J" not in terminal.shown
    assert "\u202e" not in terminal.shown
    [asked] = re.findall(r"1\. (.*?)2\. ", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\s\s+", "", terminal.shown))[:1]
    assert asked == "経理部" * 8 + " (48)"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ([DOWN, ENTER], "example.com/0"),
        ([DOWN, DOWN, UP, UP, ENTER], "example.com/2"),
        ([b"2", ENTER], "example.com/1"),
        ([b"4", ENTER], "There is no result 4"),
        (["議事録".encode(), ENTER], "There is no result 議事録"),
        ([ENTER], ""),
    ],
)
def test_a_result_is_chosen_with_arrows_or_its_number(keys: list[bytes], told: str) -> None:
    with Terminal.running("-c", CHOOSE, environment={**os.environ, "LOCATOR_LANGUAGE": "en"}) as opened:
        status = press(opened, *keys)
        assert status == (2 if told.startswith("There is no") else 0)
        opening = re.sub(r"\s+", " ", opened.shown.rpartition("Esc ends): ")[2])
        assert told.replace(" ", "") in opening.replace(" ", "")
        assert ("example.com" in opening) == told.startswith("example.com")
