"""One FTP connection, and what its vendor's errors mean to us."""

from __future__ import annotations

import contextlib
import ftplib
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit

from locator_search.core.errors import AccessDenied, FileGone, SourceError, SourceUnavailable

TIMEOUT_SECONDS = 30.0
_EPSV_REPLY = re.compile(r"\(\|\|\|(\d{1,5})\|\)")
_PASV_REPLY = re.compile(r"(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})")
MOST_LINES = 200_000
"""Entries of one folder; the largest meetings have a few thousand."""


class FtpConnection(ftplib.FTP):
    """An anonymous (or named) login, in binary mode.

    Names are bytes of unknown meaning, so they travel as Latin-1. Data connections go to the server we talk to, never
    to an address it names, and EPSV is tried first: the 3GPP server answers PASV in the form of EPSV.
    """

    def __init__(self, address: str) -> None:
        super().__init__(timeout=TIMEOUT_SECONDS, encoding="latin-1")
        parts = urlsplit(address)
        self.connect(parts.hostname or "", parts.port or ftplib.FTP_PORT)
        self.login(unquote(parts.username or "anonymous"), unquote(parts.password or "anonymous@"))
        self.voidcmd("TYPE I")
        self._no_epsv = False

    def makepasv(self) -> tuple[str, int]:
        """Where to open the data connection: our server's own host and the port it says."""
        if not self._no_epsv:
            try:
                return self.host, _port(self.sendcmd("EPSV"))
            except ftplib.error_perm:
                self._no_epsv = True
        return self.host, _port(self.sendcmd("PASV"))

    def lines(self, command: str) -> Iterator[str]:
        """The lines a listing command answers with."""
        lines: list[str] = []

        def keep(line: str) -> None:
            if len(lines) >= MOST_LINES:
                raise SourceError(f"A folder of the archive has more than {MOST_LINES:,} entries.")
            lines.append(line)

        self.retrlines(command, keep)
        return iter(lines)

    def end(self) -> None:
        """Log out, if the server still answers."""
        with contextlib.suppress(OSError, EOFError, ftplib.Error):
            self.quit()
        self.close()


def _port(reply: str) -> int:
    if found := _EPSV_REPLY.search(reply):
        return int(found[1])
    if found := _PASV_REPLY.search(reply):
        return int(found[1]) * 256 + int(found[2])
    raise ftplib.error_reply(reply)  # noqa: S321 - as above


@contextmanager
def translated(name: str, path: str) -> Iterator[None]:
    """Vendor errors as ours: what may be tried again, what is gone, what is forbidden."""
    try:
        yield
    except ftplib.error_perm as error:
        code = str(error)[:3]
        if code == "530":
            raise AccessDenied(f"{name} refuses the login.", hint="Check user and password in the address.") from None
        if code == "550":
            raise FileGone(f"{path} is not in {name}, or may not be read.") from None
        raise SourceError(f"{name} refuses to give {path}: {_one_line(error)}.") from None
    except socket.gaierror:
        raise SourceUnavailable(f"{name} is not known by that name.", hint="Check CONTRIBUTIONS_ARCHIVE_URL.") from None
    except (TimeoutError, EOFError, ConnectionError, ftplib.error_temp) as error:
        raise SourceUnavailable(f"{name} did not answer: {_one_line(error)}.") from None
    except (OSError, ftplib.Error, ValueError) as error:
        raise SourceUnavailable(f"{name} cannot be read: {_one_line(error)}.") from None


def _one_line(error: BaseException) -> str:
    words = getattr(error, "strerror", None) or str(error)
    return (" ".join(words.split()) or type(error).__name__).rstrip(".")[:200]
