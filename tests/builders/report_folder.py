"""A folder of small real files and its index, made by the product's own parts: what the tests of the pages look at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import psycopg
import pytest

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import load_settings
from locator_search.indexing.crawl import completed_sync, observe_source, record_snapshot

HOSTILE_NAME = "$x$ **b** <img src=x onerror=alert(1)> |c| :smile:.md"

WEEKLY_REPORTS = {
    f"{department}/週報_{number:02}.md": f"# 週報 第{number}週\n\n{department}の今週の作業と来週の予定。\n"
    for department in ("営業部", "開発部", "総務部")
    for number in range(1, 19)
}

SINGLE_FILES = {
    "総務部/経費精算の手順.md": "# 経費精算の手順\n\n領収書を添えて月末までに申請します。承認は上長が行います。\n",
    f"総務部/{HOSTILE_NAME}": "# 点検記録\n\n<script>alert(1)</script> と書かれた札を点検しました。$E=mc^2$\n",
    **{
        f"総務部/備品購入申請書_v{version}.md": "# 備品購入申請書\n\n希望する備品の名前と数量を書き、"
        f"総務部の相馬に提出します。上限は {version} 万円です。承認の後に発注し、届いた備品には管理番号を貼ります。\n"
        for version in (1, 2)
    },
    "総務部/壊れた台帳.pdf": "%PDF-1.7\nここで切れている\n",
    "総務部/玄関.png": "picture",
}


def indexed_reports(server: EmbeddedServer, root: Path, database_name: str) -> dict[str, str]:
    """Write these files below `root`, index them into a new database, and return the environment that opens it."""
    folder = write_files(root / "資料", {**WEEKLY_REPORTS, **SINGLE_FILES})
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database_name} TEMPLATE template")
    url, home = server.url.replace("/postgres?", f"/{database_name}?", 1), root / "home"
    with open_locator(load_settings(database_url=url, locator_folders=(str(folder),), locator_home=home)) as locator:
        index_everything(locator)
    return {"DATABASE_URL": url, "LOCATOR_FOLDERS": str(folder), "LOCATOR_HOME": str(home)}


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files with their contents below a folder, and return the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def trim_to_readers(monkeypatch: pytest.MonkeyPatch, home: Path, folder: Path, url: str) -> None:
    """Set the environment of commands that show a person only what that person may read in a folder."""
    own = {"LOCATOR_HOME": home, "LOCATOR_FOLDERS": folder, "DATABASE_URL": url, "LOCATOR_PERMISSIONS": 1}
    for name, value in own.items():
        monkeypatch.setenv(name, str(value))


def index_everything(locator: Locator) -> None:
    """One whole crawl, one file after the other."""
    started_at = locator.clock.now()
    snapshot = observe_source(locator.source, locator.registry, locator.indexer.version, started_at)
    record_snapshot(snapshot, locator.registry, locator.feed_log, locator.indexer.version, started_at)
    for file in snapshot.plan.to_index:
        locator.indexer.index_file(file)
    extent = locator.registry.extent()
    sync = completed_sync(extent, "full", started_at, locator.clock.now())
    assert sync is not None
    locator.status_reader.finish_sync(sync)


def remove_file(locator: Locator, name: str) -> None:
    """A file is deleted, and a crawl sees that."""
    (locator.folders[0] / name).unlink()
    snapshot = observe_source(locator.source, locator.registry, locator.indexer.version, locator.clock.now())
    locator.index.delete([*snapshot.plan.gone, *snapshot.plan.missing])
