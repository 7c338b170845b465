"""From the address of a request to what answers it: the Drive API, OAuth, and the links that come with files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from locator_search.dev.drive_emulator import directory
from locator_search.dev.drive_emulator.api import CONTENT_METHODS, DriveApi
from locator_search.dev.drive_emulator.directory import Directory
from locator_search.dev.drive_emulator.drive.exports import EXPORTS, export
from locator_search.dev.drive_emulator.errors import ApiError, file_not_found
from locator_search.dev.drive_emulator.oauth import OAuth, OAuthError
from locator_search.dev.drive_emulator.responses import Response, json_response, response_of

API_PATH = "/drive/v3/"
TOKEN_PATH = "/token"  # noqa: S105 - an address
CONSENT_PATH = "/o/oauth2/v2/auth"

_EXPORT_LINK = re.compile(r"/(feeds/download/(documents/export|presentations)/Export|spreadsheets/export)")
_PAGE = re.compile(r"/(?:file|document|spreadsheets|presentation)/d/([^/]+)/(?:view|edit)")
_READABLE = ("text/html", "text/csv", "text/plain")


@dataclass(frozen=True)
class Target:
    """The handler of a request. `answer` may raise ApiError, OAuthError or OSError."""

    method: str
    parameters: Mapping[str, str]
    file_id: str | None
    answer: Callable[[], Response]


@dataclass(frozen=True)
class Router:
    """Finds the target of a request."""

    api: DriveApi
    oauth: OAuth
    directory: Directory

    def find(self, http_method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Target:
        """The target; of a POST that stands for a GET too. Raises ApiError where there is none."""
        parts = urlsplit(address)
        path = unquote(parts.path)
        values = dict(parse_qsl(parts.query, keep_blank_values=True))
        form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        if http_method == "POST" and headers.get("x-http-method-override", "").upper() == "GET":
            http_method, values = "GET", values | form
        if path.startswith(API_PATH):
            return self._api_call(http_method, path.removeprefix(API_PATH), values, headers)
        if path.startswith(directory.PATH) and path.endswith("/members"):
            group = path.removeprefix(directory.PATH).removesuffix("/members")
            return Target("members.list", values, None, lambda: self._members(group, values, headers))
        if path == TOKEN_PATH and http_method == "POST":
            return Target("oauth.token", {}, None, lambda: json_response(self.oauth.token(form)))
        if path == CONSENT_PATH:
            return Target("oauth.consent", {}, None, lambda: _redirect(self.oauth.consent(values)))
        if _EXPORT_LINK.fullmatch(path):
            return self._export_link(values, headers)
        page = _PAGE.fullmatch(path)
        file_id = page[1] if page else values.get("id") if path == "/uc" else None
        if file_id:
            return Target("page", values, file_id, lambda: self._page(file_id))
        raise ApiError(404, "notFound", f"Not Found: {path}")

    def _api_call(self, http_method: str, path: str, values: dict[str, str], headers: Mapping[str, str]) -> Target:
        method, call = self.api.find(http_method, path, values, headers)

        def answer() -> Response:
            self._check_token(headers, for_content=method in CONTENT_METHODS)
            return response_of(self.api.answer(method, call))

        return Target(method, values, call.values.get("fileId"), answer)

    def _members(self, group: str, values: Mapping[str, str], headers: Mapping[str, str]) -> Response:
        self._check_token(headers, for_content=False)
        asked_as = self.oauth.acting_for(headers.get("authorization", ""))
        return json_response(self.directory.members(group, asked_as, values))

    def _export_link(self, values: dict[str, str], headers: Mapping[str, str]) -> Target:
        file_id = values.get("id", "")

        def answer() -> Response:
            self._check_token(headers, for_content=True)
            return response_of(self.api.downloads.export_link(file_id, values.get("exportFormat", ""), headers))

        return Target("exportLink", values, file_id, answer)

    def _check_token(self, headers: Mapping[str, str], *, for_content: bool) -> None:
        self.oauth.check(headers.get("authorization", ""), for_content=for_content)

    def _page(self, file_id: str) -> Response:
        """The answer to a browser for `webViewLink`: the file itself, or a readable export of it."""
        item = self.api.tree.items.get(file_id)
        if item is None or item.content is None:
            raise file_not_found(file_id)
        if item.is_blob:
            return Response(200, item.mime_type, item.content, end=item.size)
        mime_type = next(readable for readable in _READABLE if readable in EXPORTS[item.mime_type])
        shown_as = mime_type if mime_type == "text/html" else "text/plain"
        return Response(200, f"{shown_as}; charset=UTF-8", export(item, mime_type))


def _redirect(address: str) -> Response:
    return Response(302, "text/plain", b"", {"Location": address})


def refusal(error: Exception) -> Response:
    """The response for something that went wrong."""
    if isinstance(error, ApiError | OAuthError):
        headers = error.headers if isinstance(error, ApiError) else {}
        return json_response(error.body, error.status, headers)
    gone = ApiError(404, "notFound", f"The file went away: {error}")
    return json_response(gone.body, gone.status)
