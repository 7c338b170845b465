"""`document-locator contributions`: with the sample meetings, as on a machine without a network."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from locator_search.adapters.libreoffice import LibreOfficeConverter
from tests.builders.command_line import app

RUNNER = CliRunner()


@pytest.fixture(autouse=True)
def _settings(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))


def test_from_the_sample_meetings_to_the_index(tmp_path: Path) -> None:
    """S1-254001 has Word's page marks and S1-254004 is a PDF: both have pages without LibreOffice, too."""
    pages = "rendition" if LibreOfficeConverter().available else "word_marks"
    synced = RUNNER.invoke(app, ["contributions", "sync", "SA1-111", "--json"])
    assert synced.exit_code == 0, synced.stderr
    assert "CONTRIBUTIONS_ARCHIVE_URL" in synced.stderr  # it says that these are samples
    (meeting,) = json.loads(synced.stdout)["meetings"]
    assert (meeting["meeting_id"], meeting["contributions"], meeting["files"]) == ("SA1#111", 7, 6)
    assert meeting["tdoc_list"] == "TDoc_List_Meeting_SA1#111.xlsx"

    listed = RUNNER.invoke(app, ["contributions", "list", "--agenda", "6", "--status", "agreed", "--json"])
    (agreed,) = json.loads(listed.stdout)["contributions"]
    assert (agreed["number"], agreed["revision_of"], agreed["state"]) == ("S1-254001r01", "S1-254001", "listed")

    table = tmp_path / "meeting.xlsx"
    meeting = RUNNER.invoke(
        app, ["contributions", "meeting", "SA1-111", "--agenda", "6", "--out", str(table), "--json"]
    )
    by_row = {row["number"]: row for row in json.loads(meeting.stdout)["rows"]}
    assert (by_row["S1-254001"]["revised_to"], by_row["S1-254001"]["decision"]) == ("S1-254001r01", "agreed")
    page = openpyxl.load_workbook(table).worksheets[1]
    assert [cell.value for cell in page[2]][:3] == ["議題", "寄書", "題名"]
    assert page.max_row == 2 + len(by_row)
    assert RUNNER.invoke(app, ["contributions", "meeting", "SA1-111", "--out", "meeting.exe"]).exit_code == 2

    normalised = RUNNER.invoke(app, ["contributions", "normalise", "S1-254001", "--json"])
    assert json.loads(normalised.stdout)["stopped"] == 1, normalised.stderr
    command = ["contributions", "index", "S1-254001", "SA1#111/S1-254004", "S1-254006", "--json"]
    indexed = json.loads(RUNNER.invoke(app, command).stdout)
    assert (indexed["indexed"], indexed["skipped"], indexed["failed"], indexed["sample"]) == (2, 1, 0, True)
    by_number = {one["number"]: one for one in indexed["contributions"]}
    assert (by_number["S1-254001"]["pages_from"], by_number["S1-254001"]["tracked_changes"]) == (pages, 4)
    assert by_number["S1-254004"]["pages_from"] == "exact"
    assert by_number["S1-254006"]["reason"] == "no-file"

    (shown,) = json.loads(RUNNER.invoke(app, ["contributions", "show", "S1-254001", "--json"]).stdout)["contributions"]
    assert (shown["cover"]["specification"], shown["cover"]["clauses_affected"]) == ("22.900", "5.2.1, 5.2.1a, A.1")
    assert [(one["state"], one["pages"]) for one in shown["documents"]] == [("ok", pages)]
    told = RUNNER.invoke(app, ["contributions", "show", "S1-254001", "S1-254006"]).stdout
    assert "  仕様書: 22.900" in told
    assert "処理: 対象外（ファイルがまだない）" in told
    by_release = RUNNER.invoke(app, ["contributions", "list", "--release", "Rel-20", "--spec", "22.900", "--json"])
    assert "S1-254001" in {one["number"] for one in json.loads(by_release.stdout)["contributions"]}


def test_what_nobody_has_is_a_wrong_argument() -> None:
    meeting = RUNNER.invoke(app, ["contributions", "sync", "SA1#999"])
    contribution = RUNNER.invoke(app, ["contributions", "index", "S9-999999"])
    assert (meeting.exit_code, contribution.exit_code) == (2, 2)
    assert "保管場所に会合 SA1#999 がありません。" in meeting.stderr
    assert "S9-999999 という寄書はありません。" in contribution.stderr


def test_a_folder_without_meetings_is_one_sentence_and_exit_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTRIBUTIONS_ARCHIVE_URL", str(tmp_path))
    failed = RUNNER.invoke(app, ["contributions", "sync"])
    assert failed.exit_code == 1
    assert "に会合がありません" in failed.stderr


def test_without_libreoffice_a_doc_says_everywhere_that_its_changes_were_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    RUNNER.invoke(app, ["contributions", "sync", "SA1-111"])
    indexed = RUNNER.invoke(app, ["contributions", "index", "S1-254003"])
    shown = RUNNER.invoke(app, ["contributions", "show", "S1-254003"])
    analysed = json.loads(RUNNER.invoke(app, ["contributions", "analyse", "S1-254003", "--json"]).stdout)
    assert all("変更履歴がありません" in one.stdout for one in (indexed, shown)), (indexed.output, shown.output)
    assert analysed["changes"] == []
    (note,) = (note for note in analysed["notes"] if "変更履歴" in note)
    assert "S1-254003" in note
    assert "LibreOffice" in note
