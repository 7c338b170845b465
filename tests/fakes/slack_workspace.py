"""A Slack workspace on loopback, behind a proxy: what the real slack-mcp-server asks of slack.com ends here.

The binary is told of the proxy and of the authority that signed its certificate. Hosts other than Slack's are refused,
so that nothing can leave this machine.
"""

from __future__ import annotations

import datetime
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

TOKEN = "xoxp-test-1234567890"
HOSTS = ("slack.com", "test-team.slack.com")

Json = dict[str, Any]


@dataclass
class Channel:
    """Where messages are: public, private, or a direct message."""

    id: str
    name: str
    kind: str = "public"


@dataclass
class Message:
    """One message; `replies` make it the root of a thread."""

    channel: Channel
    ts: str
    user: str
    text: str
    replies: tuple[tuple[str, str], ...] = ()


@dataclass
class SlackWorkspace:
    """A fake workspace: its content, its address, its requests so far, and its refusals."""

    folder: Path
    messages: list[Message] = field(default_factory=list)
    users: dict[str, str] = field(default_factory=lambda: {"U001": "佐藤 花子", "U002": "田中 一郎"})
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    refused_hosts: list[str] = field(default_factory=list)
    rate_limited: dict[str, int] = field(default_factory=dict)
    """Methods of the API that answer 429, with the seconds of Retry-After."""
    port: int = 0

    def environment(self) -> dict[str, str]:
        """The variables that lead the real server here."""
        return {
            "SLACK_USER_TOKEN": TOKEN,
            "SLACK_MCP_PROXY": f"http://127.0.0.1:{self.port}",
            "SLACK_MCP_SERVER_CA": str(self.folder / "ca.pem"),
        }

    def methods(self) -> list[str]:
        """The methods of the API that were called."""
        return [method for method, _ in self.asked]

    # The API

    def answer(self, method: str, form: dict[str, str]) -> Json:
        """The answer of a method of the Web API."""
        self.asked.append((method, form))
        known = {
            "auth.test": self._who,
            "search.all": self._search,
            "conversations.replies": self._replies,
            "users.info": self._user,
        }
        return known[method](form) if method in known else {"ok": False, "error": "unknown_method"}

    def _who(self, _form: dict[str, str]) -> Json:
        return {
            "ok": True, "url": "https://test-team.slack.com/", "team": "テスト", "user": "sato", "team_id": "T001",
            "user_id": "U001",
        }  # fmt: skip

    def _search(self, form: dict[str, str]) -> Json:
        words = [word for word in form["query"].split() if ":" not in word]
        found = [message for message in self.messages if all(word in message.text for word in words)]
        found = found[: int(form.get("count", "20"))]
        matches = [self._match(message) for message in found]
        paging = {"count": 20, "total": len(found), "page": 1, "pages": 1}
        pagination = {"total_count": len(found), "page": 1, "per_page": 20, "page_count": 1, "first": 1, "last": 1}
        return {
            "ok": True,
            "query": form["query"],
            "messages": {"total": len(found), "paging": paging, "pagination": pagination, "matches": matches},
        }

    def _match(self, message: Message) -> Json:
        channel = message.channel
        name = channel.name if channel.kind != "dm" else "U002"
        link = f"https://test-team.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
        return {
            "type": "message" if channel.kind != "dm" else "im",
            "user": message.user,
            "username": "sato",
            "ts": message.ts,
            "text": message.text,
            "team": "T001",
            "iid": "1",
            "permalink": link + (f"?thread_ts={message.ts}" if message.replies else ""),
            "channel": {
                "id": channel.id, "name": name, "is_private": channel.kind == "private",
                "is_im": channel.kind == "dm", "is_channel": True, "is_mpim": False,
            },
        }  # fmt: skip

    def _replies(self, form: dict[str, str]) -> Json:
        for message in self.messages:
            if (message.channel.id, message.ts) == (form["channel"], form["ts"]):
                root = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts}
                later = [
                    {"type": "message", "user": user, "text": text, "ts": f"{float(message.ts) + n + 1:.6f}"}
                    for n, (user, text) in enumerate(message.replies)
                ]
                return {"ok": True, "messages": [{**each, "thread_ts": message.ts} for each in (root, *later)]}
        return {"ok": False, "error": "thread_not_found"}

    def _user(self, form: dict[str, str]) -> Json:
        return {"ok": True, "users": [self._described(user) for user in form["users"].split(",")]}

    def _described(self, user: str) -> Json:
        name = self.users.get(user, user)
        return {"id": user, "name": user.lower(), "real_name": name, "profile": {"real_name": name}}


@contextmanager
def slack_workspace(folder: Path) -> Iterator[SlackWorkspace]:
    """A workspace that is being served."""
    workspace = SlackWorkspace(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificates(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _proxy(workspace, context))
    server.daemon_threads = True
    workspace.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield workspace
    finally:
        server.shutdown()
        server.server_close()


def _proxy(workspace: SlackWorkspace, context: ssl.SSLContext) -> type[BaseHTTPRequestHandler]:
    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
            split = urlsplit(self.path)
            form = {name: values[-1] for name, values in parse_qs(body or split.query).items()}
            method = split.path.rpartition("/")[2]
            if workspace.rate_limited.get(method) is not None:
                workspace.asked.append((method, form))
                return self._send(429, {"ok": False, "error": "ratelimited"}, workspace.rate_limited[method])
            token = form.get("token") or self.headers.get("Authorization", "").removeprefix("Bearer ")
            if token != TOKEN:
                return self._send(200, {"ok": False, "error": "invalid_auth"})
            return self._send(200, workspace.answer(method, form))

        def _send(self, status: int, body: Json, retry_after: int | None = None) -> None:
            raw = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            if retry_after is not None:
                self.send_header("Retry-After", str(retry_after))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    class Proxy(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            host = self.path.partition(":")[0]
            if host not in HOSTS:
                workspace.refused_hosts.append(host)
                self.send_error(403)
                return
            self.send_response(200)
            self.end_headers()
            with suppress(OSError, ssl.SSLError), context.wrap_socket(self.connection, server_side=True) as secured:
                Api(secured, self.client_address, self.server)
            self.close_connection = True
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    return Proxy


def _certificates(folder: Path) -> Path:
    """An authority (`ca.pem`) and, signed by it, what Slack's hosts show."""
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test authority")])
    now = datetime.datetime.now(datetime.UTC)

    def certificate(subject: x509.Name, public_key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(authority)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
        )

    ca = certificate(authority, authority_key.public_key()).add_extension(x509.BasicConstraints(True, None), True)
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in HOSTS])
    shown = certificate(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOSTS[0])]), key.public_key())
    signed = shown.add_extension(names, False).sign(authority_key, hashes.SHA256())
    (folder / "ca.pem").write_bytes(ca.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    pem = folder / "slack.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return pem
