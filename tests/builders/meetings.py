"""A folder of meetings to fill, and the contribution system over it."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.libreoffice import LibreOfficeConverter
from locator_search.app.contributions import ContributionParts
from locator_search.app.locator import Locator
from locator_search.config.settings import load_settings
from locator_search.contributions.acquisition import SyncReport, find_meetings
from locator_search.contributions.stages import ContributionResult
from tests.builders.files.word import paragraph, word
from tests.fakes.clock import HeldClock

MEETING = "TSGS1_111_Goteborg"
MODIFIED = 1_755_000_000


def docx(*lines: str) -> bytes:
    """A Word document: lines that begin with a number are headings."""
    body = "".join(paragraph(line, "1" if line[:1].isdigit() else "") for line in lines)
    with TemporaryDirectory() as directory:
        return word(Path(directory) / "document.docx", body).read_bytes()


def zipped(entries: Mapping[str, bytes]) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


def put(root: Path, name: str, content: bytes, meeting: str = MEETING, at: int = MODIFIED) -> Path:
    """A file of a meeting, as people upload it."""
    path = root / meeting / "Docs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (at, at))
    return path


class ContributionBench:
    """The parts of the contribution system on a database of the test, without LibreOffice, with a clock that holds."""

    def __init__(
        self, address: str, database_url: str, home: Path, extractor: IsolatedExtractor, **settings: object
    ) -> None:
        self.locator = Locator(
            load_settings(database_url=database_url, locator_home=home, contributions_archive_url=address, **settings)
        )
        self.locator.clock = HeldClock()
        self.locator.extractor = extractor
        self.locator.contributions.converter = LibreOfficeConverter("no-such-program")

    @property
    def parts(self) -> ContributionParts:
        return self.locator.contributions

    def sync(self) -> list[SyncReport]:
        return [self.parts.acquisition.sync(meeting) for meeting in find_meetings(self.parts.archive)]

    def process(self, number: str, meeting: str = "SA1#111") -> ContributionResult:
        return self.parts.pipeline.process(f"{meeting}/{number}")

    def state(self, number: str) -> str:
        (known,) = self.parts.store.contributions(contribution_ids=[f"SA1#111/{number}"])
        return known.state

    def chunks(self) -> list[tuple[str, str | None, str]]:
        """File id, clause and chunker version of everything indexed."""
        query = "SELECT file_id, clause, chunker_version FROM file_chunk ORDER BY file_id, ordinal"
        with self.parts.database.connection() as connection:
            return connection.execute(query).fetchall()

    def close(self) -> None:
        """Without the extractor, which belongs to the session."""
        self.parts.close()
        if "database" in vars(self.locator):
            self.locator.database.close()
