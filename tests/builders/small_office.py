"""A folder of small text files and their entries in a real index, for searches over a known number of hits.

Summaries and keywords are given, so nothing is asked of a chat model; terms and embeddings are the real offline ones.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from locator_search.adapters.local_files.access import LocalAccessChecker
from locator_search.adapters.local_files.source import LocalFolderSource
from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.adapters.postgres import Database, PostgresFileRegistry, PostgresIndexStore, PostgresSearchLog
from locator_search.adapters.postgres.index.documents import PostgresVersionReader
from locator_search.adapters.postgres.search.unread_search import PostgresUnreadReader
from locator_search.config.settings import Settings
from locator_search.drive_search.searcher import DriveSearch
from locator_search.indexing.entry import analyse_chunks, embed_file, make_entry
from locator_search.model import Chunk, FileRef, FileSummary
from tests.fakes.clock import HeldClock
from tests.fakes.search_parts import ANSWERS, ScriptedModel


@dataclass(frozen=True)
class Paper:
    """One file to be. `path` is below the office's folder."""

    path: str
    text: str
    keywords: tuple[str, ...] = ("週報",)
    modified_at: datetime = datetime(2026, 11, 1, 3, 0, tzinfo=UTC)


class SmallOffice:
    """The files of an office, indexed, and the search over them. `model` answers as scripted."""

    def __init__(self, folder: Path, database: Database, papers: Sequence[Paper]) -> None:
        self.folder = folder / "会社"
        self.folder.mkdir()
        self.papers = {paper.path: paper for paper in papers}
        for paper in papers:
            _write(self.folder / paper.path, paper)
        self.embedder = OfflineEmbedder()
        self.index = PostgresIndexStore(database)
        for file in LocalFolderSource([self.folder]).list_files():
            self._index(file)
        self.model = ScriptedModel(ANSWERS | {"search_keywords": {"keywords": []}})
        self.search = DriveSearch(
            index=self.index,
            versions=PostgresVersionReader(database),
            unread=PostgresUnreadReader(database),
            embedder=self.embedder,
            chat_model=self.model,
            access_checker=LocalAccessChecker([self.folder], PostgresFileRegistry(database)),
            search_log=PostgresSearchLog(database),
            clock=HeldClock(),
            settings=Settings(),
        )

    def _index(self, file: FileRef) -> None:
        paper = self.papers[f"{file.folder_path}/{file.file_name}".removeprefix(f"{self.folder.name}/")]
        summary = FileSummary(paper.text[:60], paper.keywords)
        chunk = Chunk(ordinal=0, text=paper.text, start=0, end=len(paper.text))
        entry = make_entry(
            file,
            summary,
            embed_file(file, summary, [chunk], analyse_chunks([chunk]), {}, self.embedder),
            content_hash=hashlib.sha256(paper.text.encode()).hexdigest(),
            parser_version="test",
            chunker_version="test",
            embedding_model=self.embedder.model_name,
            chat_model="test",
        )
        self.index.replace(entry, "test")


def _write(path: Path, paper: Paper) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(paper.text, encoding="utf-8")
    os.utime(path, (paper.modified_at.timestamp(), paper.modified_at.timestamp()))
