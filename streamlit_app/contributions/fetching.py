"""Waits for what the page asked for. The page itself fetches and converts nothing: runs of the sensor do."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import datetime

import streamlit as st

from locator_search.locales.reasons import reason_text
from locator_search.ports import ContributionState, KnownContribution
from streamlit_app.contributions.texts import ContributionTexts
from streamlit_app.shared import escaping, session

NEWEST = ""
"""The request that lists the newest meetings."""
Seen = tuple[ContributionState, datetime | None]
SECONDS_BETWEEN = 0.5
SECONDS_TO_BEGIN = 90.0
SECONDS_WITHOUT_NEWS = 300.0


def indexed(texts: ContributionTexts, ids: Sequence[str]) -> bool:
    """Whether any of the contributions are in the index, which those that are not are brought into first, step by step
    in view. What was set aside for good is not tried again: the next listing says so when something has changed."""
    missing = [one.contribution.contribution_id for one in _known(ids) if one.state not in ("indexed", "skipped")]
    if missing:
        _fetch(texts, missing)
    left = [one for one in _known(ids) if one.state != "indexed"]
    if len(left) < len(ids):
        return True
    if not _waiting(missing):
        st.error(escaping.label(texts.between.join(_step(texts, one) for one in left)), icon=":material/error:")
    return False


def _fetch(texts: ContributionTexts, missing: Sequence[str]) -> None:
    before = {one.contribution.contribution_id: (one.state, one.updated_at) for one in _known(missing)}
    session.contributions().requests.add("index", missing)
    with st.status(texts.fetching, expanded=True) as panel:
        for line in _steps(texts, before):
            panel.text(escaping.visible(line))
        failed = any(one.state != "indexed" for one in _known(missing))
        panel.update(label=texts.not_fetched if failed else texts.fetched, state="error" if failed else "complete")
    if _waiting(missing):
        st.warning(texts.nobody_works, icon=":material/hourglass_empty:")


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


def _steps(texts: ContributionTexts, seen: dict[str, Seen]) -> Iterator[str]:
    """A line for everything that happens to contributions after they were last seen, until nobody works on them."""
    ids = list(seen)
    yield texts.asked_for.format(count=len(ids))
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
    why = texts.why.format(reason=reason_text(known.reason, texts.language).words) if known.reason else ""
    return f"{known.contribution.number}: {words}{why}"


def _known(ids: Sequence[str]) -> list[KnownContribution]:
    return session.contributions().store.contributions(contribution_ids=ids)


def _waiting(ids: Sequence[str]) -> set[str]:
    return set(session.contributions().requests.waiting("index")) & set(ids)
