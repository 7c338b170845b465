"""The file that keeps a person's sign-in to Google. It imports nothing of Google, so asking for it costs nothing."""

from __future__ import annotations

import json
from pathlib import Path

from locator_search.core.errors import ConfigurationError
from locator_search.core.private_files import write_privately


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
    write_privately(path, json.dumps({"refresh_token": refresh_token}))
