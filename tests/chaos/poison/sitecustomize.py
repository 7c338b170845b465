"""Makes one file deadly: Python imports this at start when its folder is on PYTHONPATH.

The process that reads a text beginning with POISON ends at once, as if a parser had that fault. It is the one file that
a crawl has to put away; every other one of the folder is healthy or honestly damaged.
"""

from __future__ import annotations

import os
import sys
from typing import Any

if "locator_search.adapters.extractors.worker" in sys.orig_argv:
    from locator_search.adapters.extractors.text_formats import plain_text

    _honest = plain_text.read

    def _read(data: bytes, notes: Any) -> Any:
        if data.startswith(b"POISON"):
            os.abort()
        return _honest(data, notes)

    plain_text.read = _read
