"""Every archive of meetings, over real connections on loopback."""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from locator_search.adapters.threegpp_ftp import FtpArchive, WebArchive, open_archive
from locator_search.adapters.threegpp_ftp.ftp_archive import CONNECTIONS
from locator_search.core.errors import AccessDenied, ConfigurationError, FileGone, SourceUnavailable, UnreadableFile
from locator_search.ports import MeetingArchive
from tests.fakes.clock import HeldClock
from tests.fakes.ftp_server import FtpManners, FtpServer

BODY = bytes(range(256)) * 400
MODIFIED = 1_730_000_040  # 2024-10-27 03:34 UTC, a whole minute: IIS knows no seconds


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """One meeting with an ordinary file, one with spaces, and one whose name is neither ASCII nor Latin-1."""
    docs = tmp_path / "tree" / "WG1_Serv" / "TSGS1_111_Goteborg" / "Docs"
    docs.mkdir(parents=True)
    for name in ("S1-254001.zip", "S1-254002 Discussion on x - final.docx", "S1-254003_議事録.docx"):
        (docs / name).write_bytes(BODY)
    for path in [*docs.iterdir(), docs]:
        os.utime(path, (MODIFIED, MODIFIED))
    return tmp_path / "tree"


@contextmanager
def _web_server(root: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_args: Any) -> None: ...

    handler = functools.partial(Quiet, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@contextmanager
def _pyftpdlib(root: Path) -> Iterator[str]:
    """A server that others wrote. It ships no wheel, so the lock leaves it out; where it is installed it is asked."""
    pytest.importorskip("pyftpdlib", reason="pyftpdlib is not installed; our own FTP server is asked")
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.handlers import FTPHandler
    from pyftpdlib.servers import ThreadedFTPServer

    class Handler(FTPHandler):  # type: ignore[misc]
        authorizer = DummyAuthorizer()

    Handler.authorizer.add_anonymous(str(root))
    server = ThreadedFTPServer(("127.0.0.1", 0), Handler)

    def serve() -> None:
        with suppress(OSError):  # its sockets are closed under it
            server.serve_forever(timeout=0.02)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"ftp://127.0.0.1:{server.address[1]}"
    server.close_all()
    thread.join(5)


SERVERS = {
    "ftp": FtpManners(),
    "ftp without MLSD, Unix": FtpManners(mlsd=False),
    "ftp without MLSD, IIS": FtpManners(mlsd=False, list_form="iis", epsv=False, epsv_reply_to_pasv=True),
    "ftp that names another address": FtpManners(epsv=False),
    "pyftpdlib": None,
    "web": None,
    "folder": None,
}


@pytest.fixture(params=list(SERVERS))
def archive(request: pytest.FixtureRequest, tree: Path) -> Iterator[MeetingArchive]:
    """The same tree behind every kind of archive."""
    with ExitStack() as stack:
        address = str(tree)
        manners = SERVERS[request.param]
        if manners is not None:
            address = stack.enter_context(FtpServer(tree, manners)).address + "/WG1_Serv/"
        elif request.param == "pyftpdlib":
            address = stack.enter_context(_pyftpdlib(tree)) + "/WG1_Serv"
        elif request.param == "web":
            address = stack.enter_context(_web_server(tree)) + "/WG1_Serv/"
        opened = open_archive(address, HeldClock())
        yield opened
        opened.close()


def test_a_meeting_is_browsed_down_to_its_files(archive: MeetingArchive, tmp_path: Path) -> None:
    (group,) = archive.list_folder("")
    assert (group.path, group.is_folder) == ("WG1_Serv", True)
    (meeting,) = archive.list_folder("WG1_Serv")
    (docs,) = archive.list_folder(meeting.path)
    files = {entry.name: entry for entry in archive.list_folder(docs.path)}
    assert set(files) == {"S1-254001.zip", "S1-254002 Discussion on x - final.docx", "S1-254003_議事録.docx"}
    assert not any(entry.is_folder for entry in files.values())
    for name, entry in files.items():
        archive.download(entry.path, tmp_path / "got" / name, entry.size)
        assert (tmp_path / "got" / name).read_bytes() == BODY
    assert sorted(path.name for path in (tmp_path / "got").iterdir()) == sorted(files)


def test_sizes_and_times_are_known_before_any_body_is_fetched(archive: MeetingArchive) -> None:
    if isinstance(archive, WebArchive):
        pytest.skip("web pages round sizes and name no time zone: neither is taken from them")
    entry = archive.list_folder("WG1_Serv/TSGS1_111_Goteborg/Docs")[0]
    assert entry.size == len(BODY)
    assert entry.modified_at is not None
    assert entry.modified_at.date().isoformat() == "2024-10-27"


def test_what_is_not_there_is_said_so(archive: MeetingArchive, tmp_path: Path) -> None:
    with pytest.raises(FileGone):
        archive.list_folder("WG1_Serv/TSGS1_999")
    with pytest.raises(FileGone):
        archive.download("WG1_Serv/S1-999999.zip", tmp_path / "gone")
    assert not (tmp_path / "gone").exists()


def test_a_download_that_breaks_off_goes_on_where_it_ended(tree: Path, tmp_path: Path) -> None:
    manners = FtpManners(break_after=(2, 40_000))
    with FtpServer(tree, manners) as server:
        archive = FtpArchive(server.address, HeldClock())
        archive.download("WG1_Serv/TSGS1_111_Goteborg/Docs/S1-254001.zip", tmp_path / "got", len(BODY))
        archive.close()
    assert (tmp_path / "got").read_bytes() == BODY
    assert [command for command in manners.commands if command.startswith("REST")] == ["REST 40000", "REST 80000"]


def test_a_download_goes_on_after_the_process_died(tree: Path, tmp_path: Path) -> None:
    manners = FtpManners(break_after=(6, 10_000))
    with FtpServer(tree, manners) as server:
        archive = FtpArchive(server.address, HeldClock())
        with pytest.raises(SourceUnavailable):
            archive.download("WG1_Serv/TSGS1_111_Goteborg/Docs/S1-254001.zip", tmp_path / "got", len(BODY))
        assert not (tmp_path / "got").exists()
        FtpArchive(server.address, HeldClock()).download(
            "WG1_Serv/TSGS1_111_Goteborg/Docs/S1-254001.zip", tmp_path / "got", len(BODY)
        )
    assert (tmp_path / "got").read_bytes() == BODY
    assert manners.commands[-2].startswith("REST 60000")


def test_a_server_that_cannot_begin_in_the_middle_sends_it_all_again(tree: Path, tmp_path: Path) -> None:
    with FtpServer(tree, FtpManners(rest=False, break_after=(1, 40_000))) as server:
        archive = FtpArchive(server.address, HeldClock())
        archive.download("WG1_Serv/TSGS1_111_Goteborg/Docs/S1-254001.zip", tmp_path / "got", len(BODY))
        archive.close()
    assert (tmp_path / "got").read_bytes() == BODY


def test_a_busy_server_is_asked_again_later(tree: Path) -> None:
    clock = HeldClock()
    with FtpServer(tree, FtpManners(busy=2)) as server:
        archive = FtpArchive(server.address, clock)
        assert archive.list_folder("")
        archive.close()
    assert clock.slept == [1.0, 2.0]


def test_at_most_a_few_connections_are_open(tree: Path, tmp_path: Path) -> None:
    manners = FtpManners()
    with FtpServer(tree, manners) as server:
        archive = FtpArchive(server.address, HeldClock())
        path = "WG1_Serv/TSGS1_111_Goteborg/Docs/S1-254001.zip"
        threads = [
            threading.Thread(target=archive.download, args=(path, tmp_path / str(number), len(BODY)))
            for number in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(200)
        archive.close()
    assert all((tmp_path / str(number)).read_bytes() == BODY for number in range(6))
    assert manners.open_at_most <= CONNECTIONS


@pytest.mark.parametrize("mlsd", [True, False])
def test_names_that_mean_another_place_are_no_entries(tree: Path, mlsd: bool) -> None:
    hostile = (b"../../etc/passwd", b"..", b"a\\b.zip", b"x\r\nDELE y", b"\x1b[31mred.zip")
    form = b"type=file;size=1; " if mlsd else b"-rw-r--r--   1 ftp ftp 1 Nov 01  2024 "
    manners = FtpManners(mlsd=mlsd, extra_lines=tuple(form + name for name in hostile))
    with FtpServer(tree, manners) as server:
        archive = FtpArchive(server.address, HeldClock())
        names = [entry.name for entry in archive.list_folder("")]
        archive.close()
    assert names in (["WG1_Serv"], ["WG1_Serv", "x"])


def test_a_wrong_password_is_named_and_not_shown(tree: Path) -> None:
    with FtpServer(tree) as server:
        archive = FtpArchive(server.address.replace("//", "//someone:wrong@"), HeldClock())
        with pytest.raises(AccessDenied) as refused:
            archive.list_folder("")
    assert "wrong" not in refused.value.message + archive.name


def test_nobody_at_the_address_is_said_in_one_sentence() -> None:
    archive = FtpArchive("ftp://127.0.0.1:9", HeldClock())
    with pytest.raises(SourceUnavailable, match=r"^ftp://127.0.0.1:9 did not answer"):
        archive.list_folder("")


def test_a_body_beyond_all_measure_is_refused_before_it_is_fetched(archive: MeetingArchive, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="larger than 512 MB"):
        archive.download("WG1_Serv/TSGS1_111_Goteborg/Docs/S1-254001.zip", tmp_path / "got", 10**10)


@pytest.mark.parametrize("address", ["gopher://example.org/x", "ftp:///nohost", "http:///x"])
def test_an_address_of_no_archive_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError):
        open_archive(address, HeldClock())
