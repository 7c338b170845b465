"""The same tree as web pages, for networks that let no FTP through: every page links to what its folder holds."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urljoin, urlsplit

import httpx2

from locator_search.adapters.http.service import HttpService
from locator_search.adapters.threegpp_ftp.downloads import PartialDownload
from locator_search.adapters.threegpp_ftp.listing import safe_path
from locator_search.core.errors import AccessDenied, FileGone, SourceError
from locator_search.core.retry import with_retries
from locator_search.ports import ArchiveEntry, Clock

_Result = TypeVar("_Result")

SECONDS = 60.0
"""For a page as a whole, and for each wait of a download."""
MAX_PAGE_BYTES = 32 * 1024 * 1024
_AS_IT_LIES = {"Accept": "*/*", "Accept-Encoding": "identity"}


class WebArchive:
    """Folders and files below one web address, one request at a time."""

    def __init__(self, address: str, clock: Clock, *, patient: bool = True) -> None:
        parts = urlsplit(address)
        self._clock = clock
        self._patient = patient
        self.name = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self.start = unquote(parts.path).strip("/")
        self._service = HttpService(
            self.name,
            f"{parts.scheme}://{parts.netloc}",
            clock,
            headers=_AS_IT_LIES,
            seconds=SECONDS,
            largest=MAX_PAGE_BYTES,
            refusal=self._refusal,
        )

    def list_folder(self, path: str) -> list[ArchiveEntry]:
        """The entries of a folder: links on its page that lead into it. Raises as the port says."""
        page = self._patiently(lambda: self._service.get(f"{path}/"))
        return _entries(path, str(page.url), page.content.decode("utf-8", "replace"))

    def download(self, path: str, target: Path, size: int | None = None) -> None:
        """Write one file to `target`; goes on where an earlier download broke off, if the server can."""

        def fetched() -> None:
            whole = size if size is not None else self._length(path)
            download = PartialDownload(target, whole)
            there = download.length
            if whole is not None and 0 < there == whole:
                download.take(lambda _write: None)
                return
            with self._service.stream(path, headers={"Range": f"bytes={there}-"} if there else None) as response:
                if there and response.status_code != HTTPStatus.PARTIAL_CONTENT:
                    download.start_anew()
                download.take(lambda write: [write(piece) for piece in response.iter_raw()])

        self._patiently(fetched)

    def close(self) -> None:
        """Close the connection that is kept."""
        self._service.close()

    def _length(self, path: str) -> int | None:
        with self._service.stream(path, "HEAD") as response:
            length = response.headers.get("Content-Length", "")
            return int(length) if length.isdecimal() else None

    def _patiently(self, action: Callable[[], _Result]) -> _Result:
        return with_retries(action, self._clock) if self._patient else action()

    def _refusal(self, response: httpx2.Response) -> SourceError | None:
        status, path = response.status_code, unquote(response.url.path)
        if status in (404, 410):
            return FileGone(f"{path} is not in {self.name}.")
        if status in (401, 403):
            return AccessDenied(f"{path} of {self.name} may not be read.")
        return None


class _Links(HTMLParser):
    """The links of a page: address, and whether the page itself marks them as folders."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if tag == "a" and (address := values.get("href")):
            self.found.append((address, "folder" in (values.get("class") or "").split()))


def _entries(folder: str, page_address: str, page: str) -> list[ArchiveEntry]:
    links = _Links()
    links.feed(page)
    found: dict[str, ArchiveEntry] = {}
    inside = "/" + folder.strip("/") + "/" if folder.strip("/") else "/"
    host = urlsplit(page_address).netloc
    for address, marked in links.found:
        try:
            target = urlsplit(urljoin(page_address, address))
        except ValueError:
            continue
        where = unquote(target.path)
        if target.netloc != host or target.query or not where.lower().startswith(inside.lower()):
            continue
        name = where[len(inside) :]
        path = safe_path(folder, name.rstrip("/"))
        if path is not None:
            is_folder = marked or name.endswith("/") or "." not in name
            found.setdefault(path, ArchiveEntry(path, is_folder))
    return list(found.values())
