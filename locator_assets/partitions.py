"""One partition per file; the key is the file id."""

from __future__ import annotations

import dagster as dg

DRIVE_FILES = "drive_files"
drive_files = dg.DynamicPartitionsDefinition(name=DRIVE_FILES)
