"""A wire between the product and its database that can be cut, or hold everything back."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PIECE = 1 << 16


class Proxy:
    """Listens on loopback and passes everything on to the socket of a PostgreSQL server."""

    def __init__(self, server_url: str) -> None:
        self._database = urlsplit(server_url).path.lstrip("/")
        folder = parse_qs(urlsplit(server_url).query)["host"][0]
        self._server = str(Path(folder) / ".s.PGSQL.5432")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._flows = threading.Event()
        self._flows.set()
        self._open = True
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """A libpq URL of the same database, as of a server on another machine."""
        return f"postgresql://postgres@127.0.0.1:{self._listener.getsockname()[1]}/{self._database}"

    def cut(self) -> None:
        """End every connection, as when a cable is drawn; new ones are refused at once until `mend`."""
        self._open = False
        for pair in list(self._pairs):
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def hold(self) -> None:
        """Pass nothing on until `mend`, without ending anything."""
        self._flows.clear()

    def mend(self) -> None:
        """As if nothing had been."""
        self._open = True
        self._flows.set()

    def close(self) -> None:
        """End it."""
        self.mend()
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._open:
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()
            else:
                client.close()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(self._server)
            pair = (client, server)
            self._pairs.add(pair)
            try:
                self._pass_on(client, server)
            finally:
                self._pairs.discard(pair)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in selector.select():
                    self._flows.wait()
                    assert isinstance(key.fileobj, socket.socket)
                    piece = key.fileobj.recv(PIECE)
                    if not piece:
                        return
                    key.data.sendall(piece)


@contextmanager
def proxy(server_url: str) -> Iterator[Proxy]:
    """One that is there while the block runs."""
    opened = Proxy(server_url)
    try:
        yield opened
    finally:
        opened.close()
