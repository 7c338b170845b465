"""Where the socket of an embedded server lies."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

from locator_search.core.errors import StoreUnavailable

PORT = 5432  # only the name of the socket: the server listens on no network address
SOCKET_NAME = f".s.PGSQL.{PORT}"
LONGEST_SOCKET_PATH = 103  # macOS; Linux allows 107
PLAIN_PATH = re.compile(
    r"[A-Za-z0-9/._+-]+"
)  # libpq takes a comma for two hosts, and every layer above has its own quotes


def socket_folder(data: Path) -> Path:
    """The cluster's folder, by a short and plain name where its own is too long for a socket or has odd letters."""
    own = str(data)
    if len(os.fsencode(data / SOCKET_NAME)) <= LONGEST_SOCKET_PATH and PLAIN_PATH.fullmatch(own):
        return data
    name = hashlib.blake2b(os.fsencode(data), digest_size=8).hexdigest()
    alias = _aliases() / name
    if not alias.is_symlink() or alias.readlink() != data:
        alias.unlink(missing_ok=True)
        alias.symlink_to(data)
    return alias


def _aliases() -> Path:
    """A folder of ours with a short name. Raises StoreUnavailable when somebody else has taken that name."""
    folder = Path(tempfile.gettempdir()) / f"document-locator-{os.geteuid()}"
    if not PLAIN_PATH.fullmatch(str(folder)) or len(str(folder)) > LONGEST_SOCKET_PATH / 2:
        folder = Path("/tmp") / folder.name  # noqa: S108 - its owner is checked
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise StoreUnavailable(
            f"{folder} belongs to somebody else or is open to others.",
            hint="Remove it, or choose a LOCATOR_HOME with a short name of plain letters.",
        )
    return folder
