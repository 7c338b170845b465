"""A choice on a terminal: arrow keys go through its lines, and a number or words answer it as well."""

from __future__ import annotations

import codecs
import os
import re
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from select import select

from rich.console import Group
from rich.live import Live
from rich.table import Column, Table
from rich.text import Text

from locator_search.cli.shared.lines import INDENT
from locator_search.cli.shared.output import console
from locator_search.text.visible import printable

_KEY = re.compile(r"\x1b(?:[\[O][0-?]*[ -/]*[@-~]|[^\x1b])?|.", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:[\[O][0-?]*)?\Z")
"""What may be the Escape key or the first bytes of another one."""
_REST_SECONDS = 0.1
_STEPS = {"\x1b[A": -1, "\x1bOA": -1, "\x1b[B": 1, "\x1bOB": 1}
_ENTER, _END, _ESCAPE, _ERASE, _ERASE_ALL = ("\r", "\n"), "\x04", "\x1b", ("\x7f", "\b"), "\x15"


def choose(question: str, choices: Sequence[str], prompt: str) -> str:
    """The number of the choice that was marked when Enter came, or the words typed; empty where it is skipped.

    Raises KeyboardInterrupt for Escape, as Ctrl-C does.
    """
    typed = ""
    with Live(console=console, auto_refresh=False, vertical_overflow="visible") as shown, _keyboard() as keys:
        console.show_cursor()  # people write here, some of them through an input method
        shown.update(_as_shown(question, choices, prompt, typed), refresh=True)
        for key in keys:
            if key in _ENTER or (key == _END and not typed):
                return typed
            if key == _ESCAPE:
                raise KeyboardInterrupt
            typed = _after(key, typed, len(choices))
            shown.update(_as_shown(question, choices, prompt, typed), refresh=True)
    return ""


def _after(key: str, typed: str, count: int) -> str:
    """The line after a key. An arrow puts the number of the next choice there."""
    if count and (step := _STEPS.get(key)):
        marked = int(typed) if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= count else int(step < 0)
        return str((marked + step - 1) % count + 1)
    if key in _ERASE:
        return typed[:-1]
    return "" if key == _ERASE_ALL else typed + key * (printable(key) == key)


def _as_shown(question: str, choices: Sequence[str], prompt: str, typed: str) -> Group:
    """The question, its choices with a mark at the one whose number is typed, and the line of the answer."""
    lines = Table.grid(Column(), Column(overflow="fold"))
    for number, choice in enumerate(choices, start=1):
        marked = typed == str(number)
        mark = Text("  > " if marked else INDENT, "bold cyan").append(f"{number}. ", "cyan")
        lines.add_row(mark, Text(printable(choice), "bold" if marked else ""))
    return Group(Text(printable(question), "bold"), lines, Text(prompt + typed))


@contextmanager
def _keyboard() -> Iterator[Iterator[str]]:
    """Keys as they are pressed. Ctrl-C stays a signal, and the terminal is left as it was."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _keys(terminal)
    finally:
        with suppress(termios.error):  # the window was closed
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _keys(terminal: int) -> Iterator[str]:
    """One key after the other, until the terminal is gone."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    with suppress(OSError):
        while read := os.read(terminal, 4096):
            text = decoder.decode(read)
            while _BEGUN.search(text) and select([terminal], [], [], _REST_SECONDS)[0]:
                text += decoder.decode(os.read(terminal, 4096))
            yield from _KEY.findall(text)
