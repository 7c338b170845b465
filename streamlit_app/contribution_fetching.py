"""Waits for what the page asked for. The page itself fetches and converts nothing: runs of the sensor do."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import streamlit as st

from locator_search.ports import KnownContribution
from locator_search.reason_texts import worded
from streamlit_app import markup, session
from streamlit_app.contribution_texts import ContributionTexts

NEWEST = ""
"""What is asked for to list the newest meetings."""
SECONDS_BETWEEN = 0.5
SECONDS_TO_BEGIN = 90.0
SECONDS_WITHOUT_NEWS = 300.0


def indexed(texts: ContributionTexts, ids: Sequence[str]) -> bool:
    """Whether contributions are in the index, which those that are not are brought into first, step by step in view."""
    missing = [one.contribution.contribution_id for one in _known(ids) if one.state != "indexed"]
    if not missing:
        return True
    session.contributions().requests.add("index", missing)
    with st.status(texts.fetching, expanded=True) as panel:
        for line in _steps(texts, missing):
            panel.text(markup.visible(line))
        left = [one for one in _known(missing) if one.state != "indexed"]
        panel.update(label=texts.fetched if not left else texts.not_fetched, state="error" if left else "complete")
    if _waiting(missing):
        st.warning(texts.nobody_works, icon=":material/hourglass_empty:")
    return not left


def listed(texts: ContributionTexts) -> bool:
    """Whether the archive was asked for its newest meetings and answered."""
    requests = session.contributions().requests
    requests.add("sync", [NEWEST])
    with st.spinner(texts.listing, show_time=True):
        until = time.monotonic() + SECONDS_TO_BEGIN
        while requests.waiting("sync") and time.monotonic() < until:
            time.sleep(SECONDS_BETWEEN)
    if requests.waiting("sync"):
        st.warning(texts.nobody_works, icon=":material/hourglass_empty:")
        return False
    return bool(session.contributions().store.meetings())


def _steps(texts: ContributionTexts, ids: Sequence[str]) -> Iterator[str]:
    """A line for everything that happens to contributions, until nobody works on them any more."""
    yield texts.asked_for.format(count=len(ids))
    seen = {one.contribution.contribution_id: (one.state, one.updated_at) for one in _known(ids)}
    until = time.monotonic() + SECONDS_TO_BEGIN
    waiting = True
    while waiting and time.monotonic() < until:
        time.sleep(SECONDS_BETWEEN)
        waiting = bool(_waiting(ids))
        for one in _known(ids):
            state = (one.state, one.updated_at)
            if state != seen[one.contribution.contribution_id]:
                seen[one.contribution.contribution_id] = state
                until = time.monotonic() + SECONDS_WITHOUT_NEWS
                yield _step(texts, one)


def _step(texts: ContributionTexts, known: KnownContribution) -> str:
    words = texts.stages[known.state]
    why = texts.why.format(reason=worded(known.reason, texts.language).words) if known.reason else ""
    return f"{known.contribution.number}: {words}{why}"


def _known(ids: Sequence[str]) -> list[KnownContribution]:
    return session.contributions().store.contributions(contribution_ids=ids)


def _waiting(ids: Sequence[str]) -> set[str]:
    return set(session.contributions().requests.waiting("index")) & set(ids)
