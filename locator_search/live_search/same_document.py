"""Tells whether two links lead to the same document. Pure."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

_GOOGLE_HOSTS = ("drive.google.com", "docs.google.com", "sheets.google.com", "slides.google.com")
_DRIVE = "drive:"
_GOOGLE_PATH_ID = re.compile(r"/(?:d|folders)/([A-Za-z0-9_-]{10,})")
_NOISE = re.compile(r"^(?:utm_\w+|usp|ouid|rtpof|sd|resourcekey|authuser|hl|ref)$")


def document_key(uri: str) -> str:
    """The same for links that lead to the same document: a Drive file by its id however it is opened, other addresses
    without the parts that only say how somebody came there. What is no address stands for itself."""
    try:
        parts = urlsplit(uri.strip())
        host = (parts.hostname or "").lower()
        query = dict(parse_qsl(parts.query))
    except ValueError:
        return uri.strip()
    if host in _GOOGLE_HOSTS:
        found = _GOOGLE_PATH_ID.search(parts.path)
        file_id = found.group(1) if found else query.get("id")
        if file_id:
            return drive_key(file_id)
    if parts.scheme not in ("http", "https"):
        return uri.strip()
    kept = urlencode([(name, value) for name, value in parse_qsl(parts.query) if not _NOISE.match(name)])
    place = f"{host}:{parts.port}" if parts.port else host
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{place}{parts.path.rstrip('/')}{'?' + kept if kept else ''}{fragment}"


def drive_key(file_id: str) -> str:
    """The key of a file in Google Drive."""
    return f"{_DRIVE}{file_id}"


def drive_file_id(uri: str) -> str:
    """The id of the file in Google Drive that a link leads to, "" for another link."""
    key = document_key(uri)
    return key.removeprefix(_DRIVE) if key.startswith(_DRIVE) else ""
