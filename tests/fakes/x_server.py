"""X's search on loopback: pages, tokens, rate limits, billing, refusals. Scripted per test."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.builders.sample_posts.build import sample_answer

TOKEN = "a-token-of-nobody"


@dataclass
class XServer:
    """A fake X that keeps its requests, and what X would have billed.

    Each query finds the next `per_query` of the posts; `fresh_share` of them are others than those of the query before.
    """

    url: str = ""
    requests: list[dict[str, str]] = field(default_factory=list)
    billed: Counter[str] = field(default_factory=Counter)
    posts: list[dict[str, Any]] = field(default_factory=list)
    users: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    """Posts that come along with those that refer to them."""
    found: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    per_query: int = 100
    fresh_share: float = 0.6
    delay: float = 0.0
    refused: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    limited_until: datetime | None = None
    limit_after: int | None = None
    limit_seconds: float = 1.0
    deleted: set[str] = field(default_factory=set)
    protected: set[str] = field(default_factory=set)
    forgotten_tokens: set[str] = field(default_factory=set)
    damaged: Callable[[dict[str, str], bytes], bytes] | None = None
    """What becomes of the bytes of a page on their way."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, asked: dict[str, str]) -> tuple[int, dict[str, Any], dict[str, str]]:
        with self.lock:
            self.requests.append(asked)
            return self._answer(asked)

    def _answer(self, asked: dict[str, str]) -> tuple[int, dict[str, Any], dict[str, str]]:
        if self.limit_after is not None and len(self.requests) > self.limit_after:
            self.limit_after = None
            self.limited_until = datetime.now(UTC) + timedelta(seconds=self.limit_seconds)
        if self.limited_until and datetime.now(UTC) < self.limited_until:
            reset = str(int(self.limited_until.timestamp()))
            return 429, {"title": "Too Many Requests"}, {"x-rate-limit-reset": reset, "x-rate-limit-remaining": "0"}
        refused = self.refused.get(asked.get("query", asked.get("ids", "")))
        if refused is not None:
            return *refused, {}
        if "ids" in asked:
            return 200, self._looked_up(asked["ids"].split(",")), {"x-rate-limit-remaining": "299"}
        if asked.get("next_token") in self.forgotten_tokens:
            return 400, {"errors": [{"message": "Invalid next_token"}]}, {}
        return 200, self._page(asked), {"x-rate-limit-remaining": "299"}

    def _page(self, asked: dict[str, str]) -> dict[str, Any]:
        found = self._found(asked["query"])
        start, size = int(asked.get("next_token", "t0")[1:]), int(asked["max_results"])
        assert 10 <= size <= 100
        page = found[start : start + size]
        self.billed.update(post["id"] for post in page)
        authors = {post["author_id"] for post in page}
        meta: dict[str, Any] = {"result_count": len(page)}
        if start + size < len(found):
            meta["next_token"] = f"t{start + size}"
        answer: dict[str, Any] = {"meta": meta}
        if page:
            others = self._referred_to(page)
            users = [user for user in self.users if user["id"] in authors]
            answer |= {"data": page, "includes": {"users": users} | ({"tweets": others} if others else {})}
        return answer

    def _referred_to(self, posts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        named = {one["id"] for post in posts for one in post.get("referenced_tweets", [])}
        return [post for post in self.others if post["id"] in named and post["id"] not in self.deleted]

    def _looked_up(self, post_ids: list[str]) -> dict[str, Any]:
        """X answers 200 whatever became of the posts, and leaves out `data` where it returns none."""
        assert 1 <= len(post_ids) <= 100
        known = {post["id"]: post for post in self.posts if post["id"] not in self.deleted | self.protected}
        returned = [known[one] for one in post_ids if one in known]
        self.billed.update(post["id"] for post in returned)
        answer: dict[str, Any] = {"data": returned} if returned else {}
        if others := self._referred_to(returned):
            answer["includes"] = {"tweets": others}
        errors = [_missing(one, protected=one in self.protected) for one in post_ids if one not in known]
        return answer | ({"errors": errors} if errors else {})

    def _found(self, query: str) -> list[dict[str, Any]]:
        if query not in self.found:
            start = round(len(self.found) * self.per_query * self.fresh_share)
            self.found[query] = (self.posts * 2)[start : start + self.per_query]
        return self.found[query]


def _missing(post_id: str, *, protected: bool) -> dict[str, Any]:
    kind = "not-authorized-for-resource" if protected else "resource-not-found"
    return {
        "value": post_id,
        "detail": f"Could not find tweet with ids: [{post_id}].",
        "title": "Authorization Error" if protected else "Not Found Error",
        "resource_type": "tweet",
        "parameter": "ids",
        "resource_id": post_id,
        "type": f"https://api.twitter.com/2/problems/{kind}",
    }


def many_posts(count: int) -> list[dict[str, Any]]:
    """The posts of the sample, again and again under other ids, so that many are told apart by a number."""
    sample = sample_answer()["data"]
    return [
        {**sample[number % len(sample)], "id": str(5_000_000 + number), "text": _text(sample, number)}
        for number in range(count)
    ]


def _text(sample: list[dict[str, Any]], number: int) -> str:
    other = sample[(number * 7 + number // len(sample) * 31) % len(sample)]["text"]
    return f"{sample[number % len(sample)]['text'][:70]} {number}番目。{other[:40]}"


@contextmanager
def x_server(posts: int = 400) -> Iterator[XServer]:
    state = XServer(posts=many_posts(posts), users=sample_answer()["includes"]["users"])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            if self.headers["Authorization"] != f"Bearer {TOKEN}":
                self._send(401, {"title": "Unauthorized"}, {})
                return
            wanted = {"/2/tweets/search/recent": "query", "/2/tweets": "ids"}.get(urlsplit(self.path).path)
            if wanted not in asked:
                self._send(404, {"title": "Not Found"}, {})
                return
            time.sleep(state.delay)
            status, body, headers = state.answer(asked)
            content = json.dumps(body).encode()
            if state.damaged and status == 200:
                content = state.damaged(asked, content)
            self._send(status, content, headers)

        def _send(self, status: int, body: dict[str, Any] | bytes, headers: dict[str, str]) -> None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # a worker was killed while it read
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
