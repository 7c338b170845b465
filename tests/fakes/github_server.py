"""GitHub's REST API on loopback, as far as our server asks it: two searches, issues, pull requests, contents."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "github_pat_test_123456"

Json = dict[str, Any]


@dataclass
class FakeGitHub:
    """A fake GitHub with its data, its requests so far, and refusals: status, headers and body by path."""

    url: str = ""
    issues: list[Json] = field(default_factory=list)
    comments: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    refusals: dict[str, tuple[int, dict[str, str], Json]] = field(default_factory=dict)

    def add_issue(self, number: int, title: str, body: str, *, pull_request: bool = False) -> None:
        """An issue of acme/app, or a pull request."""
        place = "pull" if pull_request else "issues"
        issue: Json = {
            "number": number,
            "title": title,
            "body": body,
            "state": "open",
            "html_url": f"https://github.com/acme/app/{place}/{number}",
            "updated_at": "2026-10-01T00:00:00Z",
            "comments": 0,
        }
        self.issues.append({**issue, "pull_request": {"url": ""}} if pull_request else issue)

    def answer(self, path: str, query: dict[str, str], accept: str) -> Json | list[Json] | bytes | None:
        """The answer at a path; None where there is none."""
        if path == "/search/issues":
            return self._found_issues(query)
        if path == "/search/code":
            return self._found_code(query, with_matches="text-match" in accept)
        if match := re.fullmatch(r"/repos/acme/app/issues/(\d+)", path):
            found = next((each for each in self.issues if each["number"] == int(match[1])), None)
            return found and {**found, "comments": len(self.comments.get(int(match[1]), ()))}
        if match := re.fullmatch(r"/repos/acme/app/issues/(\d+)/comments", path):
            return [{"user": {"login": user}, "body": body} for user, body in self.comments.get(int(match[1]), ())]
        if match := re.fullmatch(r"/repos/acme/app/pulls/(\d+)/files", path):
            return [{"filename": "src/retry.py"}]
        if match := re.fullmatch(r"/repos/acme/app/contents/(.+)", path):
            assert "raw" in accept
            return self.files.get(match[1])
        return None

    def _found_issues(self, query: dict[str, str]) -> Json:
        assert query["advanced_search"] == "true"
        wants_pulls = "is:pr" in query["q"].split()
        assert wants_pulls != ("is:issue" in query["q"].split())
        words = [word for word in query["q"].split() if ":" not in word]
        found = [each for each in self.issues if ("pull_request" in each) == wants_pulls]
        found = [each for each in found if all(word in each["title"] + each["body"] for word in words)]
        return self._page(found, query)

    def _found_code(self, query: dict[str, str], *, with_matches: bool) -> Json:
        found = []
        for path, content in self.files.items():
            if query["q"].encode() in content:
                row: Json = {
                    "path": path,
                    "html_url": f"https://github.com/acme/app/blob/0123abc/{path}",
                    "repository": {"full_name": "acme/app"},
                }
                matches = {"text_matches": [{"fragment": content.decode("utf-8", "replace")[:80]}]}
                found.append({**row, **matches} if with_matches else row)
        return self._page(found, query)

    @staticmethod
    def _page(found: list[Json], query: dict[str, str]) -> Json:
        most = int(query["per_page"])
        return {"total_count": len(found), "incomplete_results": False, "items": found[:most]}


@contextmanager
def fake_github() -> Iterator[FakeGitHub]:
    """One that is being served."""
    github = FakeGitHub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(github))
    server.daemon_threads = True
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()


def _handler(github: FakeGitHub) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            split = urlsplit(self.path)
            path, query = unquote(split.path), {name: values[-1] for name, values in parse_qs(split.query).items()}
            github.asked.append((path, query))
            if path in github.refusals:
                status, headers, body = github.refusals[path]
                return self._send(status, body, headers)
            if self.headers["Authorization"] != f"Bearer {TOKEN}":
                return self._send(401, {"message": "Bad credentials"})
            found = github.answer(path, query, self.headers["Accept"])
            return self._send(404, {"message": "Not Found"}) if found is None else self._send(200, found)

        def _send(self, status: int, body: Json | list[Json] | bytes, headers: dict[str, str] | None = None) -> None:
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    return Handler
