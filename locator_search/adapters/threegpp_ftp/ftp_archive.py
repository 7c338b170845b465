"""An FTP server as a `MeetingArchive`."""

from __future__ import annotations

import ftplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from locator_search.adapters.threegpp_ftp.downloads import PartialDownload
from locator_search.adapters.threegpp_ftp.ftp_connection import FtpConnection, translated
from locator_search.adapters.threegpp_ftp.listing import entries, list_parser, parse_mlsd
from locator_search.core.errors import SourceError
from locator_search.core.retry import with_retries
from locator_search.ports import ArchiveEntry, Clock

CONNECTIONS = 2
"""Connections at once, as many as a person with a file manager would open."""
_NOT_UNDERSTOOD = ("500", "501", "502", "504")
_PIECE = 64 * 1024

Result = TypeVar("Result")


class FtpArchive:
    """Folders and files of one FTP server. Thread-safe; connects on first use, at most `CONNECTIONS` times.

    Paths are what the server calls its entries, byte for byte, each byte one character.
    """

    def __init__(self, address: str, clock: Clock, *, patient: bool = True) -> None:
        parts = urlsplit(address)
        self._address = address
        self._clock = clock
        self._patient = patient
        self._knows_mlsd = True
        self.name = f"ftp://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self.start = _wire(unquote(parts.path)).strip("/")
        self._connections: LifoQueue[FtpConnection | None] = LifoQueue()
        for _ in range(CONNECTIONS):
            self._connections.put(None)

    def list_folder(self, path: str) -> list[ArchiveEntry]:
        """The entries of a folder. Raises FileGone, AccessDenied, SourceUnavailable or SourceError."""

        def listed(connection: FtpConnection) -> list[ArchiveEntry]:
            connection.cwd("/" + path)
            if self._knows_mlsd:
                try:
                    return entries(path, connection.lines("MLSD"), parse_mlsd)
                except ftplib.error_perm as error:
                    if str(error)[:3] not in _NOT_UNDERSTOOD:
                        raise
                    self._knows_mlsd = False
            return entries(path, connection.lines("LIST"), list_parser(self._clock.now()))

        return self._with_connection(path, listed)

    def download(self, path: str, target: Path, size: int | None = None) -> None:
        """Write one file to `target`; goes on where an earlier download of the same size broke off."""
        download = PartialDownload(target, size)

        def fetched(connection: FtpConnection) -> None:
            there = download.length
            if size is not None and 0 < there == size:
                download.take(lambda _write: None)
                return
            try:
                download.take(lambda write: _retrieve(connection, path, write, there))
            except ftplib.error_perm as error:
                if not there or str(error)[:3] == "550":
                    raise
                download.start_anew()  # the server cannot begin in the middle
                download.take(lambda write: _retrieve(connection, path, write, 0))

        self._with_connection(path, fetched)

    def close(self) -> None:
        """Close the connections nobody uses."""
        for _ in range(CONNECTIONS):
            connection = self._connections.get()
            if connection is not None:
                connection.end()
            self._connections.put(None)

    def _with_connection(self, path: str, action: Callable[[FtpConnection], Result]) -> Result:
        def attempt() -> Result:
            with self._connection() as connection, translated(self.name, path):
                return action(connection)

        return with_retries(attempt, self._clock) if self._patient else attempt()

    @contextmanager
    def _connection(self) -> Iterator[FtpConnection]:
        """A connection that answers. One over which anything failed is not used again."""
        kept = self._connections.get()
        connection: FtpConnection | None = None
        try:
            with translated(self.name, self.start):
                connection = kept if kept is not None and _answers(kept) else FtpConnection(self._address)
            yield connection
        except BaseException:
            if connection is not None:
                connection.close()
            connection = None
            raise
        finally:
            self._connections.put(connection)


def _answers(connection: FtpConnection) -> bool:
    try:
        connection.voidcmd("NOOP")
    except (OSError, EOFError, ftplib.Error):
        connection.close()
        return False
    return True


def _retrieve(connection: FtpConnection, path: str, write: Callable[[bytes], object], there: int) -> None:
    connection.retrbinary(f"RETR /{path}", write, _PIECE, rest=there or None)


def _wire(path: str) -> str:
    """A path of an address as the bytes it stands for, one character each."""
    try:
        return path.encode("utf-8").decode("latin-1")
    except UnicodeError:
        raise SourceError("The address of the archive has a path that cannot be written.") from None
