"""A secret of this installation: made once, kept in a file that nobody else may read."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from locator_search.core.errors import ConfigurationError

LENGTH = 32
"""Bytes."""


def secret_of(path: Path) -> bytes:
    """The secret in `path`, made on first use with mode 0600. Two processes that come first get the same one.

    Raises ConfigurationError when the file is readable to others, too short or cannot be read.
    """
    try:
        return _read(path)
    except FileNotFoundError:
        _make(path)
        return _read(path)
    except OSError as error:
        raise ConfigurationError(f"The secret in {path.name} cannot be read: {error.strerror}.") from None


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(LENGTH))
    try:
        os.link(draft, path)  # unlike a rename, never replaces the secret another process has made meanwhile
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise ConfigurationError(
                f"Others may read the secret in {path.name}.", hint="Delete the file; a new one is made, old links end."
            )
        secret = file.read()
    if len(secret) < LENGTH:
        raise ConfigurationError(f"The secret in {path.name} is too short.", hint="Delete the file.")
    return secret
