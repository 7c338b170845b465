"""The sample meetings that travel with the program: what they promise to hold, and that our own code reproduces it."""

from __future__ import annotations

from pathlib import Path

import pytest

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.threegpp_ftp.unpacking import ZipUnpacker
from locator_search.config.bundled import sample_meetings
from tests.builders.sample_meetings.archive import write_archive


@pytest.mark.large
def test_our_builder_writes_what_is_kept(tmp_path: Path, extractor: IsolatedExtractor) -> None:
    """Compared by text: containers hold the time they were written."""
    (tmp_path / "built").mkdir()
    for path in write_archive(tmp_path / "built"):
        built, kept = (_texts(root / path, extractor, tmp_path) for root in (tmp_path / "built", sample_meetings()))
        assert built == kept, path


def test_there_are_two_meetings_with_lists_and_documents_of_every_kind() -> None:
    files = {path.relative_to(sample_meetings()).as_posix() for path in sample_meetings().rglob("*") if path.is_file()}
    assert {name.partition("/")[0] for name in files} == {"TSGS1_110_Fukuoka", "TSGS1_111_Goteborg"}
    assert {Path(name).suffix for name in files} == {".zip", ".doc", ".docx", ".pdf", ".xlsx"}
    assert sum("/Docs/" in name for name in files) == 8


def _texts(path: Path, extractor: IsolatedExtractor, tmp_path: Path) -> dict[str, object]:
    bodies = tmp_path / "bodies"
    bodies.mkdir(exist_ok=True)
    members = ZipUnpacker().unpack(path, path.name, bodies)
    return {member.name: extractor.extract(member.path).document for member in members if member.path is not None}
