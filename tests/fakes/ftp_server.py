"""A small FTP server on loopback that can behave as archives of meetings do: IIS listings, no MLSD, odd replies."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self, cast

ListForm = Literal["unix", "iis"]


@dataclass
class FtpManners:
    """How the server behaves. `break_after` cuts the first so many downloads after some bytes: (downloads, bytes)."""

    mlsd: bool = True
    epsv: bool = True
    rest: bool = True
    list_form: ListForm = "unix"
    epsv_reply_to_pasv: bool = False
    break_after: tuple[int, int] = (0, 0)
    busy: int = 0
    """So many logins are answered with 421."""
    extra_lines: tuple[bytes, ...] = ()
    """Lines that listings end with."""
    commands: list[str] = field(default_factory=list)
    open_now: int = 0
    open_at_most: int = 0


class FtpServer:
    """Serves one folder to anybody. A context manager; `address` is its URL."""

    def __init__(self, root: Path, manners: FtpManners | None = None) -> None:
        self.manners = manners or FtpManners()
        server = self

        class Handler(_Session):
            root_folder = root
            manners = server.manners
            lock = threading.Lock()

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def address(self) -> str:
        """Without a path."""
        return f"ftp://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Session(socketserver.StreamRequestHandler):
    root_folder: Path
    manners: FtpManners
    lock: threading.Lock

    def handle(self) -> None:
        self._folder = "/"
        self._offset = 0
        self._data: socket.socket | None = None
        with self.lock:
            self.manners.open_now += 1
            self.manners.open_at_most = max(self.manners.open_at_most, self.manners.open_now)
        try:
            self._serve()
        finally:
            with self.lock:
                self.manners.open_now -= 1

    def _serve(self) -> None:
        if self.manners.busy:
            self.manners.busy -= 1
            self._say("421 Too many connections, try again.")
            return
        self._say("220 ready")
        while line := self.rfile.readline():
            command, _, argument = line.decode("latin-1").rstrip("\r\n").partition(" ")
            self.manners.commands.append(f"{command.upper()} {argument}".strip())
            handler = cast("Callable[[str], bool | None] | None", getattr(self, f"do_{command.upper()}", None))
            if handler is None:
                self._say("500 Command not understood.")
            elif handler(argument) is False:
                return

    def _say(self, line: str) -> None:
        self.wfile.write(line.encode("latin-1") + b"\r\n")

    def do_USER(self, _argument: str) -> None:
        self._say("331 password, please")

    def do_PASS(self, argument: str) -> None:
        self._say("530 no" if argument == "wrong" else "230 welcome")

    def do_TYPE(self, _argument: str) -> None:
        self._say("200 ok")

    def do_NOOP(self, _argument: str) -> None:
        self._say("200 ok")

    def do_QUIT(self, _argument: str) -> bool:
        self._say("221 bye")
        return False

    def do_CWD(self, argument: str) -> None:
        if self._path(argument).is_dir():
            self._folder = argument
            self._say("250 ok")
        else:
            self._say("550 no such folder")

    def do_REST(self, argument: str) -> None:
        if not self.manners.rest:
            self._say("502 not here")
            return
        self._offset = int(argument)
        self._say("350 go on")

    def do_EPSV(self, _argument: str) -> None:
        if not self.manners.epsv:
            self._say("500 Command not understood.")
            return
        self._say(f"229 Entering Extended Passive Mode (|||{self._listen()}|)")

    def do_PASV(self, _argument: str) -> None:
        port = self._listen()
        if self.manners.epsv_reply_to_pasv:
            self._say(f"229 Entering Extended Passive Mode (|||{port}|)")
        else:  # an address nobody must follow
            self._say(f"227 Entering Passive Mode (192,0,2,1,{port // 256},{port % 256})")

    def do_MLSD(self, _argument: str) -> None:
        if self.manners.mlsd:
            self._send_lines(_mlsd)
        else:
            self._say("500 'MLSD': command not understood.")

    def do_LIST(self, _argument: str) -> None:
        self._send_lines(_iis if self.manners.list_form == "iis" else _unix)

    def do_RETR(self, argument: str) -> None:
        path = self._path(argument)
        if not path.is_file():
            self._say("550 no such file")
            return
        content = path.read_bytes()[self._offset :]
        self._offset = 0
        times, after = self.manners.break_after
        if times:
            self.manners.break_after = (times - 1, after)
            self._say("150 here it comes")
            self._send(content[:after])
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._say("150 here it comes")
        self._send(content)
        self._say("226 done")

    def _path(self, argument: str) -> Path:
        name = argument if argument.startswith("/") else f"{self._folder}/{argument}"
        return self.root_folder / name.encode("latin-1").decode("utf-8", "surrogateescape").strip("/")

    def _listen(self) -> int:
        self._data = socket.create_server(("127.0.0.1", 0))
        return int(self._data.getsockname()[1])

    def _send_lines(self, form: Callable[[Path], bytes]) -> None:
        self._say("150 here it comes")
        lines = [form(path) for path in sorted(self._path(self._folder).iterdir())] + list(self.manners.extra_lines)
        self._send(b"".join(line + b"\r\n" for line in lines))
        self._say("226 done")

    def _send(self, content: bytes) -> None:
        assert self._data is not None
        self._data.settimeout(60)
        channel, _ = self._data.accept()
        with channel:
            channel.sendall(content)
        self._data.close()


def _name(path: Path) -> bytes:
    return path.name.encode("utf-8", "surrogateescape")


def _mlsd(path: Path) -> bytes:
    kind = "dir" if path.is_dir() else "file"
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return f"type={kind};size={path.stat().st_size};modify={modified:%Y%m%d%H%M%S}; ".encode() + _name(path)


def _unix(path: Path) -> bytes:
    kind = "d" if path.is_dir() else "-"
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return f"{kind}rw-r--r--   1 ftp      ftp  {path.stat().st_size:>12} {modified:%b %d  %Y} ".encode() + _name(path)


def _iis(path: Path) -> bytes:
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    size = "<DIR>         " if path.is_dir() else f"{path.stat().st_size:>20}"
    return f"{modified:%m-%d-%y  %I:%M%p} {size:>20} ".encode() + _name(path)
