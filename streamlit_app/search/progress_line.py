"""The line above the results that says what a search does now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_status_container import StatusContainer

from streamlit_app.shared import escaping
from streamlit_app.shared.texts import Texts


class ProgressLine:
    """One line that says what a search does now, and unfolds to what it has done; `told` was before.

    Streamlit waits 0.05 s when it draws such a line. So it is drawn with the first thing to say, when a search is under
    way in a thread of its own, unless somebody would wait for that without a word.
    """

    def __init__(self, texts: Texts, told: Iterable[str], drawn: ExitStack) -> None:
        self._texts, self._told, self._drawn = texts, told, drawn
        self._panel: StatusContainer | None = None

    def begin(self) -> StatusContainer:
        """Draw it, where it is not drawn yet."""
        if self._panel is None:
            self._panel = self._drawn.enter_context(st.status(self._texts.searching, type="compact"))
            _tell(self._panel, self._told)
        return self._panel

    def __call__(self, line: str) -> None:
        """Say what is done now."""
        panel = self.begin()
        _tell(panel, [line])
        panel.update(label=escaping.label(line))


@contextmanager
def progress(texts: Texts, told: Iterable[str] = ()) -> Iterator[ProgressLine]:
    """The line of a search, ended with it; to leave that to Streamlit would take another 0.05 s."""
    with ExitStack() as drawn:
        line = ProgressLine(texts, told, drawn)
        yield line
        line.begin().update(label=texts.searched, state="complete")


def has_searched(texts: Texts, told: Iterable[str]) -> None:
    """The same line for a search that was done before."""
    _tell(st.status(texts.searched, type="compact", state="complete"), told)


def _tell(panel: DeltaGenerator, lines: Iterable[str]) -> None:
    for line in lines:
        panel.text(escaping.visible(line))
