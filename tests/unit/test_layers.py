"""The layers of the code, as import-linter sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"


def test_every_import_contract_is_kept() -> None:
    # In a process of its own: import-linter silences every logger that exists.
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=200, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_forbidden_import_is_seen_in_every_module_of_the_library() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tests.unit.forbidden_imports"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
