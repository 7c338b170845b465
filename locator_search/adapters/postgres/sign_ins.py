"""Sign-ins to live servers (table `live_sign_in`), sealed: whoever has the database and not the secret reads none."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from psycopg.rows import scalar_row

from locator_search.adapters.postgres.server.database import Database, PostgresAdapter
from locator_search.adapters.postgres.server.rows import clean
from locator_search.adapters.postgres.server.statements import statements

SQL = statements(__name__)

TURN_SECONDS = 60
"""After which somebody who took the turn and vanished no longer has it."""


class PostgresSignIns(PostgresAdapter):
    """SignIns over PostgreSQL. `secret` seals them, and is asked for when the first one is needed: machines that have
    the same one share them, and others have their own. `former` is the folder where an earlier version kept each in a
    file, from which they are taken over."""

    def __init__(self, database: Database, secret: Callable[[], bytes], former: Path) -> None:
        super().__init__(database)
        self._secret = secret
        self._former = former

    def read(self, service: str) -> str:
        """The sign-in to a service, empty where there is none."""
        self._take_over(service)
        sealed = self._database.row(SQL.sealed, self._place(service), scalar_row)
        try:
            name, _, content = self._seal.decrypt(sealed or "").decode().partition("\n")
        except InvalidToken:
            return ""
        return content if name == service else ""  # moved by hand from another service, it is that one's

    def keep(self, service: str, content: str) -> None:
        """Keep the sign-in to a service."""
        sealed = self._seal.encrypt(f"{service}\n{content}".encode()).decode()
        self._database.run(SQL.keep, {**self._place(service), "sealed": sealed})

    def forget(self, service: str) -> None:
        """Keep no sign-in to a service any more."""
        self._database.run(SQL.forget, {"service": clean(service)})
        self._file(service).unlink(missing_ok=True)

    def take_turn(self, service: str) -> bool:
        """Whether it is our turn to renew a sign-in, for at most a minute. False: somebody else does."""
        values = {**self._place(service), "seconds": TURN_SECONDS}
        return bool(self._database.row(SQL.take_turn, values, scalar_row))

    def end_turn(self, service: str) -> None:
        """The next one may renew it."""
        self._database.run(SQL.end_turn, self._place(service))

    def _take_over(self, service: str) -> None:
        file = self._file(service)
        try:
            content = file.read_text("utf-8")
        except (OSError, ValueError):
            return
        if self._database.row(SQL.sealed, self._place(service), scalar_row) is None:
            self.keep(service, content)
        file.unlink(missing_ok=True)

    def _file(self, service: str) -> Path:
        return self._former / f"{service}.json"

    def _place(self, service: str) -> dict[str, str]:
        return {"service": clean(service), "secret_mark": self._derived("its mark").hex()[:16]}

    @cached_property
    def _seal(self) -> Fernet:
        return Fernet(base64.urlsafe_b64encode(self._derived("its key")))

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(self._secret(), f"sign-ins to live servers: {purpose}".encode(), "sha256")
