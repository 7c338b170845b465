"""`document-locator extract`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from locator_search.cli.operating.extract import extract
from tests.builders.files.pdfs import pdf, scanned_pdf

KEYS = {"path", "state", "reason", "text", "pages", "mime_type", "seconds"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with three files in `in`."""
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "in" / "2024"
    inside.mkdir(parents=True)
    pdf(inside / "報告.pdf", [["一枚目"], ["二枚目"]])
    scanned_pdf(inside / "scan.pdf")
    (tmp_path / "in" / "memo.txt").write_text("覚え書き [draft]", encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(extract)
    return CliRunner().invoke(app, list(arguments))


def test_json_describes_every_file_of_a_folder(folder: Path) -> None:
    result = run("in", "--json")
    files = json.loads(result.stdout)["files"]
    assert result.exit_code == 0
    assert [Path(file["path"]).name for file in files] == ["scan.pdf", "報告.pdf", "memo.txt"]
    assert all(set(file) == KEYS for file in files)
    assert files[0]["state"] == "empty"
    assert files[0]["reason"] == "The PDF has no text layer (a scan?); it needs OCR."
    assert files[1]["text"].replace("\n", "") == "一枚目\f二枚目"
    assert files[1]["pages"] == 2


def test_out_writes_text_and_description_under_the_same_relative_paths(folder: Path) -> None:
    (folder / "out" / "2024").mkdir(parents=True)
    (folder / "out" / "2024" / "scan.pdf.txt").write_text("left from an earlier run")
    assert run("in", "--out", "out").exit_code == 0
    written = {str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*") if path.is_file()}
    assert written == {"2024/報告.pdf.txt", "2024/報告.pdf.json", "2024/scan.pdf.json", "memo.txt.txt", "memo.txt.json"}
    assert (folder / "out" / "memo.txt.txt").read_text(encoding="utf-8") == "覚え書き [draft]"
    described = json.loads((folder / "out" / "2024" / "報告.pdf.json").read_text(encoding="utf-8"))
    assert (described["state"], described["pages"]) == ("ok", 2)


def test_what_was_written_is_not_read_again(folder: Path) -> None:
    assert run("in", "--out", "in/texts").exit_code == 0
    assert run("in", "--out", "in/texts").exit_code == 0
    assert not list(folder.rglob("*.txt.txt.txt"))


def test_without_options_the_text_is_printed_as_it_is(folder: Path) -> None:
    result = run("in/memo.txt")
    assert result.stdout == "覚え書き [draft]\n"
    assert "[読み取り済み、" in result.stderr


@pytest.mark.parametrize("arguments", [("nowhere.pdf",), ("in/memo.txt", "copy/memo.txt", "--out", "out")])
def test_wrong_arguments_are_one_sentence_and_status_2(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / "copy").mkdir()
    (folder / "copy" / "memo.txt").write_text("another")
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert not (folder / "out").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_reported_with_the_others(folder: Path) -> None:
    (folder / "in" / "memo.txt").chmod(0)
    files = json.loads(run("in", "--json").stdout)["files"]
    assert files[-1]["reason"] == "memo.txt may not be read by this user."
