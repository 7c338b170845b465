"""Reads from the REST API of GitHub: one try each, time-outs, and refusals told apart."""

from __future__ import annotations

import json
from typing import Any

import httpx2

from locator_search.adapters.http.service import HttpService
from locator_search.core.clock import SystemClock
from locator_search.core.errors import AccessDenied, FileGone, RateLimited, SourceError, UnreadableFile

API = "https://api.github.com"
API_VERSION = "2022-11-28"
SECONDS = 8.0
LARGEST_ANSWER = 8 * 2**20
"""Bytes."""
JSON, TEXT_MATCHES, RAW = (f"application/vnd.github.{kind}" for kind in ("json", "text-match+json", "raw+json"))


class GitHubClient:
    """Thread-safe. Every method raises RateLimited, AccessDenied, FileGone, SourceUnavailable or SourceError."""

    def __init__(self, token: str, base_url: str = API) -> None:
        self._service = HttpService(
            "GitHub",
            base_url,
            SystemClock(),
            f"Bearer {token}",
            headers={"X-GitHub-Api-Version": API_VERSION},
            seconds=SECONDS,
            largest=LARGEST_ANSWER,
            refusal=_refusal,
        )

    def get(self, path: str, accept: str = JSON, **parameters: str | int) -> Any:
        """Parsed JSON."""
        return self._service.get_json(_checked(path), parameters, accept)

    def text(self, path: str, **parameters: str | int) -> str:
        """A file as text. Raises UnreadableFile where it is none."""
        content = self._service.get(_checked(path), parameters, {"Accept": RAW}).content
        if b"\0" in content:
            raise UnreadableFile("The file is binary.")
        return content.decode("utf-8", "replace")


def _checked(path: str) -> str:
    if {".", ".."} & set(path.split("/")):
        raise SourceError(f"GitHub is not asked for a path that leads elsewhere: {path}")
    return path


def _refusal(response: httpx2.Response) -> SourceError | None:
    status, reason = response.status_code, _reason(response)
    if status == 429 or (status == 403 and _is_limit(response, reason)):
        return RateLimited(f"GitHub's rate limit is reached ({status}): {reason}")
    if status in (401, 403):
        hint = "Check GITHUB_PERSONAL_ACCESS_TOKEN and what it may read."
        return AccessDenied(f"GitHub refuses the token ({status}): {reason}", hint=hint)
    if status in (404, 410):
        return FileGone(f"GitHub does not know it, or the token may not see it ({status}).")
    return None if status >= 500 else SourceError(f"GitHub refused the request ({status}): {reason}")


def _is_limit(response: httpx2.Response, reason: str) -> bool:
    """Both limits of GitHub may come as 403: the one by the hour, and the one on bursts."""
    used_up = response.headers.get("X-RateLimit-Remaining") == "0" or "Retry-After" in response.headers
    return used_up or "rate limit" in reason.lower()


def _reason(response: httpx2.Response) -> str:
    try:
        body = json.loads(response.content)
        details = [str(each.get("message", "")) for each in body.get("errors", ()) if isinstance(each, dict)]
        return " ".join([str(body["message"]), *details]).strip()
    except (ValueError, LookupError, TypeError, AttributeError):
        return "without a reason"
