"""The contracts that name packages name all of them, so that a new package is not left out by forgetting it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = "locator_search"
EXEMPT = {
    "Vendor packages stay in adapters": {"adapters", "dev"},
    "MCP is spoken by our server and by adapters": {"adapters", "dev", "mcp_server"},
    "Only what serves runs a web server": {"adapters", "dev", "guard", "mcp_server"},
    "The library knows neither Dagster nor Streamlit": {"cli"},
}
"""The packages that may do what a contract forbids."""


def packages() -> set[str]:
    return {path.parent.name for path in (ROOT / LIBRARY).glob("*/__init__.py")}


@pytest.mark.parametrize("name", EXEMPT)
def test_a_contract_holds_for_every_package_that_is_not_exempt(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [contract] = [one for one in project["tool"]["importlinter"]["contracts"] if one["name"] == name]
    named = {one.removeprefix(f"{LIBRARY}.") for one in contract["source_modules"] if one.startswith(f"{LIBRARY}.")}
    assert named == packages() - EXEMPT[name]


def test_no_module_stands_loose_beside_the_rooms() -> None:
    assert {path.name for path in (ROOT / LIBRARY).glob("*.py")} == {"__init__.py"}
    assert {path.name for path in (ROOT / LIBRARY / "cli").glob("*.py")} == {"__init__.py", "main.py"}
    assert {path.name for path in (ROOT / "streamlit_app").glob("*.py")} == {"__init__.py", "app.py", "pages.py"}


def test_a_port_is_a_small_file() -> None:
    ports = [path for path in (ROOT / LIBRARY / "ports").rglob("*.py") if path.name != "__init__.py"]
    assert {path.name: lines for path in ports if (lines := len(path.read_text("utf-8").splitlines())) > 150} == {}


def test_a_room_has_at_most_twenty_modules() -> None:
    rooms = [path.parent for top in (LIBRARY, "locator_assets", "streamlit_app") for path in (ROOT / top).rglob("*.py")]
    modules = {str(room.relative_to(ROOT)): len(list(room.glob("*.py"))) - 1 for room in rooms}
    assert {room: count for room, count in modules.items() if count > 20} == {}
