"""The mark of tests that need the local embedding model; they skip with its own sentence where it cannot run."""

from __future__ import annotations

import pytest

from locator_search.adapters.local_model.embedder import check_fit
from locator_search.core.errors import ConfigurationError


def _why_not() -> str:
    try:
        check_fit()
    except ConfigurationError as error:
        return str(error)
    return ""


needs_local_model = pytest.mark.skipif(bool(_why_not()), reason=_why_not() or "it can run")
