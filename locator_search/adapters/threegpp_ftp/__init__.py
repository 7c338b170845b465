"""Where the contributions of 3GPP meetings lie: FTP, the same tree as web pages, or a folder of this machine."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from locator_search.adapters.threegpp_ftp.ftp_archive import FtpArchive
from locator_search.adapters.threegpp_ftp.local_archive import LocalArchive
from locator_search.adapters.threegpp_ftp.web_archive import WebArchive
from locator_search.core.errors import ConfigurationError
from locator_search.ports import Clock, MeetingArchive

__all__ = ["FtpArchive", "LocalArchive", "WebArchive", "open_archive"]


def open_archive(address: str, clock: Clock, *, patient: bool = True) -> MeetingArchive:
    """The archive behind an address: `ftp://`, `http(s)://`, `file://`, or the path of a folder.

    Nothing is connected yet. A patient one tries again what failed for a while. Raises ConfigurationError.
    """
    parts = urlsplit(address)
    if parts.scheme == "ftp" and parts.hostname:
        return FtpArchive(address, clock, patient=patient)
    if parts.scheme in ("http", "https") and parts.hostname:
        return WebArchive(address, clock, patient=patient)
    if parts.scheme == "file":
        return LocalArchive(Path(unquote(parts.path)))
    if parts.scheme == "" or len(parts.scheme) == 1:
        return LocalArchive(Path(address).expanduser())
    raise ConfigurationError(
        "CONTRIBUTIONS_ARCHIVE_URL names no archive.",
        hint="Use an address such as ftp://ftp.example.org/tsg_sa/WG1_Serv, https://..., or the path of a folder.",
    )
