"""The files of local folders, opened in the browser by short-lived links of ours.

A browser shows only what can hold no script for our pages; everything else, HTML and SVG among it, is a download.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from locator_search.config.readers import reader_with_claims
from locator_search.config.settings import load_settings
from locator_search.core.errors import AccessDenied, LocatorError
from locator_search.core.reader import reading_as
from locator_search.drive_search.steps import as_evidence
from locator_search.model import Evidence, FileRef
from streamlit_app.shared import escaping, session
from streamlit_app.shared.texts import Texts, as_language
from streamlit_app.shared.visitors import claims_of

PATH = "/original/"
PIECE = 256 * 1024
"""Bytes in memory at once."""

SHOWN = {
    "application/pdf": "application/pdf",
    "image/gif": "image/gif",
    "image/jpeg": "image/jpeg",
    "image/png": "image/png",
    "image/webp": "image/webp",
    "text/markdown": "text/plain",
    "text/plain": "text/plain",
}
"""Types that are shown, and as what."""

HARMLESS = {
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
}


def address_of(file: Evidence | FileRef) -> str | None:
    """Where a file opens: on the web, or by a link of ours; None where it opens nowhere."""
    originals = session.locator().originals
    if originals is None or escaping.local_path(file.link) is None:
        return escaping.page_link(file)
    link = f"{PATH}{originals.token(file.file_id)}?lang={session.texts().language}"
    return escaping.at_page(link, file)


def original(request: Request) -> Response:
    """The file of a link, or one sentence."""
    locator = session.locator()
    texts = Texts.of(as_language(request.query_params.get("lang"), locator.settings.locator_language))
    if locator.originals is None:
        return _sentence(texts.link_ended, 404)
    try:
        file_id = locator.originals.file_of(request.path_params["token"])
    except AccessDenied:
        return _sentence(texts.link_ended, 403)
    try:
        if not _may_open(request, file_id):
            return _sentence(texts.link_ended, 403)
        file = locator.originals.open(file_id)
    except (LocatorError, OSError):
        return _sentence(texts.original_gone, 404)
    shown_as = SHOWN.get(file.mime_type)
    disposition = "inline" if shown_as else "attachment"
    headers = {
        **HARMLESS,
        "Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(file.file_name, safe='')}",
        "Content-Length": str(file.size),
    }
    kind = shown_as or "application/octet-stream"
    media_type = f"{kind}; charset={file.charset}" if kind == "text/plain" else kind
    size = file.size if request.method == "GET" else 0
    return StreamingResponse(_pieces(file.content, size), media_type=media_type, headers=headers)


def _may_open(request: Request, file_id: str) -> bool:
    """Whether the file may be read by whoever the cookie of the pages names: a link may have changed hands."""
    settings = load_settings()
    if not settings.locator_permissions:
        return True
    try:
        claims = claims_of(request)
    except AccessDenied:
        return False
    with reading_as(reader_with_claims(settings, claims)):
        locator = session.locator()
        known = locator.registry.known([file_id]).get(file_id)
        may = known is not None and bool(locator.access_checker.check([as_evidence(known.file)], names_alone=True))
        if may and locator.audit is not None:
            locator.audit.opened(file_id, "page")
        return may


def _pieces(content: BinaryIO, size: int) -> Iterator[bytes]:
    """As much as was promised, also of a file that grows meanwhile."""
    with content:
        while size > 0 and (piece := content.read(min(size, PIECE))):
            size -= len(piece)
            yield piece


def _sentence(sentence: str, status: int) -> Response:
    return PlainTextResponse(f"{sentence}\n", status, HARMLESS)


ROUTE = Route(f"{PATH}{{token}}", original, methods=["GET"])
