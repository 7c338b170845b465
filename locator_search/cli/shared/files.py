"""Files that commands write for people."""

from __future__ import annotations

from pathlib import Path

from locator_search.core.errors import LocatorError


def write_whole(path: Path, content: bytes) -> None:
    """The whole file or none. Raises LocatorError."""
    draft = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise LocatorError(f"{path} cannot be written: {error.strerror}.") from None
