"""The command line with all its commands."""

from __future__ import annotations

from locator_search.cli.main import command_line

app = command_line()
