"""Requests to the Drive API v3, the same for My Drive and shared drives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from time import monotonic
from typing import Any, BinaryIO, TypeVar
from urllib.parse import urlsplit

from google.auth.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload

from locator_search.adapters.google_drive.refusals import VENDOR_ERRORS, Refused, translated
from locator_search.adapters.google_drive.transport import ThreadTransport
from locator_search.core.errors import (
    AccessDenied,
    ConfigurationError,
    CursorExpired,
    FileGone,
    QuotaUsedUp,
    SourceError,
    SourceUnavailable,
    UnreadableFile,
)
from locator_search.core.refusals import Refusals
from locator_search.core.retry import wait_before_retry, with_retries
from locator_search.ports import Clock, RequestSlots

Answer = TypeVar("Answer")
Json = Mapping[str, Any]
"""An object of the API, unchanged."""

SERVICE = "drive"
TIMEOUT_SECONDS = 60.0
"""Drive may take that long to convert a large document."""
CHUNK_BYTES = 8 * 1024 * 1024
LARGEST_PAGE = 1000
RESTARTS = 3
"""The number of times a listing begins anew because its page token was refused."""

FILE_FIELDS = (
    "id,name,mimeType,parents,driveId,modifiedTime,trashed,size,md5Checksum,sha256Checksum,headRevisionId,webViewLink,"
    "resourceKey,owners,shortcutDetails,capabilities(canDownload)"
)
LIST_FIELDS = f"nextPageToken,incompleteSearch,files({FILE_FIELDS})"
CHANGE_FIELDS = f"nextPageToken,newStartPageToken,changes(changeType,removed,fileId,driveId,time,file({FILE_FIELDS}))"


class DriveClient:
    """The vendor's client with its own retries off, because ours are the only ones. Thread-safe.

    At most five requests are in flight over the whole deployment; a slot is held while a request runs and never while
    waiting for the next try. With `patient` off nothing is tried twice.
    """

    def __init__(
        self,
        credentials: Credentials,
        slots: RequestSlots,
        clock: Clock,
        *,
        endpoint: str | None = None,
        timeout: float | None = None,
        patient: bool = True,
    ) -> None:
        self._credentials = credentials
        self._slots = slots
        self._clock = clock
        self._endpoint = endpoint
        self._transport = ThreadTransport(credentials, timeout or TIMEOUT_SECONDS)
        self._patient = patient
        self._refusals = Refusals()

    # Metadata

    def file(self, file_id: str, resource_key: str = "", fields: str = FILE_FIELDS) -> Json:
        """Metadata of a file or folder. Raises FileGone, AccessDenied or another SourceError."""
        request = self._api.files().get(fileId=file_id, fields=fields, supportsAllDrives=True)
        return self._json(_with_key(request, file_id, resource_key), f"The file {file_id}")

    def drive_name(self, drive_id: str) -> str:
        """The name of a shared drive. Raises as `file` does."""
        return str(self._json(self._api.drives().get(driveId=drive_id, fields="name"), f"The drive {drive_id}")["name"])

    def children(self, folder_id: str, *, drive_id: str, resource_key: str, page_size: int) -> Iterator[Json]:
        """Files and folders directly in a folder and not in the trash, some perhaps twice. Raises as `file` does."""
        quoted = folder_id.replace("\\", "\\\\").replace("'", "\\'")
        arguments: dict[str, Any] = {
            "q": f"'{quoted}' in parents and trashed = false",
            "fields": LIST_FIELDS,
            "pageSize": page_size,
            "spaces": "drive",
            "supportsAllDrives": True,
            "includeItemsFromAllDrives": True,
        }
        if drive_id:
            arguments |= {"corpora": "drive", "driveId": drive_id}
        else:
            arguments["corpora"] = "user"
        token: str | None = None
        restarts = 0
        while True:
            request = _with_key(self._api.files().list(**arguments, pageToken=token), folder_id, resource_key)
            try:
                page = self._json(request, f"The folder {folder_id}", _whole_listing)
            except Refused:
                if token is None or restarts == RESTARTS:
                    raise
                token, restarts = None, restarts + 1  # page tokens live for hours only
                continue
            yield from page.get("files", ())
            token = page.get("nextPageToken")
            if not token:
                return

    def found(self, query: str, most: int) -> list[Json]:
        """At most `most` files of all drives that match a query of Drive, in its own order. Raises as `file` does."""
        request = self._api.files().list(
            q=query,
            fields=LIST_FIELDS,
            pageSize=most,
            corpora="allDrives",
            spaces="drive",
            supportsAllDrives=True,
            includeItemsFromAllDrives=True,
        )
        return list(self._json(request, "The search").get("files", ()))

    # Changes

    def start_page_token(self, drive_id: str) -> str:
        """Where the changes of a drive from now on begin; an empty id stands for the user's own."""
        request = self._api.changes().getStartPageToken(**_drive_arguments(drive_id), supportsAllDrives=True)
        return str(self._json(request, f"The drive {drive_id or 'of the user'}")["startPageToken"])

    def changes(self, page_token: str, drive_id: str) -> Json:
        """One page of the changes of a drive. Raises CursorExpired when Drive no longer knows the token."""
        request = self._api.changes().list(
            pageToken=page_token,
            fields=CHANGE_FIELDS,
            pageSize=LARGEST_PAGE,
            spaces="drive",
            includeRemoved=True,
            supportsAllDrives=True,
            includeItemsFromAllDrives=True,
            **_drive_arguments(drive_id),
        )
        try:
            return self._json(request, "The list of changes")
        except (Refused, FileGone, AccessDenied) as error:
            raise CursorExpired(f"The list of changes cannot be read on: {error.message}") from None

    # Content

    def download(self, file_id: str, resource_key: str, what: str, into: BinaryIO, largest: int) -> None:
        """The bytes of an uploaded file, at most `largest`. Raises UnreadableFile beyond, else as `file` does."""
        request = self._api.files().get_media(fileId=file_id, supportsAllDrives=True)
        download = MediaIoBaseDownload(into, _with_key(request, file_id, resource_key), chunksize=CHUNK_BYTES)
        done = False
        while not done:

            def next_chunk() -> bool:
                request.http = self._transport.http()
                return bool(download.next_chunk(num_retries=0)[1])

            done = self._send(next_chunk, what)
            if into.tell() > largest:
                raise UnreadableFile(f"The file is larger than {largest // 2**20} MB.")

    def export(self, file_id: str, resource_key: str, what: str, mime_type: str) -> bytes:
        """A Workspace file in another format. Raises NotConverted, Refused, or as `file` does."""
        request = _with_key(self._api.files().export_media(fileId=file_id, mimeType=mime_type), file_id, resource_key)
        seen: dict[str, str] = {}
        request.add_response_callback(lambda response: seen.update(response))

        def get() -> bytes:
            return _not_a_page(request.execute(http=self._transport.http(), num_retries=0), seen, mime_type)

        return self._send(get, what)

    def trusts(self, url: str) -> bool:
        """Whether our authorisation may be sent to an address: Google's, or the one of the API."""
        address = urlsplit(url)
        if self._endpoint and address.netloc == urlsplit(self._endpoint).netloc:
            return True
        host = address.hostname or ""
        return address.scheme == "https" and (host == "google.com" or host.endswith((".google.com", ".googleapis.com")))

    def fetch(self, url: str, mime_type: str, what: str) -> bytes:
        """The content at an export link, with our authorisation. Raises as `file` does."""

        def get() -> bytes:
            response, content = self._transport.http().request(url)
            if response.status >= 300:
                raise HttpError(response, content, uri=url)
            return _not_a_page(content, response, mime_type)

        return self._send(get, what)

    # Sending

    @cached_property
    def _api(self) -> Any:
        # The definition that comes with the library needs no request and never changes.
        options = {"api_endpoint": self._endpoint.rstrip("/") + "/"} if self._endpoint else None
        return build("drive", "v3", credentials=self._credentials, client_options=options, static_discovery=True)

    def _json(self, request: Any, what: str, check: Callable[[Json], Json] = lambda answer: answer) -> Json:
        def ask() -> Json:
            answer = request.execute(http=self._transport.http(), num_retries=0)
            if not isinstance(answer, dict):
                raise _no_answer()
            return check(answer)

        return self._send(ask, what)

    def _send(self, ask: Callable[[], Answer], what: str) -> Answer:
        waiting_since = monotonic()

        def attempt() -> Answer:
            with self._slots.slot(SERVICE):
                self._refusals.check(waiting_since)
                try:
                    return ask()
                except VENDOR_ERRORS as error:
                    if not isinstance(error, HttpError):
                        self._transport.drop()
                    refused = translated(error, what, self._clock.now())
                    if isinstance(refused, ConfigurationError | QuotaUsedUp):
                        self._refusals.note(refused)
                    raise refused from None

        return with_retries(attempt, self._clock) if self._patient else attempt()

    def pause_after(self, failures: int, error: SourceError) -> None:
        """Wait as long as a request would before another try. Raises the error when no try is left."""
        wait = wait_before_retry(failures, error) if self._patient else None
        if wait is None:
            raise error
        self._clock.sleep(wait)


def _with_key(request: Any, file_id: str, resource_key: str) -> Any:
    """The request with the key that opens a file shared by link."""
    if resource_key:
        request.headers["X-Goog-Drive-Resource-Keys"] = f"{file_id}/{resource_key}"
    return request


def _drive_arguments(drive_id: str) -> dict[str, str]:
    return {"driveId": drive_id} if drive_id else {}


def _whole_listing(page: Json) -> Json:
    if page.get("incompleteSearch"):
        raise SourceUnavailable("Google Drive searched only a part of its files.")
    return page


def _not_a_page(content: Any, headers: Mapping[str, str], mime_type: str) -> bytes:
    if not isinstance(content, bytes):
        raise _no_answer()
    if headers.get("content-type", "").startswith("text/html") and mime_type != "text/html":
        raise _no_answer()
    return content


def _no_answer() -> SourceUnavailable:
    # A proxy's login page comes with status 200.
    return SourceUnavailable(
        "Google Drive answered with something that is not an answer.",
        hint="Check GOOGLE_API_ENDPOINT and the proxy settings.",
    )
