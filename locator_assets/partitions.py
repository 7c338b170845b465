"""One partition per file and per contribution; the key is the id."""

from __future__ import annotations

import dagster as dg

DRIVE_FILES = "drive_files"
drive_files = dg.DynamicPartitionsDefinition(name=DRIVE_FILES)

CONTRIBUTIONS = "contributions"
contributions = dg.DynamicPartitionsDefinition(name=CONTRIBUTIONS)
