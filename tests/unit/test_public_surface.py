import subprocess
import sys

import locator_search


def test_the_public_surface_is_exactly_this() -> None:
    surface = ["Evidence", "EvidenceProvider", "FinderLedge", "SearchFilters", "open_locator"]
    assert sorted(locator_search.__all__) == surface
    assert all(getattr(locator_search, name).__name__ == name for name in locator_search.__all__)


def test_importing_the_package_loads_no_vendor_package() -> None:
    vendors = "('pydantic', 'psycopg', 'numpy', 'dagster', 'langchain_core')"
    code = f"import sys, locator_search; print([m for m in {vendors} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
