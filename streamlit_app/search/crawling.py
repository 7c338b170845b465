"""While files are read for the first time, or anew: how far that has come, on the search page."""

from __future__ import annotations

import streamlit as st

from locator_search.core.errors import AccessDenied
from locator_search.core.reader import reading_as
from locator_search.ports import CrawlProgress
from streamlit_app.shared import access, components, session
from streamlit_app.status.components import progress
from streamlit_app.status.texts import StatusTexts

LOOKS_EVERY_SECONDS = 2


def crawl_now(indexed: int) -> None:
    """How far a crawl has come, drawn again by itself; without one, that nothing is indexed where that is so."""
    if not indexed or _moving():
        st.fragment(_shown, run_every=LOOKS_EVERY_SECONDS)(indexed)


def _shown(indexed: int) -> None:
    with components.errors_in_words(), reading_as(access.reader()):
        texts = session.texts()
        if not indexed and session.searchable():
            st.rerun()  # the whole page, now that there is something to search
        if crawl := _moving():
            listed = session.locator().status_reader.status().coverage.listed
            progress(StatusTexts.of(texts.language), texts, crawl, listed)
        elif not indexed and access.administers(session.locator().settings):
            components.no_index(texts)
        elif not indexed:  # there may be files, for others
            components.coverage(texts, session.locator().unread.coverage())


def _moving() -> CrawlProgress | None:
    """The progress of a crawl that comes on; None where nothing moves, and for people who are no administrators."""
    try:
        crawl = session.locator().status_reader.progress()
    except AccessDenied:
        return None
    return crawl if crawl.waiting and crawl.seconds is not None else None
