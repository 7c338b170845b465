"""The operator's page: how a crawl comes on, what is in the index, what is missing and why, what it cost."""

from collections.abc import Sequence

import streamlit as st

from locator_search.core.errors import AccessDenied
from locator_search.core.reader import reading_as
from locator_search.health.alarms import alarms
from locator_search.health.checks import examine
from locator_search.health.usage import UsageTexts
from locator_search.model import CoverageCounts, FileState
from locator_search.ports import FileStory, KnownFile
from streamlit_app.shared import access, components, session
from streamlit_app.shared.retrying import FAILED, SKIPPED, try_again
from streamlit_app.shared.templates import line_html
from streamlit_app.status import components as status_components
from streamlit_app.status.history import history
from streamlit_app.status.stories import find
from streamlit_app.status.texts import StatusTexts

LOOKS_EVERY_SECONDS = 5


def page() -> None:
    """The whole page, top to bottom; people who are no administrators see it for the files that they may read."""
    texts, locator = session.texts(), session.locator()
    say = StatusTexts.of(texts.language)
    st.html(line_html(texts.status_title, style="head"))
    try:
        counts, runs = locator.status_reader.status().coverage, locator.status_reader.runs()
    except AccessDenied:
        status_components.for_readers(say, locator.unread.coverage())
        find(texts, None)
        return
    figures_now()
    find(texts, retry_story)
    now = locator.clock.now()
    status_components.failures(say, texts, *files_in(counts, FAILED), now, retry_failed)
    status_components.skipped(say, texts, *files_in(counts, SKIPPED), now, retry_skipped)
    st.page_link("status/usage.py", label=UsageTexts.of(texts.language).title, icon=":material/query_stats:")
    history(say, texts, runs, session.zone(), locator.settings.locator_dagster_url)
    status_components.parts(texts, examine(locator, texts.language))
    status_components.dagster_links(texts, locator.settings.locator_dagster_url)


@st.fragment(run_every=LOOKS_EVERY_SECONDS)
def figures_now() -> None:
    """Everything that changes while a crawl runs. It is drawn again by itself, and then nobody else says who looks."""
    with components.errors_in_words(), reading_as(access.reader()):
        texts, locator = session.texts(), session.locator()
        say, status, now = StatusTexts.of(texts.language), locator.status_reader.status(), locator.clock.now()
        runs = locator.status_reader.runs()
        status_components.alarms(alarms(status, runs, locator.budget.ceiling_usd, now, texts.language))
        status_components.root_warnings(texts, locator.root_warnings())
        if not status.coverage.listed:
            status_components.nothing_listed(say, texts, locator.folders)
        status_components.progress(say, texts, locator.status_reader.progress(), status.coverage.listed)
        status_components.batches(say, texts, status.batches, now)
        status_components.figures(texts, status, now)
        status_components.coverage(texts, status.coverage)


def files_in(counts: CoverageCounts, states: Sequence[FileState]) -> tuple[Sequence[KnownFile], int]:
    """The newest files in some states, and how many there are."""
    total = sum(counts.by_state.get(state, 0) for state in states)
    return session.locator().status_reader.files_in(states), total


def retry_failed(reason: str | None, file_id: str | None) -> int:
    """Have failed files tried once more, at the next tick of the sensor or the next crawl."""
    return try_again(FAILED, reason=reason, file_id=file_id)


def retry_skipped(reason: str | None, file_id: str | None) -> int:
    """The same for those left out on purpose."""
    return try_again(SKIPPED, reason=reason, file_id=file_id)


def retry_story(story: FileStory) -> None:
    """The same for one file, whatever its state."""
    count = try_again([story.known.state], file_id=story.known.file.file_id)
    st.toast(session.texts().retried.format(count=count), icon=":material/check:")


page()
