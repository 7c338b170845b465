"""Google Drive as an MCP server: searched over all drives, and read as text, Office files and PDFs included."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from locator_search.adapters.extractors.worker.isolated import IsolatedExtractor
from locator_search.adapters.google_drive import DriveClient, credentials_for
from locator_search.adapters.google_drive.download import Downloader
from locator_search.adapters.google_drive.files import file_ref
from locator_search.adapters.google_drive.requests import Json
from locator_search.adapters.live_servers.serving import READS_ONLY, errors_as_answers, new_server, serve
from locator_search.adapters.live_servers.syntaxes import DRIVE_SYNTAX
from locator_search.config.settings import Settings, load_settings
from locator_search.core.clock import SystemClock
from locator_search.core.errors import LocatorError, UnreadableFile
from locator_search.core.temporary import temporary_folder
from locator_search.ports import TextExtractor

SECONDS = 15.0
REQUESTS_AT_ONCE = 5
LARGEST_FILE = 30 * 2**20
"""Bytes. A person waits for the answer."""
LONGEST_TEXT = 60_000
"""Characters."""
_ADDRESS = re.compile(r"https?://\S*(?:/d/|[?&]id=)([\w-]{10,})", re.ASCII)

_TERM = re.compile(
    r"\b(?:fullText|name|mimeType|modifiedTime|createdTime|viewedByMeTime|sharedWithMe|starred|description)\s*"
    r"(?:contains|=|!=|<=?|>=?)|'\s+in\s+(?:parents|owners|writers|readers)\b"
)
_WORD = re.compile(r'"[^"]+"|\S+')
NOT_WANTED = "trashed = false and mimeType != 'application/vnd.google-apps.folder'"


def make_server(client: DriveClient, extractor: TextExtractor) -> MCPServer[Any]:
    """A server that asks this client and reads with this extractor."""
    server = new_server("document-locator-drive", {"file": DRIVE_SYNTAX})
    downloader = Downloader(client, LARGEST_FILE)

    @server.tool(description="Search files of My Drive, shared files and shared drives.", annotations=READS_ONLY)
    def search_files(
        query: Annotated[str, Field(description="In Drive's query language or plain words; see syntax://file.")],
        max_results: Annotated[int, Field(ge=1, le=100)] = 3,
    ) -> dict[str, Any]:
        with errors_as_answers():
            address = _ADDRESS.match(query)
            found = [client.file(address[1], "")] if address else client.found(drive_query(query), max_results)
            return {"files": [_row(item) for item in found]}

    @server.tool(description="Read the text of a file.", annotations=READS_ONLY)
    def read_file(id: str, resource_key: str = "") -> dict[str, Any]:
        with errors_as_answers(), temporary_folder("live") as directory:
            file = file_ref({"resourceKey": resource_key, **client.file(id, resource_key)}, "")
            extraction = extractor.extract(downloader.read(file, Path(directory)), file.mime_type)
            if not extraction.readable:
                raise UnreadableFile(f"{file.file_name} has no text to read: {extraction.reason or extraction.state}")
            return {"id": id, "name": file.file_name, "text": extraction.document.text[:LONGEST_TEXT]}

    return server


class OwnSlots:
    """Request slots of this process alone: no database is opened for a live search."""

    def __init__(self) -> None:
        self._free = BoundedSemaphore(REQUESTS_AT_ONCE)

    @contextmanager
    def slot(self, service: str) -> Iterator[None]:  # noqa: ARG002 - there is one service
        """Hold one of five slots."""
        with self._free:
            yield


def _row(item: Json) -> dict[str, Any]:
    file = file_ref(item, "")
    return {
        "id": file.file_id,
        "name": file.file_name,
        "mimeType": file.mime_type,
        "modifiedTime": file.modified_at.isoformat(),
        "webViewLink": file.link,
        "owner": file.owner or "",
        "resourceKey": file.location,
    }


def _client(settings: Settings) -> DriveClient:
    return DriveClient(
        credentials_for(settings),
        OwnSlots(),
        SystemClock(),
        endpoint=settings.google_api_endpoint,
        timeout=SECONDS,
        patient=False,  # asked too often: the host says so instead of waiting
    )


def drive_query(query: str) -> str:
    """The `q` of a request. Drive reads `and` and `or` from left to right, hence the parentheses."""
    asked = query.strip() if _TERM.search(query) else _of_words(query)
    return f"({asked}) and {NOT_WANTED}" if asked else NOT_WANTED


def _of_words(query: str) -> str:
    alternatives = re.split(r"\s+(?:OR|\|)\s+", query)
    joined = [" and ".join(_contains(word) for word in _WORD.findall(each) if word != "AND") for each in alternatives]
    joined = [each for each in joined if each]
    return joined[0] if len(joined) == 1 else " or ".join(f"({each})" for each in joined)


def _contains(word: str) -> str:
    quoted = word.strip("()").replace("\\", "\\\\").replace("'", "\\'")
    return f"fullText contains '{quoted}'"


def main() -> None:
    """Serve with the credentials of the settings."""
    try:
        client = _client(load_settings(google_drive_target_folder_ids="any"))
    except LocatorError as error:
        sys.exit(f"{error.message} {error.hint}".strip())
    extractor = IsolatedExtractor()
    serve(make_server(client, extractor), extractor.close)


if __name__ == "__main__":
    main()
