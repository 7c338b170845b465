"""A sign-in as it is kept: in a file that several processes use, one of them at a time to renew it."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata
from pydantic import BaseModel, ValidationError

_POLL_SECONDS = 0.05


class KeptSignIn(BaseModel):
    """The whole of a sign-in: the client we were registered as, its tokens, and where new ones are had."""

    tokens: OAuthToken | None = None
    expires_at: float | None = None
    client: OAuthClientInformationFull | None = None
    server: OAuthMetadata | None = None
    resource: ProtectedResourceMetadata | None = None


def read_kept(path: Path) -> KeptSignIn:
    """A file that is not there, or cannot be read, counts as no sign-in: signing in again writes a new one."""
    try:
        return KeptSignIn.model_validate(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, ValidationError):
        return KeptSignIn()


@asynccontextmanager
async def turn_at(folder: Path) -> AsyncIterator[None]:
    """Hold the folder of the sign-ins against other processes; one that is not there holds none."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        while True:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(opened)
