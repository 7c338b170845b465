"""Requests to the Drive API v3, the same for My Drive and shared drives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload

from locator_search.adapters.google_drive.files import FOLDER
from locator_search.adapters.google_drive.readers import (
    ACCESS_FIELDS,
    FIELDS,
    ITEM_FIELDS,
    READERS,
    inherits_all,
    readers_of,
)
from locator_search.adapters.google_drive.refusals import Refused
from locator_search.adapters.google_drive.requests import GoogleRequests, Json, no_answer
from locator_search.adapters.local_files.names import displayable
from locator_search.core.errors import AccessDenied, CursorExpired, FileGone, SourceUnavailable, UnreadableFile

CHUNK_BYTES = 8 * 1024 * 1024
LARGEST_PAGE = 1000
PERMISSIONS_PAGE = 100
RESTARTS = 3
"""The number of times a listing begins anew because its page token was refused."""

FILE_FIELDS = (
    "id,name,mimeType,parents,driveId,modifiedTime,trashed,size,md5Checksum,sha256Checksum,headRevisionId,webViewLink,"
    "resourceKey,owners,lastModifyingUser(displayName,emailAddress),shortcutDetails,capabilities(canDownload)"
)
LIST_FIELDS = "nextPageToken,incompleteSearch,files({})"
CHANGE_FIELDS = "nextPageToken,newStartPageToken,changes(changeType,removed,fileId,driveId,time,file({}))"


class DriveClient(GoogleRequests):
    """Files, folders, drives and changes. `with_readers`, items say who may read them. Thread-safe."""

    api = ("drive", "v3")

    def __init__(self, *arguments: Any, with_readers: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.with_readers = with_readers
        self._drive_names: dict[str, str | None] = {}
        self._fields = f"{FILE_FIELDS},{ITEM_FIELDS}" if with_readers else FILE_FIELDS

    # Metadata

    def file(self, file_id: str, resource_key: str = "") -> Json:
        """Metadata of a file or folder. Raises FileGone, AccessDenied or another SourceError."""
        return self.told_readers(self._metadata(file_id, resource_key, self._fields), resource_key)

    def export_links(self, file_id: str, resource_key: str) -> Mapping[str, str]:
        """The addresses of a Workspace file in other formats. Raises as `file` does."""
        return self._metadata(file_id, resource_key, "id,exportLinks").get("exportLinks") or {}

    def _metadata(self, file_id: str, resource_key: str, fields: str) -> Json:
        request = self._api.files().get(fileId=file_id, fields=fields, supportsAllDrives=True)
        return self._json(_with_key(request, file_id, resource_key), f"The file {file_id}")

    def told_readers(self, item: Json, resource_key: str = "") -> Json:
        """The item with those who may read it, where they are looked at. Only for items of shared drives Drive has to
        be asked; where it does not tell, nobody may. Raises as `file` does."""
        if not self.with_readers or READERS in item:
            return item
        if "permissions" in item or not item.get("driveId"):
            return {**item, READERS: readers_of(item.get("permissions") or (), self._clock.now())}
        return {**item, READERS: self._readers(str(item["id"]), resource_key)}

    def _readers(self, item_id: str, resource_key: str) -> tuple[str, ...]:
        arguments = {"fileId": item_id, "fields": f"nextPageToken,permissions({FIELDS})", "supportsAllDrives": True}
        found: list[Json] = []
        token: str | None = None
        try:
            while True:
                request = self._api.permissions().list(**arguments, pageSize=PERMISSIONS_PAGE, pageToken=token)
                page = self._json(_with_key(request, item_id, resource_key), f"The permissions of {item_id}")
                found.extend(page.get("permissions", ()))
                token = page.get("nextPageToken")
                if not token:
                    return readers_of(found, self._clock.now())
        except (FileGone, AccessDenied):
            return ()

    def drive_name(self, drive_id: str) -> str:
        """The name of a shared drive. Raises as `file` does."""
        return str(self._json(self._api.drives().get(driveId=drive_id, fields="name"), f"The drive {drive_id}")["name"])

    def drive_of(self, item: Json) -> str | None:
        """The name of the shared drive an item lies in; None for My Drive, and where it is not told.

        Raises SourceError.
        """
        drive_id = str(item.get("driveId") or "")
        if drive_id and drive_id not in self._drive_names:
            try:
                self._drive_names[drive_id] = displayable(self.drive_name(drive_id))
            except (FileGone, AccessDenied):
                self._drive_names[drive_id] = None
        return self._drive_names.get(drive_id)

    def children(self, folder_id: str, *, drive_id: str, resource_key: str, page_size: int) -> Iterator[Json]:
        """Files and folders directly in a folder and not in the trash, some perhaps twice. Raises as `file` does."""
        quoted = folder_id.replace("\\", "\\\\").replace("'", "\\'")
        arguments: dict[str, Any] = {
            "q": f"'{quoted}' in parents and trashed = false",
            "fields": LIST_FIELDS.format(self._fields),
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
        inherited: tuple[str, ...] | None = None
        while True:
            request = _with_key(self._api.files().list(**arguments, pageToken=token), folder_id, resource_key)
            try:
                page = self._json(request, f"The folder {folder_id}", _whole_listing)
            except (Refused, FileGone):
                if token is None or restarts == RESTARTS:
                    raise
                token, restarts = None, restarts + 1  # page tokens live for hours only; 410 is not said of the folder
                continue
            for item in page.get("files", ()):
                if self.with_readers and item.get("driveId") and inherits_all(item):
                    if inherited is None:
                        inherited = self._readers(folder_id, resource_key)
                    yield {**item, READERS: inherited}
                else:
                    yield self.told_readers(item)
            token = page.get("nextPageToken")
            if not token:
                return

    def folders(self, drive_id: str, most_pages: int) -> Iterator[list[Json]]:
        """The folders of a drive by pages, at most so many, for an empty id those in no drive: ids, parents and what
        `access_of` looks at. Raises as `file` does."""
        arguments: dict[str, Any] = {
            "q": f"mimeType = '{FOLDER}' and trashed = false",
            "fields": LIST_FIELDS.format(ACCESS_FIELDS),
            "pageSize": LARGEST_PAGE,
            "spaces": "drive",
            "supportsAllDrives": True,
            "includeItemsFromAllDrives": True,
            **({"corpora": "drive", "driveId": drive_id} if drive_id else {"corpora": "user"}),
        }
        token: str | None = None
        for _ in range(most_pages):
            page = self._json(self._api.files().list(**arguments, pageToken=token), "The folders", _whole_listing)
            yield list(page.get("files", ()))
            token = page.get("nextPageToken")
            if not token:
                return

    def found(self, query: str, most: int) -> list[Json]:
        """At most `most` files of all drives that match a query of Drive, in its own order. Raises as `file` does."""
        request = self._api.files().list(
            q=query,
            fields=LIST_FIELDS.format(self._fields),
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
            fields=CHANGE_FIELDS.format(self._fields),
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
        raise no_answer()
    if headers.get("content-type", "").startswith("text/html") and mime_type != "text/html":
        raise no_answer()
    return content
