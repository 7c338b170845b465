"""Files of secrets: readable by their owner alone, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_privately(path: Path, text: str) -> None:
    """Write a file with mode 0600 in one step. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")  # made with mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
