"""The entry with which an application starts our server: absolute paths only, for its environment is bare."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from locator_search.config.settings import Settings


def client_config(directory: Path) -> dict[str, object]:
    """The `mcpServers` object of Claude Desktop and Cursor, for the index that this folder's `.env` names.

    Settings of the environment travel along, except those that are secret.
    """
    program, *arguments = _program()
    server: dict[str, object] = {
        "command": program,
        "args": [*arguments, "mcp", "--directory", str(directory.absolute())],
        "env": {name: os.environ[name] for name in _settings_of_the_environment(secret=False)},
    }
    return {"mcpServers": {"document-locator": server}}


def secrets_left_out() -> list[str]:
    """The names of the secret settings that only the environment knows."""
    return _settings_of_the_environment(secret=True)


def _settings_of_the_environment(*, secret: bool) -> list[str]:
    names = (name.upper() for name, field in Settings.model_fields.items() if field.repr is not secret)
    return sorted(name for name in names if os.environ.get(name, "").strip())


def _program() -> tuple[str, ...]:
    # Not resolved: the interpreter of a virtual environment is a link, and the environment is where the link is.
    python = Path(sys.executable)
    script = python.with_name("document-locator")
    return (str(script),) if script.exists() else (str(python), "-m", "locator_search.cli.main")
