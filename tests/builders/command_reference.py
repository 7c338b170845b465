"""``python -m tests.builders.command_reference docs`` writes the reference of commands from the program itself.

Sentences are those of ``--help``; their Japanese stands in ``cli/shared/help.ja.toml``, by the English one, so that a
sentence that changed has none until somebody looks at it again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer.main

from locator_search.cli.shared.help import EXAMPLE, in_japanese, sentences
from tests.builders.command_line import app

VALUES = {int: "N", float: "N", str: "TEXT", Path: "PATH"}
EVERYWHERE = {"--json", "--quiet", "--version"}
"""Options that the head of the page explains."""
HEADS = {
    "en": """\
# Commands

Every command of `document-locator`, as `--help` shows it: the program itself writes this page (`make reference`).
[日本語](commands.ja.md)

Every command has `--help`, and all but those that serve have `--json`: one JSON document on stdout, everything else on
stderr. `--quiet` leaves out progress and notes, anywhere on the line. Without a command, `--version` prints the version
and `--install-completion` teaches your shell the names of commands and options.

| exit status | meaning |
|---|---|
| 0 | it did its work, whatever a search found and also when single files could not be read |
| 1 | it failed: the database, a service or every folder is out of reach |
| 2 | wrong usage or settings, named in one sentence with a hint |
| 130, 143 | it was stopped by Ctrl-C, or by SIGTERM |
""",
    "ja": """\
# コマンド

`document-locator` のすべてのコマンドです。このページはプログラム自身が書き出します（`make reference`）。
[English](commands.md)

どのコマンドにも `--help` があり、サーバーになるもの以外には `--json` があります。`--json` では JSON 文書を一つだけ
標準出力に、それ以外を標準エラー出力に書きます。`--quiet` は行のどこに書いても、進み具合と補足を省きます。
コマンドを書かずに `--version` を付けると版を表示し、`--install-completion` を付けるとシェルがコマンドと
オプションの名前を補完するようになります。

| 終了コード | 意味 |
|---|---|
| 0 | 仕事を終えた（検索結果の有無は問わない。一部のファイルを読めなかった場合も含む） |
| 1 | 失敗した（データベース、サービス、またはすべてのフォルダーに届かない） |
| 2 | 使い方か設定の誤り。一文とヒントで示す |
| 130、143 | Ctrl-C、または SIGTERM で止められた |
""",
}
COLUMNS = {"en": ("argument or option", "meaning", "default"), "ja": ("引数・オプション", "意味", "既定値")}


def main(folder: Path) -> None:
    """Write both pages into the folder."""
    for name, text in pages().items():
        (folder / name).write_text(text, "utf-8")


def pages() -> dict[str, str]:
    """The text of each page by its name."""
    return {"commands.md": _page("en"), "commands.ja.md": _page("ja")}


def untranslated() -> tuple[set[str], set[str]]:
    """English sentences without a Japanese one, and Japanese ones of no sentence that the program has."""
    needed = {sentence for _, command in _commands() for sentence in _sentences(command) if " / " not in sentence}
    needed |= {"Example", "Print one JSON document on stdout.", "Show this message and exit."}
    needed |= {"Usage", "Arguments", "Options", "Commands", "default", "required"}
    whole: Any = typer.main.get_command(app)
    needed |= {one.help for one in whole.params}
    return needed - sentences().keys(), sentences().keys() - needed


def _page(language: str) -> str:
    return "\n".join([HEADS[language], *(_section(name, command, language) for name, command in _commands())])


def _commands() -> Iterator[tuple[str, Any]]:
    """Every command with its whole name, groups before what is in them, except the program itself."""

    def below(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        for name, child in getattr(command, "commands", {}).items():
            if not child.hidden:
                yield " ".join((*path, name)), child
                yield from below(child, (*path, name))

    return below(typer.main.get_command(app), ())


def _shown(command: Any) -> tuple[list[str], list[Any]]:
    """Paragraphs of help, and parameters; a hidden command is what its group does without a name of a command."""
    hidden = [child for child in getattr(command, "commands", {}).values() if child.hidden]
    help_texts = [one.help for one in (command, *hidden)]
    paragraphs = [" ".join(part.split()) for text in help_texts for part in text.split("\n\n")]
    parameters = [one for each in (command, *hidden) for one in each.params]
    return paragraphs, [one for one in parameters if one.opts[0] not in EVERYWHERE]


def _sentences(command: Any) -> Iterator[str]:
    paragraphs, parameters = _shown(command)
    for paragraph in paragraphs:
        example = EXAMPLE.fullmatch(paragraph)
        yield from [] if example and example[1] == "Example" else [example[1] if example else paragraph]
    yield from (one.help for one in parameters)


def _section(name: str, command: Any, language: str) -> str:
    paragraphs, parameters = _shown(command)
    arguments = "".join(f" {_argument(one)}" for one in parameters if one.param_type_name == "argument")
    options = " [OPTIONS]" if any(one.param_type_name == "option" for one in parameters) else ""
    commands = " COMMAND" if [one for one in getattr(command, "commands", {}).values() if not one.hidden] else ""
    usage = [f"`document-locator {name}{commands}`"] if commands else []
    usage += [f"`document-locator {name}{options}{arguments}`"] if parameters or not commands else []
    lines = [f"{'###' if ' ' in name else '##'} {name}", "", " · ".join(usage), ""]
    for paragraph in paragraphs:
        if example := EXAMPLE.fullmatch(paragraph):
            title = "" if example[1] == "Example" else f"{_said(example[1], language)}:\n\n"
            kind, prompt = ("console", "$ ") if example[2].startswith("document") else ("cron", "")
            lines += [f"{title}```{kind}\n{prompt}{example[2]}\n```", ""]
        else:
            lines += [_said(paragraph, language), ""]
    if parameters:
        lines += [f"| {' | '.join(COLUMNS[language])} |", "|---|---|---|"]
        lines += [f"| {_name(one)} | {_cell(_said(one.help, language))} | {_default(one)} |" for one in parameters]
        lines += [""]
    return "\n".join(lines)


def _said(sentence: str, language: str) -> str:
    """A sentence of the program in one of both languages, as Markdown."""
    text = sentence.partition(" / ")[0] if language == "en" else in_japanese(sentence)
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*<])", r"\\\1", part) for part in parts)


def _argument(parameter: Any) -> str:
    """Its word as the usage has it: in brackets where it may be left out, with dots where several may be given."""
    word = parameter.metavar or str(parameter.name).upper()
    named = word if parameter.required else f"[{word}]"
    return f"{named}..." if parameter.nargs == -1 else named


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_cell(_argument(parameter))}`"
    value = "" if parameter.type_descriptor.annotation is bool else f" {_value(parameter)}"
    return f"`{_cell(parameter.opts[0] + value)}`"


def _value(parameter: Any) -> str:
    """The word for a value of an option, or the words it may be."""
    kinds = _kinds(parameter.type_descriptor.annotation)
    words = [str(word) for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    return str(parameter.metavar or "|".join(words) or next(VALUES[kind] for kind in kinds if kind in VALUES))


def _kinds(annotation: Any) -> list[Any]:
    """The type itself and those it is made of."""
    if get_origin(annotation) is Literal:
        return [annotation]
    return [annotation, *(kind for part in get_args(annotation) for kind in _kinds(part))]


def _default(parameter: Any) -> str:
    return "" if parameter.default in (None, False, "") else f"`{parameter.default}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
