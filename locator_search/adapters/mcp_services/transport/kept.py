"""A sign-in as it is kept: by all machines and processes together, one of which renews it at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata
from pydantic import BaseModel, ValidationError

from locator_search.ports import SignIns

_POLL_SECONDS = 0.05


class KeptSignIn(BaseModel):
    """The whole of a sign-in: the address it is good for, the client we were registered as, its tokens, and where new
    ones are had."""

    url: str = ""
    tokens: OAuthToken | None = None
    expires_at: float | None = None
    client: OAuthClientInformationFull | None = None
    server: OAuthMetadata | None = None
    resource: ProtectedResourceMetadata | None = None


async def read_kept(sign_ins: SignIns, name: str, url: str) -> KeptSignIn:
    """The sign-in to a service at an address. One that cannot be read, or is for another address, counts as none:
    signing in again keeps a new one. An earlier version kept no address."""
    try:
        kept = KeptSignIn.model_validate_json(await asyncio.to_thread(sign_ins.read, name))
    except ValidationError:
        return KeptSignIn()
    return kept if kept.url in ("", url) else KeptSignIn()


@asynccontextmanager
async def turn_to_renew(sign_ins: SignIns, name: str) -> AsyncIterator[None]:
    """Have the turn to renew a sign-in; where none is kept, everybody has it."""
    while not await asyncio.to_thread(sign_ins.take_turn, name):
        await asyncio.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        await asyncio.to_thread(sign_ins.end_turn, name)
