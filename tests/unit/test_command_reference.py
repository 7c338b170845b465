"""The reference of commands is what the program says of itself, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from locator_search.cli.main import main
from tests.builders.command_reference import pages, untranslated

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["commands.md", "commands.ja.md"])
def test_the_reference_is_what_the_program_says(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == pages()[name], "run `make reference`"


def test_the_usage_has_brackets_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["status"], ["extract"], ["contributions", "normalise"], ["x", "forget"], ["live", "add"]):
        monkeypatch.setattr("sys.argv", ["document-locator", *words, "--help"])
        with pytest.raises(SystemExit):
            main()
        usage = next(line for line in capsys.readouterr().out.splitlines() if "document-locator" in line)
        assert not re.search(r"\[\[|\]\]|\.{4}|\.\.\.[\]}]", usage)


def test_help_is_whole_in_japanese(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LOCATOR_LANGUAGE", "ja")
    for words in (["search", "--help"], ["db"], []):
        monkeypatch.setattr("sys.argv", ["document-locator", *words])
        with pytest.raises(SystemExit):
            main()
        said = "".join(capsys.readouterr())
        assert "この説明を表示して終わります。" in said
        assert not re.search(r"[a-z]+ [a-z]+ [a-z]+ [a-z]+", said), "four English words in a row"
        assert "…" not in said
        assert not re.search(r"Usage|Options:|Commands:|Arguments:|default:|required", said)


def test_every_sentence_of_help_has_a_japanese_one_and_no_other_has() -> None:
    assert untranslated() == (set(), set())
