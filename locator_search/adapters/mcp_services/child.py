"""A server as a child process: pipes, environment, the tail of what it complained about, and a sure end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from locator_search.adapters.mcp_services.configuration import Transport
from locator_search.errors import ServiceUnavailable

SHIM = Path(__file__).with_name("shim.py")
PASSED_ON = (
    "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""Variables every server inherits: where and behind what it runs. Tokens are passed by the configuration only."""
LEAVE_SECONDS = 2.0
"""So long may a server take to end once its stdin is closed."""
END_SECONDS = 3.0
LAST_WORDS_SECONDS = 0.3
KEPT_LINES = 40
LONGEST_LINE = 400


@dataclass
class Tail:
    """The last lines of stderr, with secrets blotted out."""

    mask: Callable[[str], str]
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))
    _unfinished: str = ""

    def take(self, piece: bytes) -> None:
        """More of the stream."""
        *whole, rest = (self._unfinished + piece.decode("utf-8", "replace")).split("\n")
        self._unfinished = rest[-LONGEST_LINE:]
        self.lines.extend(line[:LONGEST_LINE] for line in (each.strip() for each in whole) if line)

    @property
    def last(self) -> str:
        """The last line that says something."""
        said = self._unfinished.strip() or next(reversed(self.lines), "")
        return self.mask(said)

    @property
    def text(self) -> str:
        """All lines kept."""
        return self.mask("\n".join([*self.lines, self._unfinished]).strip())


@dataclass
class Child:
    """A running server."""

    process: asyncio.subprocess.Process
    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    tail: Tail
    draining: asyncio.Task[None]

    async def last_words(self) -> str:
        """The last line on stderr of a server that ended; it may come a moment later than the end itself."""
        await asyncio.wait([self.draining], timeout=LAST_WORDS_SECONDS)
        return self.tail.last


@asynccontextmanager
async def running_child(transport: Transport, mask: Callable[[str], str]) -> AsyncIterator[Child]:
    """A started server; at the end it is gone with everything it started. Raises ServiceUnavailable."""
    lifeline_reader, lifeline = os.pipe()
    (stdin_child, stdin_ours), (stdout_ours, stdout_child), (stderr_ours, stderr_child) = (
        os.pipe(),
        os.pipe(),
        os.pipe(),
    )
    tail = Tail(mask)
    try:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", str(SHIM), str(lifeline_reader), transport.command, *transport.args,
                stdin=stdin_child, stdout=stdout_child, stderr=stderr_child,
                pass_fds=(lifeline_reader,), env=_environment(transport.env), cwd=transport.cwd,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            os.close(lifeline)
            for descriptor in (stdin_ours, stdout_ours, stderr_ours):
                os.close(descriptor)
            raise ServiceUnavailable(f"Its server cannot be started: {mask(str(error))}.") from None
    finally:
        for descriptor in (lifeline_reader, stdin_child, stdout_child, stderr_child):
            os.close(descriptor)
    stdin, stdout, stderr = await _write_end(stdin_ours), await _read_end(stdout_ours), await _read_end(stderr_ours)
    draining = asyncio.create_task(_drain(stderr[0], tail))
    try:
        yield Child(process, stdin, stdout[0], tail, draining)
    finally:
        stdin.transport.abort()
        try:
            await _ended(process, LEAVE_SECONDS)
        finally:
            os.close(lifeline)
            with suppress(asyncio.CancelledError):
                await _ended(process, END_SECONDS)
            await asyncio.wait([draining], timeout=LAST_WORDS_SECONDS)
            draining.cancel()
            stdout[1].close()
            stderr[1].close()


def _environment(own: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {**inherited, **{name: value for name, value in own.items() if value != ""}}


async def _ended(process: asyncio.subprocess.Process, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.wait()


async def _drain(stderr: asyncio.StreamReader, tail: Tail) -> None:
    while piece := await stderr.read(1 << 16):
        tail.take(piece)


async def _read_end(descriptor: int) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0)
    )
    return reader, transport


async def _write_end(descriptor: int) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(descriptor, "wb", 0)
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)
