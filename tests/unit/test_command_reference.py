"""The reference of commands is what the program says of itself, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.command_reference import pages, untranslated

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["commands.md", "commands.ja.md"])
def test_the_reference_is_what_the_program_says(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == pages()[name], "run `make reference`"


def test_every_sentence_of_help_has_a_japanese_one_and_no_other_has() -> None:
    assert untranslated() == (set(), set())
