"""The search page: question, filters, narrowing question, results, and how they came about."""

from functools import partial

import streamlit as st

from locator_search.drive_search.searcher import SearchOptions, SearchRun
from locator_search.model import SearchOutcome
from streamlit_app import components, session
from streamlit_app.texts import Texts


def page() -> None:
    """The whole page, top to bottom."""
    texts, facets = session.texts(), session.facets()
    with st.sidebar:
        components.filter_panel(texts, facets)
    if not session.question():
        st.html(f'<div class="dl-head">{texts.headline}</div>')
    components.question_field(texts)
    components.active_filters(texts, session.filters())
    if not facets:
        components.no_index(texts)
    elif not session.question():
        components.welcome(texts, facets)
    elif not session.filters().in_order:
        st.warning(texts.wrong_order)
    else:
        show(texts, *search(texts))
    session.write_address()


def search(texts: Texts) -> tuple[SearchRun, SearchOutcome]:
    """The search of this tab, begun or carried on as far as it goes without the person."""
    locator, kept, answer = session.locator(), session.current(), session.take_answer()
    if kept:
        run = locator.drive_search.resume(kept.log)
    else:
        limits = session.filters().as_search_filters(locator.clock.now(), session.zone())
        run = locator.drive_search.start(
            session.question(), filters=limits, options=SearchOptions(language=texts.language, surface="page")
        )
    if run.outcome and answer is None:
        return run, run.outcome
    with components.progress(texts) as line:
        outcome = run.advance(line) if answer is None else run.answer(answer, line)
    session.keep(run.log)
    return run, outcome


def show(texts: Texts, run: SearchRun, outcome: SearchOutcome) -> None:
    """The outcome, best first, then how it came about."""
    locator = session.locator()
    components.headline(texts, outcome)
    if outcome.outcome == "needs_answer":
        components.narrowing(texts, outcome)
    if outcome.outcome == "not_found":
        components.nothing_found(texts, outcome)
    for rank, evidence in enumerate(outcome.evidence, start=1):
        feedback = partial(locator.search_log.feedback, run.search_id, evidence.file_id) if run.search_id else None
        components.result(texts, evidence, rank, locator.settings.locator_dagster_url, feedback)
    components.trace(texts, outcome.rounds)
    components.models(texts, **run.models)


page()
