"""Temporary folders go with their process, and what a killed one left goes with the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from locator_search.core import temporary
from locator_search.core.errors import ConfigurationError, StoreUnavailable
from locator_search.core.temporary import remove_left_over, temporary_folder

KEEPS_A_FOLDER = """
import time
from locator_search.core.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "fetched.pdf").touch()
    print(folder, flush=True)
    time.sleep(250)
"""


@pytest.fixture(autouse=True)
def _folder_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "YOUNG_SECONDS", -1.0)
    remove_left_over.cache_clear()


def process_with_a_folder() -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen([sys.executable, "-c", KEEPS_A_FOLDER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_folder_ends_with_its_block() -> None:
    with temporary_folder("office") as folder:
        (folder / "a").touch()
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_uses_is_not(tmp_path: Path) -> None:
    (tmp_path / "document-locator-of-mine").mkdir()
    killed, left = process_with_a_folder()
    living, used = process_with_a_folder()
    try:
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        assert left.exists()
        with temporary_folder():
            assert not left.exists()
            assert used.exists()
            assert (tmp_path / "document-locator-of-mine").exists()
    finally:
        living.kill()
        living.wait()


def test_a_place_where_no_folder_can_be_made_is_named_and_is_no_missing_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    with pytest.raises(ConfigurationError, match="No temporary folder can be made"), temporary_folder():
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_disk_is_said_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=1", "tmpfs", str(tmp_path)], check=False)
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount a file system")
    try:
        with pytest.raises(StoreUnavailable, match=rf"disk of {tmp_path}"), temporary_folder():
            pass
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)
