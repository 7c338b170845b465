"""How long do people wait who ask at the same moment, and does anybody lose a search when one of two pages dies?

python -m benchmarks.people --people 20 --files 1000
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.crawl_overhead import write_files
from benchmarks.verdict import tell
from locator_search.app.locator import open_locator
from locator_search.cli.up.local_servers import free_port
from locator_search.config.settings import load_settings
from tests.builders.page_proxy import page_proxy
from tests.builders.page_server import page_server
from tests.builders.report_folder import index_everything

ROUNDS = 5
ALLOWED = 3.0
TRIES = 60


class Person:
    """A tab of a browser: it asks over one connection, and as browsers do, opens it again and says what it shows."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._query = ""
        self._field = ""
        self._question: str | None = None
        self._socket: ClientConnection | None = None
        self.connections = 0

    async def open(self) -> None:
        """Show the empty page."""
        await self._until_drawn()

    async def ask(self, question: str) -> float:
        """Seconds until all results are drawn. Raises RuntimeError where the page shows an error, or nothing."""
        self._question, started = question, perf_counter()
        drawn = await self._until_drawn()
        if "dl-card" not in drawn:
            raise RuntimeError(f"No results for {question}: {drawn[:500]}")
        return perf_counter() - started

    async def leave(self) -> None:
        """Close the tab."""
        if self._socket is not None:
            await self._socket.close()

    async def _until_drawn(self) -> str:
        for _ in range(TRIES):
            try:
                return await self._drawn()
            except (OSError, WebSocketException):
                self._socket = None
                await asyncio.sleep(0.5)
        raise RuntimeError("No page answers.")

    async def _drawn(self) -> str:
        """What a run of the page draws, as one text."""
        if self._socket is None:
            address = self._address.replace("http", "ws", 1) + "/_stcore/stream"
            self._socket = await connect(address, subprotocols=["streamlit"], origin=self._address, max_size=None)  # type: ignore[list-item, arg-type]
            self.connections += 1
        await self._socket.send(self._rerun().SerializeToString())
        drawn, message = list[str](), ForwardMsg()
        while message.WhichOneof("type") != "script_finished":
            message = ForwardMsg.FromString(await self._socket.recv(decode=False))
            element = message.delta.new_element
            if element.WhichOneof("type") == "html":
                drawn.append(element.html.body)
            elif element.WhichOneof("type") in ("alert", "exception"):
                raise RuntimeError(f"The page shows an error: {element}")
            elif element.text_input.id.endswith("-question"):
                self._field = element.text_input.id
            elif message.HasField("page_info_changed"):
                self._query = message.page_info_changed.query_string
        return "".join(drawn)

    def _rerun(self) -> BackMsg:
        message = BackMsg()
        message.rerun_script.query_string = self._query
        if self._question is not None:
            widget = message.rerun_script.widget_states.widgets.add()
            widget.id, widget.string_value = self._field, self._question
        return message


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--files", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="locator-bench-") as directory, ExitStack() as servers:
        root = Path(directory)
        write_files(root / "files", range(arguments.files))
        settings = load_settings(
            locator_home=root / "home", locator_folders=str(root / "files"), database_url=None, locator_link_secret=None
        )
        with open_locator(settings) as locator:
            locator.upkeep.require_current()
            index_everything(locator)
            environment = {
                "DATABASE_URL": locator.database.url,
                "LOCATOR_HOME": str(root / "home"),
                "LOCATOR_FOLDERS": str(root / "files"),
            }
            pages = []
            for number in range(2):
                (root / f"page-{number}").mkdir()
                page = page_server(root / f"page-{number}", environment, free_port(20_000 + os.getpid() % 10_000))
                pages.append(servers.enter_context(page))
            proxy = servers.enter_context(page_proxy(pages))
            asyncio.run(_measure(pages[0], proxy, arguments.people, arguments.files))


async def _measure(page: str, proxy: str, count: int, files: int) -> None:
    people = [Person(page) for _ in range(count)]
    for person in people:
        await person.open()
    await asyncio.gather(*(person.ask(_question(number, files)) for number, person in enumerate(people)))  # warm
    alone, together = list[float](), list[float]()
    for turn in range(ROUNDS):  # in turns, so that a busy machine is busy for both
        for number in range(4):
            alone.append(await people[number].ask(_question(1000 * turn + number + 500, files)))
        asked = (person.ask(_question(1000 * turn + number, files)) for number, person in enumerate(people))
        together += await asyncio.gather(*asked)
    for person in people:
        await person.leave()
    cores = os.cpu_count() or 1
    one, p95 = median(alone), quantiles(together, n=20)[-1]
    fair = one * max(1.0, count / cores)
    print(f"one alone            {one:.2f} s (median of {len(alone)})")
    print(
        f"{count} at once           p50 {median(together):.2f} s, p95 {p95:.2f} s, no error in {len(together)} searches"
    )
    print(f"p95 / one alone      {p95 / one:.1f}; of one alone per core {p95 / fair:.2f} (allowed: {ALLOWED})")
    tell(f"{count} people at once, p95 / one alone per core", p95 / fair, at_most=ALLOWED)
    await _one_page_dies(proxy, int(page.rpartition(":")[2]), count, files)


async def _one_page_dies(proxy: str, port: int, count: int, files: int) -> None:
    people = [Person(proxy) for _ in range(count)]
    for person in people:
        await person.open()
    searches = [asyncio.create_task(person.ask(_question(number + 77, files))) for number, person in enumerate(people)]
    await asyncio.sleep(0.5)
    _process_at(port).kill()
    ended: Sequence[float | BaseException] = await asyncio.gather(*searches, return_exceptions=True)
    lost = [one for one in ended if isinstance(one, BaseException)]
    again = sum(person.connections > 1 for person in people)
    print(f"one of two killed    {len(lost)} of {count} searches lost, {again} went on at the other page {lost[:1]}")
    tell(f"searches lost of {count}, one of two pages killed", len(lost), at_most=0)


def _process_at(port: int) -> psutil.Process:
    """The page of ours that listens at a port."""
    for process in psutil.Process().children(recursive=True):
        if any(argument == f"--server.port={port}" for argument in process.cmdline()):
            return process
    raise RuntimeError(f"No page listens at {port}.")


def _question(number: int, files: int) -> str:
    """One that nobody else asks at the time."""
    return f"案件{number % files}の予算と進み具合"


if __name__ == "__main__":
    main()
