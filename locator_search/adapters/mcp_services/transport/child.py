"""A server as a child process: its pipes, environment, last lines of stderr, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from locator_search.adapters.mcp_services.configuration import Transport
from locator_search.adapters.mcp_services.transport.tail import Tail
from locator_search.core.errors import ServiceUnavailable

SHIM = Path(__file__).with_name("shim.py")
PASSED_ON = (
    "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
"""Variables every server inherits: where and behind what it runs. Tokens are passed by the configuration only."""
LEAVE_SECONDS = 2.0
"""Time for a server to end once its stdin is closed."""
END_SECONDS = 3.0
STDERR_SECONDS = 0.3


@dataclass
class Child:
    """A running server. One that was never ready is ended at once."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    tail: Tail
    draining: asyncio.Task[None]
    was_ready: bool = False

    async def last_words(self) -> str:
        """The reason a server wrote on stderr for its end, which may arrive a moment after the end itself."""
        await asyncio.wait([self.draining], timeout=STDERR_SECONDS)
        return self.tail.reason


def is_installed(transport: Transport) -> bool:
    """Whether the program of a server exists; a server elsewhere needs none. One relative to the server's folder is
    looked for only at its start."""
    if transport.url:
        return True
    if transport.cwd and Path(transport.command).name != transport.command:
        return True
    return shutil.which(transport.command, path=transport.env.get("PATH")) is not None


@asynccontextmanager
async def running_child(transport: Transport, mask: Callable[[str], str]) -> AsyncIterator[Child]:
    """A started server; at the end it is gone with everything it started. Raises ServiceUnavailable."""
    if not is_installed(transport):
        raise ServiceUnavailable("no_program", program=transport.command, install=transport.install)
    with ExitStack() as ours:
        try:
            process, lifeline, (stdin_file, stdout_file, stderr_file) = _started(transport, ours)
        except (OSError, ValueError) as error:
            raise ServiceUnavailable("not_startable", detail=mask(str(error))) from None
        ended = asyncio.create_task(_end_of(process, lifeline))
        stdin, (stdout, stdout_pipe) = await _write_end(stdin_file), await _read_end(stdout_file)
        stderr, stderr_pipe = await _read_end(stderr_file)
        tail = Tail(mask)
        draining = asyncio.create_task(_drain(stderr, tail))
        child = Child(stdin, stdout, tail, draining)
        try:
            yield child
        finally:
            if not stdin.transport.is_closing():  # a second end could hit another process that has its number by now
                stdin.transport.abort()
            try:
                await asyncio.wait([ended], timeout=LEAVE_SECONDS if child.was_ready else 0)
                lifeline.shutdown(socket.SHUT_WR)
                await asyncio.wait([ended, draining], timeout=END_SECONDS)
            finally:
                ended.cancel()
                draining.cancel()
                stdout_pipe.close()
                stderr_pipe.close()
                # Before the descriptors are closed and their numbers used again: the loop goes by numbers.
                await asyncio.wait([ended, draining])
                if process.poll() is None:
                    process.kill()
                    process.wait()


def _started(
    transport: Transport, ours: ExitStack
) -> tuple[subprocess.Popen[bytes], socket.socket, tuple[BinaryIO, BinaryIO, BinaryIO]]:
    """Start the shim; returns it, the lifeline to it, and our ends of the server's stdin, stdout and stderr.

    Nothing is awaited here, so that no cancellation can come between a started process and who looks after it.
    """
    with ExitStack() as theirs:
        lifeline, lifeline_shim = socket.socketpair()
        theirs.enter_context(lifeline_shim)
        ours.enter_context(lifeline)
        lifeline.setblocking(False)
        stdin_reader, stdin = _pipe(theirs, ours)
        stdout, stdout_writer = _pipe(ours, theirs)
        stderr, stderr_writer = _pipe(ours, theirs)
        process = subprocess.Popen(  # noqa: S603 - what servers.yaml names
            [sys.executable, "-I", "-S", str(SHIM), str(lifeline_shim.fileno()), transport.command, *transport.args],
            stdin=stdin_reader,
            stdout=stdout_writer,
            stderr=stderr_writer,
            pass_fds=(lifeline_shim.fileno(),),
            env=_environment(transport.env),
            cwd=transport.cwd,
            start_new_session=True,
        )
        return process, lifeline, (stdin, stdout, stderr)


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[BinaryIO, BinaryIO]:
    """Both ends, each closed at the end of its stack."""
    first, second = os.pipe()
    return (
        reader.enter_context(os.fdopen(first, "rb", 0)),
        writer.enter_context(os.fdopen(second, "wb", 0)),
    )


async def _end_of(process: subprocess.Popen[bytes], lifeline: socket.socket) -> None:
    """Wait for the end of the shim, which comes after that of everything below it."""
    with suppress(OSError):
        await asyncio.get_running_loop().sock_recv(lifeline, 1)  # nothing is ever sent: this is the end
    process.wait()


def _environment(own: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {**inherited, **{name: value for name, value in own.items() if value != ""}}


async def _drain(stderr: asyncio.StreamReader, tail: Tail) -> None:
    while piece := await stderr.read(1 << 16):
        tail.take(piece)


async def _read_end(file: BinaryIO) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return reader, transport


async def _write_end(file: BinaryIO) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), file
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)
