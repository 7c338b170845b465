"""Documents that are like one file, out of an index of real files."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.core.errors import FileGone
from locator_search.drive_search.policy import similarity_of_group
from locator_search.model import Retrieval, RetrievalQuery, Vector
from locator_search.ports import IndexStore
from tests.builders.command_line import app
from tests.builders.report_folder import index_everything, trim_to_readers, write_files

FILES = {
    "営業/見積書_北斗製鋼.md": "# 見積書\n\n北斗製鋼への振動センサの見積。納期は三週間、支払は月末締め。\n",
    "営業/見積書_瀬戸内ポンプ.md": "# 見積書\n\n瀬戸内ポンプへの振動センサの見積。納期は四週間、支払は月末締め。\n",
    "営業/見積書_瀬戸内ポンプ_v2.md": "# 見積書\n\n瀬戸内ポンプへの振動センサの見積。納期は二週間、支払は月末締め。\n",
    "控え/見積書_北斗製鋼.md": "# 見積書\n\n北斗製鋼への振動センサの見積。納期は三週間、支払は月末締め。\n",
    "人事/見積書_研修.md": "# 見積書\n\n研修会社からの見積。振動センサの講習、支払は月末締め。\n",
    "総務/防災訓練.md": "# 防災訓練のお知らせ\n\n駐車場に集まり、点呼を受けてください。\n",
}
RULES = '[[rule]]\npath = "*"\nreaders = ["@example.com"]\n[[rule]]\npath = "人事"\nreaders = ["aki@example.com"]\n'


@pytest.fixture
def locator(database_url: str, tmp_path: Path) -> Iterator[Locator]:
    folder = write_files(tmp_path / "会社", FILES)
    settings = load_settings(database_url=database_url, locator_folders=(str(folder),), locator_home=tmp_path / "home")
    with open_locator(settings) as opened:
        index_everything(opened)
        yield opened


def id_of(locator: Locator, name: str, folder: str) -> str:
    parts = [locator.documents.part(file_id, 1, 1) for file_id in locator.documents.named(name, 5)]
    return next(part.file.file_id for part in parts if part and part.file.folder_path.endswith(folder))


def test_what_is_alike_comes_first_and_the_file_itself_its_copies_and_versions_do_not(locator: Locator) -> None:
    of_hokuto = locator.similar_files.similar_to(id_of(locator, "見積書_北斗製鋼.md", "営業"), 10, "ja")
    first = of_hokuto[0]
    assert first.file_name == "見積書_瀬戸内ポンプ_v2.md"
    assert [member.evidence.file_name for member in first.group] == ["見積書_瀬戸内ポンプ.md"]
    assert not {"見積書_北斗製鋼.md", "防災訓練.md"} & {item.file_name for item in of_hokuto}
    of_version = locator.similar_files.similar_to(id_of(locator, "見積書_瀬戸内ポンプ_v2.md", "営業"), 1, "ja")
    assert [item.file_name for item in of_version] == ["見積書_北斗製鋼.md"]


def test_the_more_similar_comes_first_whatever_the_words_said(
    locator: Locator, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, retrieve = id_of(locator, "見積書_北斗製鋼.md", "営業"), type(locator.index).retrieve

    def by_words(index: IndexStore, query: RetrievalQuery, embedding: Vector | None) -> Retrieval:
        found = retrieve(index, query, embedding)
        return replace(found, evidence=found.evidence[::-1])

    monkeypatch.setattr(type(locator.index), "retrieve", by_words)
    near = [similarity_of_group(item) for item in locator.similar_files.similar_to(asked, 10, "ja")]
    assert len(set(near)) > 1
    assert near == sorted(near, reverse=True)


def test_what_is_no_longer_at_its_source_is_left_out(locator: Locator) -> None:
    asked = id_of(locator, "見積書_北斗製鋼.md", "営業")
    for name in ("見積書_瀬戸内ポンプ.md", "見積書_瀬戸内ポンプ_v2.md"):
        (locator.folders[0] / "営業" / name).unlink()
    for limit in (10, 1):  # nor does it take the place of another
        found = locator.similar_files.similar_to(asked, limit, "ja")
        assert [item.file_name for item in found] == ["見積書_研修.md"]


def test_a_file_that_is_not_in_the_index_is_said_so(locator: Locator) -> None:
    with pytest.raises(FileGone, match="「local:x」は索引にありません。"):
        locator.similar_files.similar_to("local:x", 10, "ja")


def test_the_command_shows_a_person_only_what_that_person_may_read(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_files(tmp_path / "会社", {**FILES, ".locator-access.toml": RULES})
    trim_to_readers(monkeypatch, tmp_path / "home", folder, database_url)

    def run(mail: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setenv("LOCATOR_COMMAND_READERS", f"{pwd.getpwuid(os.getuid()).pw_name}={mail}" if mail else "")
        result = CliRunner().invoke(app, list(arguments))
        return result.exit_code, result.output

    assert run("", "crawler", "--json")[0] == 0
    names = {}
    for mail in ("aki@example.com", "hana@example.com"):
        status, printed = run(mail, "similar", "見積書_瀬戸内ポンプ.md", "--json")
        assert status == 0, printed
        names[mail] = {item["file_name"] for item in json.loads(printed)["evidence"]}
    assert names["aki@example.com"] - names["hana@example.com"] == {"見積書_研修.md"}
    status, printed = run("hana@example.com", "similar", "見積書_研修.md")
    assert (status, "「見積書_研修.md」は索引にありません。" in printed) == (1, True)
    status, printed = run("hana@example.com", "similar", "見積書_北斗製鋼.md")
    assert (status, printed.count("local:")) == (2, 2)
