"""What is wrong with a command line, in the language that is set: Typer knows it in English alone."""

from __future__ import annotations

import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import typer
from typer.exceptions import TyperException

from locator_search.cli.shared.help import NAMES, sentences
from locator_search.config.settings import language_set
from locator_search.locales import Language

_ABORTED: dict[Language, str] = {"ja": "中止しました。", "en": "Aborted."}
_OF_A_VALUE = re.compile(r"Invalid value(?: for (.+?))?: (.+)", re.DOTALL)
"""The option or argument that a value was given for, and what is wrong with it."""


def tell(error: TyperException | typer.Abort) -> int:
    """Print the mistake, the usage, and where more is said, on stderr; help that was not asked for as it is. Returns
    the exit status."""
    language = language_set()
    if isinstance(error, typer.Abort):
        print(_ABORTED[language], file=sys.stderr)
        return 1
    message, context = error.format_message().replace(": Value error, ", ": ", 1), getattr(error, "ctx", None)
    if message:
        print(in_japanese(message) if language == "ja" else message, file=sys.stderr)
    if context is not None and type(error).__name__ != "NoArgsIsHelpError":
        titles = (sentences()["Usage"], "説明") if language == "ja" else ("Usage", "Help")
        after = context.get_usage().partition(": ")[2], f"{context.command_path} {NAMES[0]}"
        print(*map(": ".join, zip(titles, after, strict=True)), sep="\n", file=sys.stderr)
    return error.exit_code


def in_japanese(message: str) -> str:
    """The Japanese sentence, or the message as it is where it has none: then it is one of ours."""
    if wrong := _OF_A_VALUE.fullmatch(message):
        return f"{wrong[1]} の値: {in_japanese(wrong[2])}" if wrong[1] else in_japanese(wrong[2])
    for pattern, sentence in _patterns():
        if found := pattern.fullmatch(message):
            return found.expand(sentence)
    return message


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    written = tomllib.loads(Path(__file__).with_name("wrong_usage.ja.toml").read_text("utf-8"))
    return [(re.compile(pattern, re.DOTALL), sentence) for pattern, sentence in written.items()]
