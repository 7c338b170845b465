"""The search page: question, filters, narrowing question, results, and how they came about."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from locator_search.core.errors import FlowLogRefused
from locator_search.drive_search.inputs import SearchOptions
from locator_search.drive_search.searcher import SearchRun
from locator_search.model import Evidence, SearchOutcome
from locator_search.retrieval.grouping import files_of
from streamlit_app.search import filter_panel as filter_components
from streamlit_app.search import matching_rules as variant_components
from streamlit_app.search import own_searches, takeaway
from streamlit_app.search.preview import open_preview
from streamlit_app.search.similar import similar_button
from streamlit_app.search.suggesting import PATH
from streamlit_app.shared import components, session
from streamlit_app.shared.ordering import in_order
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts


def page() -> None:
    """The whole page, top to bottom."""
    texts, indexed = session.texts(), sum(session.counts("type").values())
    with st.sidebar:
        filter_components.filter_panel(texts)
        variant_components.rules_panel(texts)
    components.question_field(texts)
    chosen, run = session.filters(), None
    with st.container(key="line"), st.empty():
        if indexed and session.question() and chosen.in_order:
            run = search(texts)
        else:
            st.html(line_html(texts.index_size.format(count=f"{indexed:,}")))
    with place(session.step()):
        with st.container(horizontal=True, gap="xsmall", key="limits"):
            components.undo(texts)
            filter_components.active_filters(texts, chosen, run.conditions if run else ())
        if not indexed:
            components.no_index(texts)
        elif not session.question():
            components.welcome(texts)
            own_searches.welcome(texts)
            st.html(render("shared/scripts", "focus", "question"), unsafe_allow_javascript=True)
        elif not chosen.in_order:
            st.warning(texts.wrong_order)
        elif run and run.outcome:
            show(texts, run, run.outcome)
    if run and run.outcome:
        with st.sidebar:
            filter_components.facets(texts, *run.facets, chosen)
    st.html(render("search/keys", "keys", texts), unsafe_allow_javascript=True)
    st.html(render("search/suggestions", "suggestions", PATH, texts.suggestions), unsafe_allow_javascript=True)
    own_searches.remember()


def place(step: str) -> DeltaGenerator:
    """The place of a step, one of two in turn: what the step before shows goes at once when the next is drawn, instead
    of giving way to it line by line."""
    before: tuple[str, int] = st.session_state.get("place", ("", 0))
    turn = before[1] if step == before[0] else 1 - before[1]
    st.session_state["place"] = step, turn
    places = [st.container() if number == turn else st.empty() for number in range(2)]
    return places[turn]


def search(texts: Texts) -> SearchRun:
    """The search of this tab, taken as far as it goes without the person."""
    answer = session.take_answer()
    run = taken_up()
    if run is None:
        run = begun(texts)
        own_searches.asked()
    if run.outcome is None:
        with components.progress(texts) as line:
            run.advance(line)
    elif answer is not None and run.waiting:
        with components.progress(texts) as line:
            run.answer(answer, line)
    session.keep(run.log)
    return run


def taken_up() -> SearchRun | None:
    """The search already going on for this question; None when there is none or it is of another flow version."""
    kept = session.current()
    try:
        run = session.locator().drive_search.resume(kept.log) if kept else None
    except FlowLogRefused:
        return None
    return run if run and still_readable(run) else None


def still_readable(run: SearchRun) -> bool:
    """Whether everything that a kept search would show may be read now by whoever looks."""
    locator, outcome = session.locator(), run.outcome
    if not locator.settings.locator_permissions or outcome is None:
        return True
    shown = {item.file_id for item in files_of((*outcome.evidence, *outcome.closest))}
    shown |= {unread.file.file_id for unread in outcome.unread}
    return shown <= locator.documents.readable(sorted(shown))


def begun(texts: Texts) -> SearchRun:
    """A new search for the present question and filters."""
    locator = session.locator()
    chosen = session.filters()
    limits = chosen.as_search_filters(locator.clock.now(), session.zone())
    off = (*locator.settings.locator_matching_off, *chosen.matching_off)
    options = SearchOptions(language=texts.language, surface="page", ignored=chosen.ignored, matching_off=off)
    return locator.drive_search.start(session.question(), filters=limits, options=options)


def show(texts: Texts, run: SearchRun, outcome: SearchOutcome) -> None:
    """The outcome, best first, then how it came about.

    Each part has a place of its own: when a part above it goes, the results stay where the browser already shows them
    instead of standing there twice until the page is whole.
    """
    above, results, below = st.container(), st.container(), st.container()
    with above:
        found(texts, run, outcome)
    with results:
        listed(texts, run, outcome)
    with below:
        if not unread_comes_first(outcome):
            components.unread(texts, outcome.unread)
        components.trace(texts, outcome.rounds)
        components.models(texts, **run.models, usage=outcome.usage)
        components.coverage(texts, outcome.coverage)


def found(texts: Texts, run: SearchRun, outcome: SearchOutcome) -> None:
    """How the search ended, and the question that narrows it."""
    components.headline(texts, outcome, run.conditions)
    components.did_you_mean(texts, outcome)
    if unread_comes_first(outcome):
        components.unread(texts, outcome.unread)
    variant_components.variants(texts, outcome.rounds, session.filters())
    if outcome.outcome == "needs_answer":
        components.narrowing(texts, outcome)
    if outcome.outcome == "not_found":
        components.nothing_found(texts, outcome)


def unread_comes_first(outcome: SearchOutcome) -> bool:
    """Whether files that could not be read stand above the results: one may be what was asked for."""
    return outcome.outcome == "not_found" or any(file.named for file in outcome.unread)


def listed(texts: Texts, run: SearchRun, outcome: SearchOutcome) -> None:
    """The results in the order the person chose."""
    locator = session.locator()
    shown = in_order(outcome.evidence or outcome.closest, session.order())
    with st.container(horizontal=True, horizontal_alignment="right", key="order-row"):
        own_searches.save_button(texts)
        if shown:
            takeaway.downloads(texts, run, outcome, shown)
        if len(outcome.evidence) > 1:
            components.order(texts)
    keys = locator.registry.partition_keys([evidence.file_id for evidence in shown])
    for rank, evidence in enumerate(shown, start=1):
        feedback = partial(locator.search_log.feedback, run.search_id, evidence.file_id) if run.search_id else None
        record_url = components.partition_url(locator.settings.locator_dagster_url, keys.get(evidence.file_id, ""))
        read = partial(read_result, texts, run, evidence, outcome.rounds[-1].query)
        more = partial(similar_button, texts, evidence)
        components.result(texts, evidence, rank, record_url, read, more, feedback)


def read_result(texts: Texts, run: SearchRun, evidence: Evidence, query: str) -> None:
    """Show the text of a result, and remember that somebody wanted to read it."""
    locator = session.locator()
    if run.search_id:
        locator.search_log.opened(run.search_id, evidence.file_id)
    open_preview(texts, locator.documents, evidence, query)


page()
