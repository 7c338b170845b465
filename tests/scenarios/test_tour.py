"""The tour works as it is written: every command and every program of it runs, in order, on the sample company."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from locator_search.config.bundled import bundled
from tests.builders.commands import run_command

DOCS = Path(__file__).parents[2] / "docs"
TOURS = (DOCS / "tour.md", DOCS / "tour.ja.md")
SAID = {
    "search 北斗製鋼 --answer 契約書": "秘密保持契約書",
    "search ファイルサーバー移行計画書": "壊れている",
    "similar": "売上報告 2026年9月.pdf",
    "extract": "経費精算",
    "status --json": '"failed"',
    "crawler": "一覧 91",
    "mcp": "document-locator",
}
"""What a command that begins so has to say, in Japanese."""


def blocks(page: Path, kind: str) -> list[str]:
    """The blocks of code of one kind, in order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def commands(page: Path) -> list[str]:
    """The command lines, without the name of the program."""
    lines = re.findall(r"^\$ (.+)$", "".join(blocks(page, "console")), re.MULTILINE)
    assert [line for line in lines if not line.startswith("document-locator ")] == []
    return [line.removeprefix("document-locator ") for line in lines]


def test_every_command_and_program_of_the_tour_does_what_it_is_there_for(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(bundled("samples"), tmp_path / "samples")
    environment = {
        "PATH": "/usr/bin:/bin",
        "DATABASE_URL": database_url,
        "LOCATOR_HOME": str(tmp_path / "home"),
        "LOCATOR_FOLDERS": str(tmp_path / "samples"),
    }
    assert run_command("crawler", environment=environment, folder=tmp_path).returncode == 0
    heard = set()
    for line in commands(TOURS[0]):
        done = run_command(*shlex.split(line), environment=environment, folder=tmp_path)
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout.strip(), line
        for begin, words in SAID.items():
            if line.startswith(begin):
                assert words in done.stdout, (line, done.stdout)
                heard.add(begin)
    assert heard == SAID.keys()
    assert (tmp_path / "weekly.xlsx").stat().st_size > 0
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for program in blocks(TOURS[0], "python"):
        exec(compile(program, "tour.md", "exec"), {})
        assert "経営会議議事録_令和6年9月.docx" in capsys.readouterr().out


def test_both_languages_show_the_same_commands_programs_and_pictures() -> None:
    english, japanese = TOURS
    assert commands(english) == commands(japanese)
    assert blocks(english, "python") == blocks(japanese, "python")
    pictures = [re.findall(r"\]\((pictures/[^)]+)\)", page.read_text("utf-8")) for page in TOURS]
    assert pictures[0] == pictures[1]
    assert [picture for picture in pictures[0] if not (DOCS / picture).is_file()] == []
