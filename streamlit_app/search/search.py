"""The search page: question, filters, narrowing question, results, and how they came about."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from locator_search.core.errors import FlowLogRefused
from locator_search.drive_search.questions import SearchOptions
from locator_search.drive_search.searcher import SearchRun
from locator_search.model import Evidence, SearchOutcome
from locator_search.retrieval.grouping import files_of
from streamlit_app.search import filter_panel as filter_components
from streamlit_app.search import matching_rules as variant_components
from streamlit_app.search import own_searches, takeaway, words_first
from streamlit_app.search.crawling import crawl_now
from streamlit_app.search.preview import preview
from streamlit_app.search.progress_line import has_searched, progress
from streamlit_app.search.suggesting import PATH
from streamlit_app.shared import components, markup, originals, session
from streamlit_app.shared.ordering import in_order
from streamlit_app.shared.templates import line_html, render
from streamlit_app.shared.texts import Texts


def page() -> None:
    """The whole page, top to bottom."""
    texts, indexed = session.texts(), session.searchable()
    with st.sidebar:
        filter_components.filter_panel(texts)
        variant_components.rules_panel(texts)
    components.question_field(texts)
    with st.container(key="keys"):
        st.html(render("search/keys", "keys", texts), unsafe_allow_javascript=True)
    chosen, run = session.filters(), None
    with st.container(key="line"):
        line, meanwhile = st.empty(), words_first.Meanwhile()
    with line:
        if indexed and session.question() and chosen.in_order:
            run = search(texts, meanwhile)
        else:
            st.html(line_html(texts.index_size.format(indexed)))
    with place(session.step()):
        if run and run.outcome:
            show(texts, run, run.outcome)
        elif not indexed:
            crawl_now(indexed)
        elif not session.question():
            filter_components.active_filters(texts, chosen, ())
            components.welcome(texts)
            own_searches.welcome(texts)
            st.html(render("shared/scripts", "focus", "question"), unsafe_allow_javascript=True)
            crawl_now(indexed)
        else:
            filter_components.active_filters(texts, chosen, ())
            st.warning(texts.wrong_order)
    meanwhile.leave()
    if run and run.outcome:
        with st.sidebar:
            filter_components.facets(texts, *run.facets, chosen)
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


def search(texts: Texts, meanwhile: words_first.Meanwhile) -> SearchRun:
    """The search of this tab, taken as far as it goes without the person."""
    answer = session.take_answer()
    run = taken_up()
    if run is None:
        run = begun(texts)
        own_searches.asked()
    if run.outcome is None:
        with progress(texts, run.told) as line:
            words_first.advance(run, texts, line, meanwhile)
    elif answer is not None and run.waiting:
        with progress(texts, run.told) as line:
            run.answer(answer, line)
    else:
        has_searched(texts, run.told)
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
    """The outcome, best first, then how it came about; beside them the chosen result."""
    shown = in_order(outcome.evidence or outcome.closest, session.order())
    chosen = next((one for one in shown if one.file_id == session.opened()), shown[0] if shown else None)
    with st.container(key="panes"):
        left, right = st.columns([4, 5], gap="medium") if chosen else (st.container(), None)
    with left:
        found(texts, run, outcome)
        with st.container(horizontal=True, horizontal_alignment="right", key="order-row"):
            own_searches.save_button(texts)
            if shown:
                takeaway.downloads(texts, run, outcome, shown)
            if len(outcome.evidence) > 1:
                components.order(texts)
        for rank, evidence in enumerate(shown, start=1):
            listed(texts, run, evidence, rank, chosen=evidence is chosen)
        if not unread_comes_first(outcome):
            components.unread(texts, outcome.unread)
        own_searches.related(texts, outcome)
        components.coverage(texts, outcome.coverage)
        components.stand_ins(texts, **run.models)
        components.trace(texts, outcome.rounds, **run.models, usage=outcome.usage)
        own_searches.why_changed(texts)
    if chosen and right:
        with right:
            preview(texts, run, chosen, outcome.rounds[-1].query)


def found(texts: Texts, run: SearchRun, outcome: SearchOutcome) -> None:
    """The limits of the search, how it ended, and the question that narrows it."""
    with st.container(horizontal=True, gap="xsmall"):
        components.undo(texts)
        filter_components.active_filters(texts, session.filters(), run.conditions)
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


def listed(texts: Texts, run: SearchRun, evidence: Evidence, rank: int, *, chosen: bool) -> None:
    """One result in the list; a click shows it beside the list and is remembered as read."""

    step = session.step()

    def read() -> None:
        session.open_result(evidence.file_id, step)
        if run.search_id:
            session.locator().search_log.opened(run.search_id, evidence.file_id)

    with st.container(border=True, key=f"result-{rank}", gap=None):
        query = run.outcome.rounds[-1].query if run.outcome else ""
        html = markup.result_html(
            evidence,
            rank,
            texts,
            session.zone(),
            originals.address_of,
            query=query,
            chosen=chosen,
            order=session.order(),
        )
        st.html(html)
        st.button(texts.preview, type="tertiary", key=f"read-{evidence.file_id}", on_click=read)


page()
