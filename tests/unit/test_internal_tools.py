"""Principle 4 of the contribution design: what fetches, unpacks, converts or indexes is on no public surface."""

from __future__ import annotations

import ast
from pathlib import Path

import locator_search
import streamlit_app
from locator_search.app.locator import open_locator
from locator_search.config.settings import load_settings

INTERNAL = {"acquisition", "archive", "converter", "normaliser", "pipeline", "strategy", "extractor", "indexer"}
"""Names of parts that are for the command line and Dagster only."""
SURFACES = (Path(streamlit_app.__file__).parent, Path(locator_search.__file__).parent / "mcp_server")


def test_no_page_and_no_mcp_tool_touches_an_internal_part() -> None:
    touched = [
        f"{path.name}: .{node.attr}"
        for folder in SURFACES
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in INTERNAL
    ]
    assert touched == []


def test_the_names_are_those_of_real_parts(tmp_path: Path) -> None:
    locator = open_locator(load_settings(locator_home=tmp_path))
    parts = {*dir(type(locator)), *dir(type(locator.contributions))}
    assert parts >= INTERNAL
