"""The file that keeps a person's sign-in to Google. It imports nothing of Google, so asking for it costs nothing."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from locator_search.core.errors import ConfigurationError


def stored_refresh_token(path: Path) -> str | None:
    """The refresh token that `auth google` put into a file, None where there is none. Raises ConfigurationError."""
    try:
        return str(json.loads(path.read_text("utf-8"))["refresh_token"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError):
        raise ConfigurationError(
            f"The token file {path} cannot be read.", hint="Run `document-locator auth google` again."
        ) from None


def store_refresh_token(path: Path, refresh_token: str) -> None:
    """Write the token file: readable by its owner alone, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".google_token-")  # made with mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump({"refresh_token": refresh_token}, stream)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
