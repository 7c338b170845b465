"""`--help` in Japanese: the sentences that commands are written with have theirs in `help.ja.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import typer

NAMES = ["-h", "--help"]
EXAMPLE = re.compile(r"(?:(.+): )?((?:\*/10 \* \* \* \* )?document-locator .+)")
"""A command in a help text, after its title."""
_NOTES = re.compile(r"(?<=\[)default(?=: )|(?<=[\[ ])required(?=\]$)")
"""What Typer notes behind the help of an option."""


def asks_for_help(command: Any, words: Sequence[str]) -> bool:
    """Whether a command line shows help: it asks, or names a group of commands and none of them."""
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    return hasattr(command, "commands") or not set(NAMES).isdisjoint(words)


def put_into_japanese(command: Any) -> None:
    """The help of a command and of all below it, in plain lines: the tables would cut words that have no spaces."""
    for each in _with_all_below(command):
        each.rich_markup_mode = None
        each.context_class = _Context
        each.help = "\n\n".join(in_japanese(" ".join(part.split())) for part in each.help.split("\n\n"))
        each.short_help = each.help.split("。")[0] + "。" * ("。" in each.help)
        for option in (*each.params, each.get_help_option(typer.Context(each, help_option_names=NAMES))):
            option.help = in_japanese(option.help)


def in_japanese(sentence: str) -> str:
    """A sentence of help, or an example under its title; what is said in both languages has the Japanese last."""
    if example := EXAMPLE.fullmatch(sentence):
        return f"{in_japanese(example[1])}: {example[2]}" if example[1] else sentence
    english, _, japanese = sentence.partition(" / ")
    return japanese or sentences().get(english, english)


class _Formatter(typer.Context.formatter_class):  # type: ignore[valid-type, misc]
    """The words that Typer writes around our sentences, in Japanese."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or f"{sentences()['Usage']}: ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(sentences()[heading])

    def write_dl(self, rows: Sequence[tuple[str, str]], *measures: int) -> None:
        super().write_dl([(name, _NOTES.sub(_noted, words)) for name, words in rows], *measures)


class _Context(typer.Context):
    formatter_class = _Formatter


def _noted(note: re.Match[str]) -> str:
    return sentences()[note[0]]


@cache
def sentences() -> Mapping[str, str]:
    """The Japanese sentences by the English ones."""
    return tomllib.loads(Path(__file__).with_name("help.ja.toml").read_text("utf-8"))


def _with_all_below(command: Any) -> Iterator[Any]:
    yield command
    for child in getattr(command, "commands", {}).values():
        yield from _with_all_below(child)
