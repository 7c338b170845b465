"""The same tree as web pages, for networks that let no FTP through: every page links to what its folder holds."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, unquote, urljoin, urlsplit

from locator_search.adapters.threegpp_ftp.downloads import PartialDownload
from locator_search.adapters.threegpp_ftp.listing import safe_path
from locator_search.core.errors import AccessDenied, FileGone, RateLimited, SourceError, SourceUnavailable
from locator_search.core.retry import parse_retry_after, with_retries
from locator_search.ports import ArchiveEntry, Clock

TIMEOUT_SECONDS = 30.0
MAX_PAGE_BYTES = 32 * 1024 * 1024
_PIECE = 64 * 1024
_AGENT = {"User-Agent": "document-locator", "Accept-Encoding": "identity"}

Result = TypeVar("Result")


class WebArchive:
    """Folders and files below one web address, one request at a time."""

    def __init__(self, address: str, clock: Clock, *, patient: bool = True) -> None:
        parts = urlsplit(address)
        self._clock = clock
        self._patient = patient
        self._root = f"{parts.scheme}://{parts.netloc}/"
        self.name = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self.start = unquote(parts.path).strip("/")

    def list_folder(self, path: str) -> list[ArchiveEntry]:
        """What the page of a folder links to and lies in it. Raises as the port says."""
        address = self._address(path) + "/"

        def listed() -> list[ArchiveEntry]:
            with self._open(address) as response:
                page = response.read(MAX_PAGE_BYTES + 1)
                if len(page) > MAX_PAGE_BYTES:
                    raise SourceError(f"The page of the folder {path} is too long to be one.")
                return _entries(path, response.url, page.decode("utf-8", "replace"))

        return self._patiently(path, listed)

    def download(self, path: str, target: Path, size: int | None = None) -> None:
        """Write one file to `target`; goes on where an earlier download broke off, if the server can."""

        def fetched() -> None:
            whole = size if size is not None else self._length(path)
            download = PartialDownload(target, whole)
            there = download.length
            if whole is not None and 0 < there == whole:
                download.take(lambda _write: None)
                return
            with self._open(self._address(path), {"Range": f"bytes={there}-"} if there else {}) as response:
                if there and response.status != http.HTTPStatus.PARTIAL_CONTENT:
                    download.start_anew()
                download.take(lambda write: [write(piece) for piece in iter(lambda: response.read(_PIECE), b"")])

        self._patiently(path, fetched)

    def close(self) -> None:
        """Nothing stays open between requests."""

    def _length(self, path: str) -> int | None:
        with self._open(self._address(path), method="HEAD") as response:
            length = response.headers.get("Content-Length", "")
            return int(length) if length.isdecimal() else None

    def _address(self, path: str) -> str:
        return self._root + quote(path)

    def _open(
        self, address: str, headers: dict[str, str] | None = None, method: str = "GET"
    ) -> http.client.HTTPResponse:
        request = urllib.request.Request(address, headers=_AGENT | (headers or {}), method=method)  # noqa: S310 - http(s)
        response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)  # noqa: S310
        return response

    def _patiently(self, path: str, action: Callable[[], Result]) -> Result:
        def attempt() -> Result:
            try:
                return action()
            except urllib.error.HTTPError as error:
                with error:
                    raise self._refusal(error, path) from None
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = getattr(error, "reason", error)
                words = str(getattr(reason, "strerror", None) or reason)[:200].rstrip(".")
                raise SourceUnavailable(f"{self.name} did not answer: {words}.") from None

        return with_retries(attempt, self._clock) if self._patient else attempt()

    def _refusal(self, error: urllib.error.HTTPError, path: str) -> SourceError:
        if error.code in (404, 410):
            return FileGone(f"{path} is not in {self.name}.")
        if error.code in (401, 403):
            return AccessDenied(f"{path} of {self.name} may not be read.")
        if error.code == 429 or error.code >= 500:
            kind = RateLimited if error.code == 429 else SourceUnavailable
            refusal = kind(f"{self.name} answered {error.code} for {path}.")
            refusal.retry_after = parse_retry_after(error.headers.get("Retry-After", ""), self._clock.now())
            return refusal
        return SourceError(f"{self.name} answered {error.code} for {path}.")


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
