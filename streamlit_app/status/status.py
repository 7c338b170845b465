"""The status page: what is in the index, what is missing and why, what it cost, what stands behind each part."""

from collections.abc import Sequence

import streamlit as st

from locator_search.health.checks import examine
from locator_search.indexing.crawl import ask_again
from locator_search.model import CoverageCounts, FileState
from locator_search.ports import KnownFile
from streamlit_app.shared import session
from streamlit_app.shared.templates import line_html
from streamlit_app.status import components as status_components


def page() -> None:
    """The whole page, top to bottom."""
    texts, locator = session.texts(), session.locator()
    status, now = locator.status_reader.status(), locator.clock.now()
    st.html(line_html(texts.status_title, style="head"))
    status_components.root_warnings(texts, locator.root_warnings())
    status_components.figures(texts, status, now)
    status_components.coverage(texts, status.coverage)
    status_components.failures(texts, *files_in(status.coverage, "failed", "no_access"), now, retry)
    status_components.skipped(texts, *files_in(status.coverage, "skipped", "out_of_scope"), now, retry)
    status_components.parts(texts, examine(locator, texts.language))
    status_components.dagster_links(texts, locator.settings.locator_dagster_url)


def files_in(counts: CoverageCounts, *states: FileState) -> tuple[Sequence[KnownFile], int]:
    """The newest files in some states, and how many there are."""
    total = sum(counts.by_state.get(state, 0) for state in states)
    return session.locator().status_reader.files_in(states), total


def retry(files: Sequence[KnownFile]) -> None:
    """Have files tried once more, at the next tick of the sensor or the next crawl."""
    locator = session.locator()
    for known in files:
        ask_again(locator.registry, known, locator.clock.now())


page()
