"""A search that takes longer shows meanwhile what the words of its question find. That lies over the place of the
results, so that the whole result, drawn below it, is there at once and nothing jumps."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic

import streamlit as st

from locator_search.drive_search.searcher import SearchRun
from locator_search.model import SearchOutcome
from locator_search.ports import OnProgress
from streamlit_app.search.progress_line import ProgressLine
from streamlit_app.shared import markup, originals, session
from streamlit_app.shared.templates import render
from streamlit_app.shared.texts import Texts


class AbandonedError(Exception):
    """The person asked something else meanwhile."""


@dataclass
class Pace:
    """The seconds that the last search on this server took."""

    seconds: float = 0.0


@st.cache_resource(show_spinner=False)
def pace() -> Pace:
    """The same for all tabs: searches are slow because of the index or of the model, whoever asks."""
    return Pace()


class Meanwhile:
    """The first documents, over the place of the results."""

    def __init__(self) -> None:
        self._place, self._shown = st.empty(), ""

    def show(self, html: str) -> None:
        """Draw them."""
        self._shown = html
        self._draw("words-first")

    def leave(self) -> None:
        """Let them go as soon as the whole result is seen, which may be a moment after it was drawn (style.css)."""
        if self._shown:
            self._draw("words-leaving")

    def _draw(self, key: str) -> None:
        with self._place.container(key=key):
            st.html(self._shown)


def advance(run: SearchRun, texts: Texts, line: ProgressLine, meanwhile: Meanwhile) -> None:
    """Run the search to its end or its narrowing question, and draw meanwhile what words find. After a search that took
    long, words are asked before it begins: beside it they would wait for it. Raises StoreError."""
    patience, last = session.locator().settings.locator_words_first_seconds, pace()
    if patience and last.seconds > patience:
        line.begin()
        draw(run, texts, meanwhile)
    began = monotonic()
    if patience and last.seconds <= patience:
        beside(run.advance, line, patience, lambda: draw(run, texts, meanwhile))
    else:
        run.advance(line)
    last.seconds = monotonic() - began


def beside(
    work: Callable[[OnProgress], SearchOutcome], line: OnProgress, patience: float, draw: Callable[[], None]
) -> None:
    """Do the work in a thread of its own, for only this one may draw: its lines as they come, and once after so many
    seconds what there is to show meanwhile."""
    lines: SimpleQueue[str | None] = SimpleQueue()
    gone = Event()

    def announce(said: str) -> None:
        if gone.is_set():
            raise AbandonedError
        lines.put(said)

    def ended(_: Future[SearchOutcome]) -> None:
        lines.put(None)

    with ThreadPoolExecutor(1, "search") as threads:
        working = threads.submit(copy_context().run, work, announce)
        working.add_done_callback(ended)
        left: float | None = patience
        try:
            while not working.done():
                try:
                    said = lines.get(timeout=left)
                except Empty:
                    left = None
                    draw()
                else:
                    if said is not None:
                        line(said)
        except BaseException:
            gone.set()
            raise
        working.result()


def draw(run: SearchRun, texts: Texts, meanwhile: Meanwhile) -> None:
    """The first documents by words, if there are any that are similar enough."""
    found = run.by_words()
    if found:
        cards = [
            markup.result_html(one, rank, texts, session.zone(), originals.address_of, query=run.inputs.question)
            for rank, one in enumerate(found, 1)
        ]
        meanwhile.show(render("search/words_first", "words_first", cards, texts))
