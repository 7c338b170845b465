"""The emulator as a whole: a server with a Drive behind it, for the command line and for tests."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Self

from locator_search.core.errors import ConfigurationError
from locator_search.dev.drive_emulator.api import DriveApi
from locator_search.dev.drive_emulator.directory import Directory
from locator_search.dev.drive_emulator.drive.contents import DriveContents
from locator_search.dev.drive_emulator.drive.mirror import FolderMirror
from locator_search.dev.drive_emulator.faults import FaultRule, Faults
from locator_search.dev.drive_emulator.oauth import OAuth
from locator_search.dev.drive_emulator.request_log import Request, RequestLog
from locator_search.dev.drive_emulator.routes import API_PATH, CONSENT_PATH, TOKEN_PATH, Router
from locator_search.dev.drive_emulator.server import LOOPBACK, EmulatorServer, Service

_SECONDS_BETWEEN_LOOKS = 1.0


class DriveEmulator(DriveContents):
    """Google Drive of one user on loopback, in this process. A context manager; `port` 0 takes a free one.

    With a folder, its content is served under My Drive and followed as it changes on disk: at every request for
    changes, and otherwise at most once a second (`look` does it now). Everything else is made by the methods
    of DriveContents, all of which may be called while requests run.

    Raises ConfigurationError where the folder or the port cannot be used.
    """

    def __init__(self, folder: Path | None = None, *, port: int = 0) -> None:
        super().__init__()
        if folder is not None and not folder.is_dir():
            raise ConfigurationError(f"{folder} is not a folder.", hint="Name the folder to serve.")
        try:
            self._server = EmulatorServer(port)
        except (OSError, OverflowError):
            raise ConfigurationError(
                f"Port {port} cannot be used on {LOOPBACK}.", hint="Choose another with --port, or leave it out."
            ) from None
        self.origin = f"http://{LOOPBACK}:{self._server.server_address[1]}"
        self.oauth = OAuth()
        self.directory = Directory()
        self.api = DriveApi(self.tree, self.origin)
        self.log = RequestLog()
        self._faults = Faults()
        self._mirror = FolderMirror(self.tree, folder) if folder else None
        self._looked_at = time.monotonic()
        self._look_lock = threading.Lock()
        router = Router(self.api, self.oauth, self.directory)
        self._server.service = Service(router, self._faults, self.log, self._before_each)
        # A short poll lets close() return at once.
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server and end its connections."""
        self._server.end()
        self._thread.join()

    # Where it is

    @property
    def api_endpoint(self) -> str:
        """For GOOGLE_API_ENDPOINT and `client_options`, path included."""
        return self.origin + API_PATH

    @property
    def token_uri(self) -> str:
        """For GOOGLE_TOKEN_URI and `Credentials`."""
        return self.origin + TOKEN_PATH

    @property
    def consent_uri(self) -> str:
        """The authorisation page, which agrees at once and sends the browser back."""
        return self.origin + CONSENT_PATH

    @property
    def root_id(self) -> str:
        """The id of My Drive."""
        return self.tree.root.id

    @property
    def folder_id(self) -> str:
        """The id of the served folder; My Drive's where none is served."""
        return self._mirror.top.id if self._mirror else self.root_id

    def environment(self) -> dict[str, str]:
        """The settings that make the product use this emulator."""
        return {
            "GOOGLE_API_ENDPOINT": self.api_endpoint,
            "GOOGLE_TOKEN_URI": self.token_uri,
            "GOOGLE_CLIENT_ID": self.oauth.client_id,
            "GOOGLE_CLIENT_SECRET": self.oauth.client_secret,
            "GOOGLE_REFRESH_TOKEN": self.oauth.refresh_token or "",
            "GOOGLE_DRIVE_TARGET_FOLDER_IDS": self.folder_id,
        }

    # Faults and tokens

    def set_faults(self, *rules: FaultRule, seed: int = 0) -> None:
        """Put these rules in force instead of those before; none ends all faults."""
        self._faults.set(rules, seed)

    def expire_change_tokens(self, status: int = 400) -> None:
        """Refuse every token of the changes feed given out so far, with 400 or 410."""
        self.api.changes.tokens.expire(status)

    def expire_page_tokens(self) -> None:
        """Refuse every page token of a listing given out so far."""
        self.api.listing.tokens.expire()

    # What was asked

    @property
    def requests(self) -> list[Request]:
        """All requests so far, in the order in which they began."""
        return list(self.log.requests)

    @property
    def most_in_flight(self) -> int:
        """The largest number of API requests at one moment, token requests not counted."""
        return self.log.most_in_flight

    def request_counts(self) -> Counter[str]:
        """Requests by method, `files.list`, `files.media` and so on."""
        return self.log.count()

    def clear_requests(self) -> None:
        """Forget the requests so far."""
        self.log.clear()

    def look(self) -> None:
        """Compare the served folder with the disk now."""
        if self._mirror:
            with self._look_lock:
                self._mirror.look()
                self._looked_at = time.monotonic()

    def _before_each(self, method: str) -> None:
        if method.startswith("changes.") or time.monotonic() - self._looked_at > _SECONDS_BETWEEN_LOOKS:
            self.look()
