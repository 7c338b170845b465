"""MCP servers that others wrote and tests run unmodified."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

FETCHED = Path(__file__).parents[2] / ".node-servers" / "node_modules" / ".bin"
"""Where `make node-servers` puts them."""


def server_of_others(program: str, setting: str) -> str | None:
    """The path of a program: as the variable `setting` names it, on the PATH, or fetched; None where it is not."""
    named = os.environ.get(setting)
    return shutil.which(named or program) or (None if named else shutil.which(program, path=str(FETCHED)))


def how_to_get(program: str) -> str:
    """Why a test is skipped."""
    return f"{program} is not installed: `make node-servers`"
