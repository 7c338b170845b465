"""A disk of its own for a folder, whose size can be changed: a file system in memory. Only root may mount one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOMY = 1 << 31


def why_not() -> str:
    """Why there is no such disk on this machine; empty when there is."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux may mount a small disk"
    with tempfile.TemporaryDirectory() as place:
        tried = _run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place)
        if tried.returncode:
            return f"a small disk cannot be mounted: {tried.stderr.strip()}"
        _run("umount", place)
    return ""


def move_to_disk(folder: Path) -> None:
    """Put a folder on a roomy disk of its own, at the same place."""
    aside = folder.with_name(f"{folder.name}.aside")
    folder.rename(aside)
    folder.mkdir()
    _run("mount", "-t", "tmpfs", "-o", f"size={ROOMY},mode=755", "tmpfs", str(folder)).check_returncode()
    _run("cp", "-a", f"{aside}/.", str(folder)).check_returncode()
    _run("rm", "-rf", str(aside)).check_returncode()


def leave_free(folder: Path, free: int) -> None:
    """Make the disk of a folder so small that so many bytes are free, or so large that nobody will notice."""
    used = (status := os.statvfs(folder)).f_frsize * (status.f_blocks - status.f_bfree)
    _run("mount", "-o", f"remount,size={used + free}", str(folder)).check_returncode()


def is_full(folder: Path) -> bool:
    """Whether not even a small file fits any more."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize < 1 << 16


def remove_disk(folder: Path) -> None:
    """Take the disk away, with all that is on it."""
    _run("umount", "-l", str(folder))


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)
