"""Mistakes in a command line, told in the language that is set: Typer knows English alone."""

from __future__ import annotations

import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import typer
from typer.exceptions import TyperException

from locator_search.cli.shared.help import NAMES
from locator_search.config.settings import language_set

_OF_A_VALUE = re.compile(r"Invalid value( for .+?)?: (.+)", re.DOTALL)
"""The option or argument that a value was given for, and what is wrong with it."""


def tell(error: TyperException | typer.Abort) -> int:
    """Print the mistake, the usage, and where more is said, on stderr; help that was not asked for as it is. Returns
    the exit status."""
    say = in_japanese if language_set() == "ja" else str
    if isinstance(error, typer.Abort):
        print(say("Aborted."), file=sys.stderr)
        return 1
    message, context = error.format_message().replace(": Value error, ", ": ", 1), getattr(error, "ctx", None)
    if message:
        print(say(message), file=sys.stderr)
    if context is not None and type(error).__name__ != "NoArgsIsHelpError":
        print(f"{say('Usage')}: {context.get_usage().partition(': ')[2]}", file=sys.stderr)
        print(f"{say('Help')}: {context.command_path} {NAMES[0]}", file=sys.stderr)
    return error.exit_code


def in_japanese(message: str) -> str:
    """The Japanese sentence, or the message as it is where it has none: then it is one of ours."""
    if wrong := _OF_A_VALUE.fullmatch(message):
        return f"{in_japanese(wrong[1].strip())}: {in_japanese(wrong[2])}" if wrong[1] else in_japanese(wrong[2])
    for pattern, sentence in _patterns():
        if found := pattern.fullmatch(message):
            return found.expand(sentence)
    return message


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    written = tomllib.loads(Path(__file__).with_name("wrong_usage.ja.toml").read_text("utf-8"))
    return [(re.compile(pattern, re.DOTALL), sentence) for pattern, sentence in written.items()]
