"""The built wheel carries everything and works outside the checkout, without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


def run(*words: str | Path, folder: Path, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LOCATOR_", "DAGSTER", "PYTHON"))}
    result = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**kept, "DATABASE_URL": "", "SUPABASE_URL": "", **environment},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, folder=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment that sees the packages of this one, but not the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    places = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder).strip()
    Path(places, "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = (sys.executable, "-m", "pip", "--python", python, "--no-cache-dir", "--quiet")
    run(*pip, "install", "--no-index", "--no-deps", "--ignore-installed", wheel, folder=folder)
    return folder / "bin"


def test_the_wheel_carries_tables_pages_samples_and_the_dagster_location(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    bundled = {str(path.relative_to(ROOT)) for folder in ("sql", "samples") for path in (ROOT / folder).rglob("*.*")}
    bundled |= {"workspace.yaml", "dagster.yaml"}
    assert {f"locator_search/_bundled/{name}" for name in bundled} <= names
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "locator_search/adapters").rglob("*.sql")} <= names
    assert {"streamlit_app/app.py", "streamlit_app/shared/style.css", "locator_assets/definitions.py"} <= names
    assert {"streamlit_app/shared/parts.html.jinja", "streamlit_app/x/x.html.jinja"} <= names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_installed_command_applies_its_tables_and_searches(installed: Path, tmp_path: Path) -> None:
    home = {"LOCATOR_HOME": str(tmp_path / "home")}
    where = run(installed / "python", "-c", "import locator_search; print(locator_search.__file__)", folder=tmp_path)
    assert where.startswith(str(installed.parent))
    run(installed / "document-locator", "db", "apply", "--json", folder=tmp_path, **home)
    found = run(installed / "document-locator", "search", "議事録", "--json", "--no-input", folder=tmp_path, **home)
    assert json.loads(found)["outcome"] == "not_found"


def test_the_installed_dagster_location_loads(installed: Path, tmp_path: Path) -> None:
    program = (
        "from locator_assets.definitions import defs; print(len(list(defs.resolve_asset_graph().get_all_asset_keys())))"
    )
    assert int(run(installed / "python", "-c", program, folder=tmp_path, PYTHONWARNINGS="ignore")) >= 5
