"""Reads from the REST API of GitHub: one try each, time-outs, and refusals told apart."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

from locator_search.core.errors import (
    AccessDenied,
    ConfigurationError,
    FileGone,
    RateLimited,
    SourceError,
    SourceUnavailable,
    UnreadableFile,
)

API = "https://api.github.com"
API_VERSION = "2022-11-28"
SECONDS = 8.0
LARGEST_ANSWER = 8 * 2**20
"""Bytes."""
JSON, TEXT_MATCHES, RAW = "github+json", "github.text-match+json", "github.raw+json"


class GitHubClient:
    """Thread-safe. Every method raises RateLimited, AccessDenied, FileGone, SourceUnavailable or SourceError."""

    def __init__(self, token: str, base_url: str = API) -> None:
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ConfigurationError(f"GITHUB_API_URL must begin with http:// or https://: {base_url}")
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._opener = urllib.request.build_opener(_SameHostOnly)

    def get(self, path: str, accept: str = JSON, **parameters: str | int) -> Any:
        """Parsed JSON."""
        content = self._read(path, accept, parameters)
        try:
            return json.loads(content)
        except ValueError:
            raise SourceError("GitHub answered with something that is no JSON.", hint="Is it a proxy?") from None

    def text(self, path: str, **parameters: str | int) -> str:
        """A file as text. Raises UnreadableFile where it is none."""
        content = self._read(path, RAW, parameters)
        if b"\0" in content:
            raise UnreadableFile("The file is binary.")
        return content.decode("utf-8", "replace")

    def _read(self, path: str, accept: str, parameters: Mapping[str, str | int]) -> bytes:
        if {".", ".."} & set(path.split("/")):
            raise SourceError(f"GitHub is not asked for a path that leads elsewhere: {path}")
        query = f"?{urlencode(parameters)}" if parameters else ""
        headers = {
            "Accept": f"application/vnd.{accept}",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": "document-locator",
            "X-GitHub-Api-Version": API_VERSION,
        }
        request = urllib.request.Request(f"{self._base_url}/{quote(path)}{query}", headers=headers)  # noqa: S310
        try:
            with self._opener.open(request, timeout=SECONDS) as response:
                content: bytes = response.read(LARGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise SourceUnavailable(f"GitHub does not answer: {reason}") from None
        if len(content) > LARGEST_ANSWER:
            raise UnreadableFile(f"GitHub answered with more than {LARGEST_ANSWER // 2**20} MiB.")
        return content


class _SameHostOnly(urllib.request.HTTPRedirectHandler):
    """Renamed repositories redirect; a token sent to one host is not carried on to another."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """None: the answer stays the redirect, which is an error."""
        there, here = urlsplit(urljoin(req.full_url, newurl)), urlsplit(req.full_url)
        if (there.scheme, there.netloc) != (here.scheme, here.netloc):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refusal(error: urllib.error.HTTPError) -> SourceError:
    said = _message(error)
    if error.code == 429 or (error.code == 403 and _is_limit(error, said)):
        return RateLimited(f"GitHub's rate limit is reached ({error.code}): {said}")
    if error.code in (401, 403):
        hint = "Check GITHUB_PERSONAL_ACCESS_TOKEN and what it may read."
        return AccessDenied(f"GitHub refuses the token ({error.code}): {said}", hint=hint)
    if error.code in (404, 410):
        return FileGone(f"GitHub does not know it, or the token may not see it ({error.code}).")
    if error.code >= 500:
        return SourceUnavailable(f"GitHub failed ({error.code}).")
    return SourceError(f"GitHub refused the request ({error.code}): {said}")


def _is_limit(error: urllib.error.HTTPError, said: str) -> bool:
    """Both limits of GitHub may come as 403: the one by the hour, and the one on bursts."""
    used_up = error.headers.get("X-RateLimit-Remaining") == "0" or error.headers.get("Retry-After") is not None
    return used_up or "rate limit" in said.lower()


def _message(error: urllib.error.HTTPError) -> str:
    try:
        body = json.loads(error.read(1 << 16))
        details = [str(each.get("message", "")) for each in body.get("errors", ()) if isinstance(each, dict)]
        return " ".join([str(body["message"]), *details]).strip()
    except (ValueError, LookupError, TypeError, AttributeError, OSError):
        return "without a reason"
