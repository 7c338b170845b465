"""A command line that is wrong: what the mistake is, in the language that is set, and never with a stack trace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders.commands import run_command

MISTAKES = {
    ("search",): "'question' を指定してください。",
    ("search", "x", "--limit", "abc"): "'--limit' の値: 整数ではありません。",
    ("search", "x", "--limit"): "--limit には値が要ります。",
    ("search", "x", "--json=1"): "--json に値は付けられません。",
    ("search", "x", "y"): "余分な引数があります: y。空白を含む言葉は引用符で囲んでください。",
    ("serch",): "「serch」というコマンドはありません。近いもの: 'search', 'searches', 'serve'",
    ("zzz",): "「zzz」というコマンドはありません。",
    ("status", "--jso"): "--jso というオプションはありません。近いもの: --json",
    ("--nothing",): "--nothing というオプションはありません。",
    ("evaluate", ".", "--half", "7"): "'--half' の値: 2 以下で指定してください。",
    ("evaluate", ".", "--half", "0"): "'--half' の値: 1 以上で指定してください。",
    ("evaluate", ".", "--mode", "foo"): "'--mode' の値: 「foo」は次のどれでもありません: 'hybrid', 'vector', 'keyword'",
}


def said(folder: Path, words: tuple[str, ...], language: str) -> list[str]:
    """The lines on stderr of a command that ends with exit status 2 and prints nothing else."""
    environment = {**os.environ, "LOCATOR_LANGUAGE": language, "LOCATOR_HOME": str(folder / "home")}
    ended = run_command(*words, environment=environment, folder=folder)
    assert (ended.returncode, ended.stdout) == (2, "")
    return ended.stderr.splitlines()


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_the_mistake_is_told_in_japanese(tmp_path: Path, words: tuple[str, ...]) -> None:
    first, *usage = said(tmp_path, words, "ja")
    assert first == MISTAKES[words]
    assert [line.partition(": ")[0] for line in usage] in ([], ["使い方", "説明"])


def test_the_mistake_is_told_in_english(tmp_path: Path) -> None:
    assert said(tmp_path, ("evaluate", ".", "--mode", "foo"), "en") == [
        "Invalid value for '--mode': 'foo' is not one of 'hybrid', 'vector', 'keyword'.",
        "Usage: document-locator evaluate [OPTIONS] [DIR]",
        "Help: document-locator evaluate -h",
    ]
